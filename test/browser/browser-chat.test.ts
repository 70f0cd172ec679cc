import { existsSync, readFileSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findChromium } from '../../scripts/chromium.mjs'
import { newestClis } from '../../scripts/real-clis.mjs'
import { ExampleServer } from './example-server.ts'

const titles = { 'claude-code': 'Claude Code', 'codex-cli': 'Codex CLI', 'pi-cli': 'pi' }

/** Without a sandbox of its own, which root has none of, and silent: nothing of it may leave this machine. */
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Run in the page: notes every length that the answer and the thinking have while the page says that the CLI works. */
const watchGrowth = `
  window.seen = { said: new Set(), thought: new Set() }
  const lengthOf = (selector) => document.querySelector(selector)?.textContent.length ?? 0
  new MutationObserver(() => {
    if (document.querySelector('#status').textContent !== 'Working') return
    seen.said.add(lengthOf('.said'))
    seen.thought.add(lengthOf('.thinking p'))
  }).observe(document.body, { childList: true, subtree: true, characterData: true })`

let browser: Browser

beforeAll(async () => {
  browser = await chromium.launch({ executablePath: findChromium() ?? 'chromium', args: flags })
})

afterAll(async () => {
  await browser?.close()
})

/** A machine that is busy with other things may be slow; nothing here takes more than moments by itself. */
const patience = 20_000

describe.each(newestClis().map(({ adapter }) => [adapter] as const))('%s in the browser', (adapter) => {
  let server: ExampleServer
  let page: Page
  const faults: string[] = []

  const until = async (state: string) =>
    page.getByRole('status').filter({ hasText: state }).waitFor({ timeout: patience })
  const say = async (text: string) => {
    await page.getByLabel('Message').fill(text)
    await page.keyboard.press('Enter')
  }
  const click = async (name: string) =>
    page.locator('.ask:not(.settled)').getByRole('button', { name, exact: true }).click()
  const note = () => join(server.cwd, 'note.txt')

  beforeAll(async () => {
    server = await ExampleServer.start()
    page = await browser.newPage()
    page.setDefaultTimeout(patience)
    page.on('pageerror', (error) => faults.push(error.message))
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
    await page.goto(server.url)
    await page.getByRole('button', { name: titles[adapter] }).click()
    await until('Ready')
  })

  afterAll(async () => {
    await page?.close()
    await server?.close()
  })

  test('text and thinking grow while it works', async () => {
    await page.evaluate(watchGrowth)
    await say('What can you do?')
    await until('Working')
    await until('Ready')
    const [said, thought] = await page.evaluate<[number, number]>('[seen.said.size, seen.thought.size]')
    expect(said).toBeGreaterThan(10)
    expect(thought).toBeGreaterThan(3)
    expect(await page.locator('.said').textContent()).toContain('a script that plays a model')
  })

  test('what is allowed by a click is done', async () => {
    rmSync(note(), { force: true })
    await say('Write a note into a file')
    await until('Waiting for you')
    expect(existsSync(note())).toBe(false)
    await click(adapter === 'pi-cli' ? 'Yes' : 'Allow')
    await until('Ready')
    expect(readFileSync(note(), 'utf8')).toBe('All is well.\n')
    const tool = page.locator('.tool').last()
    expect(await tool.textContent()).toContain('completed')
    expect(await page.locator('.said').last().textContent()).toContain('All is well.')
  })

  test('what is denied by a click is not done, and the model goes on', async () => {
    rmSync(note(), { force: true })
    await say('Write a note into a file')
    await until('Waiting for you')
    await click(adapter === 'pi-cli' ? 'No' : 'Deny')
    await until('Ready')
    expect(await page.locator('.ask').last().textContent()).toContain('Denied')
    expect(await page.locator('.said').last().textContent()).toContain('The shell said:')
    expect(existsSync(note())).toBe(false)
  })

  test('a question is answered by a click, and the model gets the answer', async () => {
    await say('Ask me which port to call at')
    await until('Waiting for you')
    expect(await page.locator('.ask').last().textContent()).toContain('Which port shall we call at?')
    await click('Kiel')
    await until('Ready')
    expect(await page.locator('.said').last().textContent()).toMatch(/Your answer:.*Kiel/)
  })

  test('what is said while it works is delivered to it', async () => {
    await say('Count slowly')
    await page.locator('.said').filter({ hasText: '1 2 3' }).waitFor()
    await say('Hard to port!')
    await page.locator('.mine').filter({ hasText: 'Hard to port!' }).getByText('delivered').waitFor()
    await until('Ready')
    expect(await page.locator('.said').last().textContent()).toBe('You said: Hard to port!')
  })

  test('it is stopped by a click, and the next prompt works', async () => {
    await say('Count slowly')
    await page.locator('.said').last().filter({ hasText: '1 2 3' }).waitFor()
    await page.getByRole('button', { name: 'Stop' }).click()
    await until('Ready')
    await page.locator('.note').last().filter({ hasText: 'interrupted' }).waitFor()
    await say('Still there?')
    await page.locator('.said').filter({ hasText: 'You said: Still there?' }).waitFor()
    await until('Ready')
  })

  test('when the server closes, nothing of it is left, and the page says so', async () => {
    expect(faults).toEqual([])
    expect(server.running()).not.toEqual([])
    await say('Count slowly')
    await page.locator('.said').last().filter({ hasText: '1 2 3' }).waitFor()
    expect(await server.close()).toBe(0)
    await until('Over')
    expect(server.running()).toEqual([])
    expect(existsSync(server.cwd)).toBe(false)
  })
})

describe('nobody else', () => {
  let server: ExampleServer
  beforeAll(async () => {
    server = await ExampleServer.start()
  })
  afterAll(() => server.close())

  const json = { 'content-type': 'application/json' }
  const good = () => ({ ...json, authorization: `Bearer ${new URL(server.url).hash.slice(1)}` })

  test.each<[string, () => Record<string, string>, number]>([
    ['without the token', () => json, 403],
    ['with another token', () => ({ ...json, authorization: 'Bearer x' }), 403],
    ['from a page of another site', () => ({ ...good(), origin: 'https://example.org' }), 403],
    ['from a page of nowhere', () => ({ ...good(), origin: 'null' }), 403],
    ['under another name', () => ({ ...good(), host: `evil.example:${server.port}` }), 403],
    ['by a form', () => ({ ...good(), 'content-type': 'text/plain' }), 403],
    ['as the page itself, with a CLI that is not there', () => good(), 422],
  ])('starts a CLI %s', async (_how, headers, expected) => {
    const { status, body } = await post(server.port, headers(), '{"adapter":"none"}')
    expect({ status, body }).toEqual({ status: expected, body: expect.stringContaining('message') })
    expect(server.running()).toEqual([])
  })

  test('can have the page do more than it does: no script but its own, no other address', async () => {
    const { headers } = await fetch(server.url)
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toMatch(/^default-src 'none'; connect-src 'self'; script-src 'sha256-[^']+'; style-src /)
    expect(policy).toContain("frame-ancestors 'none'")
  })
})

function post(port: number, headers: Record<string, string>, body: string) {
  return new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path: '/chats', method: 'POST', headers }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk) => {
        text += chunk
      })
      response.on('end', () => resolve({ status: response.statusCode, body: text }))
    })
    sent.on('error', reject)
    sent.end(body)
  })
}
