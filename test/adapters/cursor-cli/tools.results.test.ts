import { describe, expect, test } from 'vitest'
import { endOf } from './tool-ends.ts'

describe('the result is a oneof, and only success completes', () => {
  test.each<[string, unknown, object]>([
    ['success', { success: { stdout: 'x', exitCode: 0 } }, { status: 'completed', output: 'x', exitCode: 0 }],
    [
      'failure',
      { failure: { stdout: '', stderr: 'no', exitCode: 2 } },
      { status: 'failed', output: 'no', exitCode: 2 },
    ],
    ['error', { error: { error: 'no such file' } }, { status: 'failed', output: 'no such file' }],
    [
      'error, another field',
      { error: { errorMessage: 'no such file' } },
      { status: 'failed', output: 'no such file' },
    ],
    ['error, as a text', { error: 'no such file' }, { status: 'failed', output: 'no such file' }],
    ['spawnError', { spawnError: { error: 'ENOENT' } }, { status: 'failed', output: 'ENOENT' }],
    ['timeout', { timeout: { message: 'too slow' } }, { status: 'failed', output: 'too slow' }],
    [
      'rejected',
      { rejected: { command: 'ls', reason: 'User Rejected' } },
      { status: 'rejected', output: 'User Rejected' },
    ],
    ['rejected without a reason', { rejected: { command: 'ls', reason: '' } }, { status: 'rejected' }],
    ['permissionDenied', { permissionDenied: { error: 'denied' } }, { status: 'rejected', output: 'denied' }],
    ['one that is new', { vanished: { message: 'gone' } }, { status: 'failed', output: 'gone' }],
    ['none of them', { isBackground: true }, { status: 'failed' }],
    ['no result at all', undefined, { status: 'completed' }],
  ])('%s', async (_, outcome, expected) => {
    expect(await endOf({ shellToolCall: { args: {}, result: outcome } })).toEqual(expected)
  })
})

const png = 'iVBORw0KGgoAAAANSUhEUg=='

describe('the output is the text of the result', () => {
  test.each<[string, object, object]>([
    [
      'shell: as it was interleaved',
      { stdout: 'a\nc\n', stderr: 'b\n', interleavedOutput: 'a\nb\nc\n' },
      { output: 'a\nb\nc\n' },
    ],
    ['shell: else both, apart', { stdout: 'a', stderr: 'b', interleavedOutput: '' }, { output: 'a\nb' }],
    ['shell: nothing', { stdout: '', stderr: '', interleavedOutput: '' }, { output: '' }],
    ['read', { content: 'line\n', totalLines: 1, path: '/w/a' }, { output: 'line\n' }],
    ['read: an empty file', { content: '', isEmpty: true }, { output: '' }],
    [
      'read: a picture',
      { data: png, path: '/w/a.png' },
      { content: [{ type: 'image', mimeType: 'image/png', data: png }] },
    ],
    [
      'read: bytes that are no picture',
      { data: 'AAAA', path: '/w/a.bin' },
      { output: '{"data":"AAAA","path":"/w/a.bin"}' },
    ],
    ['edit: the diff', { path: '/w/a', diffString: '+x', message: 'done' }, { output: '+x' }],
    [
      'edit: without a diff the message',
      { path: '/w/a', diffString: '', message: 'done' },
      { output: 'done' },
    ],
    ['glob', { pattern: '*', files: ['a', 'b'], totalFiles: 2 }, { output: 'a\nb' }],
    [
      'grep: contents',
      {
        workspaceResults: {
          '/w': { content: { matches: [{ file: 'a', matches: [{ lineNumber: 3, content: 'sea' }] }] } },
        },
      },
      { output: 'a:3:sea' },
    ],
    ['grep: files', { workspaceResults: { '/w': { files: { files: ['a', 'b'] } } } }, { output: 'a\nb' }],
    ['webFetch', { url: 'https://x.invalid', markdown: '# Tides' }, { output: '# Tides' }],
    [
      'webSearch',
      {
        references: [
          { title: 'T', url: 'https://x.invalid', chunk: 'c' },
          { title: 'U', url: 'https://y.invalid', chunk: 'd' },
        ],
      },
      { output: 'T\nhttps://x.invalid\nc\n\nU\nhttps://y.invalid\nd' },
    ],
    [
      'MCP',
      { content: [{ text: { text: 'a' } }, { text: { text: 'b' } }], isError: false },
      { output: 'a\nb' },
    ],
    [
      'MCP: an error inside',
      { content: [{ text: { text: 'no' } }], isError: true },
      { status: 'failed', output: 'no' },
    ],
    [
      'MCP: a picture',
      { content: [{ text: { text: 'see' } }, { image: { data: png, mimeType: 'image/png' } }] },
      {
        output: 'see',
        content: [
          { type: 'text', text: 'see' },
          { type: 'image', mimeType: 'image/png', data: png },
        ],
      },
    ],
    [
      'anything else: as JSON',
      { directoryTreeRoot: { absPath: '/w' } },
      { output: '{"directoryTreeRoot":{"absPath":"/w"}}' },
    ],
    ['nothing', {}, {}],
  ])('%s', async (_, body, expected) => {
    expect(await endOf({ someToolCall: { args: {}, result: { success: body } } })).toEqual({
      status: 'completed',
      ...expected,
    })
  })
})
