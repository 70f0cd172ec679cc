import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { node24 } from './clis.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const table = 'test/run/fault-table.test.ts'

interface Report {
  /** What vitest ended with: an error that no test caught, such as a broken pipe, is in no test's result. */
  exitCode: number
  numTotalTests: number
  numPassedTests: number
  testResults: { assertionResults: { fullName: string; status: string; failureMessages: string[] }[] }[]
}

/** The unit tests run the table on the Node at hand. Node 24 is where `node:readline` began to split at U+2028. */
test('the whole fault table passes on Node 24, too', async () => {
  const { exitCode, numTotalTests, numPassedTests, testResults } = await runOn(node24)
  const results = testResults.flatMap(({ assertionResults }) => assertionResults)
  expect(results.filter(({ status }) => status !== 'passed')).toEqual([])
  // 22 rows on each of four adapters, and codex has a second kind of error.
  expect([exitCode, numTotalTests, numPassedTests]).toEqual([0, 89, 89])
  expect(results.filter(({ fullName }) => !fullName.includes(', on Node 24.'))).toEqual([])
}, 600_000)

function runOn(node: string): Promise<Report> {
  const { PATH, HOME } = process.env
  const words = ['run', '--project', 'unit', '--reporter', 'json', table]
  return new Promise((resolve, reject) => {
    execFile(
      node,
      ['node_modules/vitest/vitest.mjs', ...words],
      { cwd: root, env: { PATH, HOME }, timeout: 580_000, maxBuffer: 64 * 1024 * 1024 },
      (error, stdout, stderr) => {
        try {
          resolve({ ...JSON.parse(stdout), exitCode: error === null ? 0 : Number(error.code) })
        } catch {
          reject(new Error(`vitest did not report: ${error?.message ?? ''}\n${stdout}\n${stderr}`))
        }
      },
    )
  })
}
