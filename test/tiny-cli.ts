import {
  type Adapter,
  asObject,
  asString,
  codeForText,
  defineAdapter,
  type Exit,
  type LaunchOptions,
  type Step,
  type TextRun,
  Transcript,
  type Wire,
  type WireStart,
} from '../src/index.ts'

/** A fifth CLI, as someone outside this repository would add it: one file, public exports only. */

export class TinyWire implements Wire {
  readonly #transcript = new Transcript()
  #run: TextRun | undefined
  #resume: string | undefined

  start({ options }: WireStart): Step {
    this.#resume = options.resume
    return this.#transcript.step()
  }

  receive(record: Record<string, unknown>): Step {
    const id = asString(record.id) ?? 'nameless'
    const text = asString(record.text) ?? ''
    switch (record.type) {
      case 'hello':
        this.#transcript.session({
          sessionId: id,
          transport: 'structured',
          origin: this.#resume === id ? 'resumed' : 'new',
          ...(Array.isArray(record.tools) && { tools: record.tools.map(String) }),
          ...(Array.isArray(record.servers) && {
            mcpServers: record.servers.map((status) => ({ name: 'bridge', status: String(status) })),
          }),
        })
        break
      case 'heartbeat':
        break
      case 'think':
        this.#transcript.thinking(text, true)
        break
      case 'say':
        this.#run ??= this.#transcript.text.open()
        this.#transcript.text.append(this.#run, text)
        break
      case 'said':
        if (this.#run) this.#transcript.text.complete(this.#run, asString(record.text))
        this.#run = undefined
        break
      case 'again':
        if (this.#run) this.#transcript.text.retract(this.#run)
        this.#run = undefined
        break
      case 'call':
        this.#transcript.tools.start(id, {
          name: asString(record.name) ?? 'unknown',
          kind: 'execute',
          server: asString(record.server),
        })
        this.#transcript.tools.input(id, asObject(record.input) ?? {})
        break
      case 'result':
        this.#transcript.tools.end(id, { status: 'completed', output: text })
        break
      case 'bye':
        this.#transcript.conclude(
          record.error === undefined
            ? { detail: 'bye' }
            : {
                detail: 'bye with error',
                failure: {
                  code: codeForText(String(record.error)) ?? 'unknown',
                  message: String(record.error),
                },
              },
        )
        return { ...this.#transcript.step(), ended: true }
      default:
        this.#transcript.unknown(`the record type "${String(record.type)}"`)
    }
    return this.#transcript.step()
  }

  end(exit: Exit): Step {
    return this.#transcript.end(exit)
  }
}

export function tinyCli(wire: () => Wire = () => new TinyWire(), id = 'tiny-cli'): Adapter {
  return defineAdapter({
    id,
    title: 'Tiny',
    binary: ['tiny'],
    version: { floor: '1.0.0', tested: '1.2.0' },
    install: 'npm install -g tiny',
    credentials: [{ name: 'api-key', variables: ['TINY_KEY'], billing: 'api' }],
    home: { variable: 'TINY_HOME', userDirectory: '.tiny', signIn: ['key'], conversations: ['talks'] },
    capabilities: {
      streams: { text: 'token', thinking: 'token', toolInput: false, toolOutput: false },
      approvals: ['deny', 'approve-all'],
      sandbox: [],
      network: false,
      systemPrompt: { append: true, replace: false },
      effort: [],
      images: false,
      resume: true,
      fork: false,
      endpoint: ['openai-chat'],
      backgroundTasks: ['forbid'],
      withoutProjectInstructions: false,
      promptExpansion: false,
      configuration: false,
      reservedArguments: { '--json': 'transport', '--resume': 'resume' },
      reservedConfiguration: {},
      limits: [],
    },
    structured: { launch: launchTiny, wire },
  })
}

function launchTiny(options: LaunchOptions) {
  return {
    arguments: [
      '--json',
      ...(options.resume === undefined ? [] : ['--resume', options.resume]),
      ...options.arguments,
    ],
    environment: options.endpoint ? { TINY_URL: options.endpoint.url } : {},
    files: [],
    stdin: options.prompt.map((part) => (part.type === 'text' ? part.text : '')).join('\n'),
    firstSignal: 'SIGTERM' as const,
  }
}

/** A turn with thinking, a retracted run, two tools and an answer. */
export const tinyTurn = [
  { type: 'hello', id: 'talk-1' },
  { type: 'think', text: 'First I ' },
  { type: 'think', text: 'look.' },
  { type: 'say', text: 'Let me' },
  { type: 'again' },
  { type: 'say', text: 'Looking ' },
  { type: 'say', text: 'now… 🧭' },
  { type: 'said', text: 'Looking now… 🧭' },
  { type: 'call', id: 'a', name: 'shell', input: { command: 'ls' } },
  { type: 'call', id: 'b', name: 'shell', input: { command: 'pwd' } },
  { type: 'result', id: 'b', text: '/work' },
  { type: 'heartbeat' },
  { type: 'result', id: 'a', text: 'compass\u2028map' },
  { type: 'say', text: 'Done.' },
  { type: 'said' },
  { type: 'bye' },
]

export const tinyOutput = `${tinyTurn.map((record) => JSON.stringify(record)).join('\n')}\n`
