import { posix } from 'node:path'
import { AgentError, shortened } from '../../errors.ts'
import type { PromptPart } from '../../protocol/prompt.ts'
import type { Launch, LaunchContext, PlannedFile } from '../adapter.ts'
import type { LaunchOptions, LiveLaunchOptions } from '../launch-options.ts'
import {
  configurationArguments,
  endpointHeaderVariable,
  endpointKeyVariable,
  instructionsFileName,
  renderConfiguration,
} from './config.ts'
import { forwardedEnvironment } from './exposure.ts'
import { serverEnvironment } from './mcp-servers.ts'
import { strictSchema } from './output-schema.ts'
import { codexCan, codexFloor } from './versions.ts'

/** `codex exec --json` for one turn: the prompt on stdin, everything else in a generated `config.toml`. */
export function launchExec(options: LaunchOptions, context: LaunchContext): Launch {
  const images = imageFiles(options.prompt)
  return {
    arguments: [
      'exec',
      // Before `resume`, which 0.55 gives no flags of its own; and before other flags, since -i takes all that follows it.
      ...images.flatMap((file) => ['-i', posix.join(context.directory, file.path)]),
      '--json',
      '--skip-git-repo-check',
      ...schemaFiles(options).flatMap((file) => [
        '--output-schema',
        posix.join(context.directory, file.path),
      ]),
      ...configurationArguments(options, context),
      ...(bypassesHookTrust(options, context) ? ['--dangerously-bypass-hook-trust'] : []),
      ...options.arguments,
      ...conversationArguments(options, context.version),
      '-',
    ],
    environment: {
      ...endpointEnvironment(options.endpoint),
      ...serverEnvironment(options),
      ...forwardedEnvironment(context),
    },
    files: [...settingsFiles(options, context), ...images, ...schemaFiles(options)],
    stdin: wordsIn(options.prompt),
    firstSignal: 'SIGINT',
  }
}

/** "No prompt provided via stdin." (0.171), whatever images there are. */
function wordsIn(prompt: readonly PromptPart[]): string {
  const texts = prompt.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  if (texts.length > 0) return texts.join('\n\n')
  throw new AgentError('unsupported', 'codex exec takes no prompt without words.', {
    hint: "Say in words what to do with the image, or take transport: 'live'.",
  })
}

/** A trusted project's hooks wait for a person to look at them. */
export function bypassesHookTrust(options: LiveLaunchOptions, context: LaunchContext): boolean {
  return options.projectConfiguration === 'trust' && codexCan('bypassHookTrust', context.version) === true
}

export function settingsFiles(
  options: LiveLaunchOptions,
  context: LaunchContext,
  transport: 'structured' | 'live' = 'structured',
): PlannedFile[] {
  const { replace } = options.systemPrompt
  return [
    ...(context.home === undefined
      ? []
      : [{ path: 'config.toml', content: renderConfiguration(options, context, transport) }]),
    ...(replace === undefined ? [] : [{ path: instructionsFileName, content: replace }]),
  ]
}

function conversationArguments(options: LaunchOptions, version: string): string[] {
  const { resume, fork } = options
  if (resume === undefined) return []
  demandConversationId(resume)
  if (fork && codexCan('fork', version) === false) {
    throw new AgentError('unsupported', `codex ${version} cannot fork a conversation in exec.`, {
      hint: `Use codex ${codexFloor('fork')} or newer, or resume without fork.`,
    })
  }
  return [fork ? 'fork' : 'resume', resume]
}

export function demandConversationId(resume: string): void {
  if (!/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(resume)) {
    // Codex would take it for a name, or for a flag, and begin a new conversation where it finds none.
    throw new AgentError(
      'resume_rejected',
      `No codex conversation has the id ${JSON.stringify(shortened(resume))}.`,
      {
        hint: 'Give the sessionId of an earlier `session` event: a UUID.',
      },
    )
  }
}

export function endpointEnvironment(endpoint: LaunchOptions['endpoint']): Record<string, string> {
  if (!endpoint) return {}
  return {
    // Codex refuses to start a provider whose variable is blank.
    [endpointKeyVariable]: endpoint.credential || 'none',
    ...Object.fromEntries(
      Object.values(endpoint.headers ?? {}).map((value, index) => [endpointHeaderVariable(index), value]),
    ),
  }
}

/** Only schemas that strict mode takes get here: `withoutOutputSchema`. */
function schemaFiles({ outputSchema }: LaunchOptions): PlannedFile[] {
  const strict = outputSchema && strictSchema(outputSchema)
  if (!strict || !('schema' in strict)) return []
  return [{ path: 'output-schema.json', content: JSON.stringify(strict.schema) }]
}

function imageFiles(prompt: readonly PromptPart[]): PlannedFile[] {
  const images = prompt.flatMap((part) => (part.type === 'image' ? [part] : []))
  return images.map((image, index) => ({
    path: `image-${index + 1}.${extensionOf(image.mimeType)}`,
    content: image.data,
    encoding: 'base64' as const,
  }))
}

/** Codex looks into the file; the extension is for people. */
function extensionOf(mimeType: string): string {
  return /^image\/([a-z0-9]{1,8})/i.exec(mimeType)?.[1]?.toLowerCase() ?? 'image'
}
