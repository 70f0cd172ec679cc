import { statSync } from 'node:fs'
import { relative } from 'node:path'
import type { Adapter } from '../adapters/adapter.ts'
import { adapters } from '../adapters/registry.ts'
import { completionOf } from '../testing/guarantees.ts'
import {
  findRecordings,
  holdsRecords,
  isCalledRecording,
  isTwoWay,
  type Recording,
  readRecording,
} from '../testing/recording.ts'
import { type ReplaySetting, replayByLine } from '../testing/replay-now.ts'
import { shortName } from './named-adapter.ts'

export type Setting = Required<Pick<ReplaySetting, 'adapter' | 'options' | 'transport'>>

interface Candidate {
  path: string
  recording: Recording
  /** The file itself was named, not a folder above it. */
  named: boolean
  /** Why it is left out. */
  skipped: string | undefined
}

/** A file that was named counts whatever it is; what a folder holds must look like a recording of this CLI on this transport. */
export function* candidatesIn(paths: readonly string[], setting: Setting): Generator<Candidate> {
  for (const given of paths) {
    const named = !statSync(given).isDirectory()
    for (const path of findRecordings(given)) {
      const recording = readRecording(path)
      const skipped = named
        ? (twoWay(setting, recording) ?? noRecording(recording))
        : skipReason(setting, relative(given, path), recording)
      yield { path, recording, named, skipped }
    }
  }
}

function skipReason(setting: Setting, about: string, recording: Recording): string | undefined {
  return (
    otherAdapter(setting.adapter, about) ?? twoWay(setting, recording) ?? strangeContent(setting, recording)
  )
}

function twoWay({ transport }: Setting, { stdout }: Recording): string | undefined {
  if (transport === 'live' || !isTwoWay(stdout)) return undefined
  return 'a two-way session: --transport live replays it'
}

/** Noise in a recording is a CLI's own; in a file that is not called like one, it is some other file. */
function noRecording({ path, stdout }: Recording): string | undefined {
  if (stdout.length === 0 || isCalledRecording(path) || holdsRecords(stdout)) return undefined
  return 'no recording: no line of it is a JSON object'
}

/** recordings/claude/… is nothing for codex. */
function otherAdapter(adapter: Adapter, about: string): string | undefined {
  const segments = about.toLowerCase().split(/[/\\]/)
  const isAbout = (id: string) =>
    segments.some((segment) => new RegExp(`^(?:${id}|${shortName(id)})(?![a-z0-9])`).test(segment))
  if (isAbout(adapter.id)) return undefined
  const other = Object.keys(adapters).find((id) => id !== adapter.id && isAbout(id))
  return other === undefined ? undefined : `of ${other}`
}

function strangeContent(setting: Setting, { stdout, exit }: Recording): string | undefined {
  const { adapter } = setting
  const { ledger, sessionId } = completionOf(replayByLine({ ...setting, exit }, stdout).events) ?? {}
  if (!ledger || sessionId !== undefined) return undefined
  const known = ledger.records - ledger.unknown
  return ledger.records > 0 && known <= 0 ? `no record in it that ${adapter.id} knows` : undefined
}
