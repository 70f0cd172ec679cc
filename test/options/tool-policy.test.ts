import { describe, expect, it } from 'vitest'
import type { ToolPolicy } from '../../src/adapters/launch-options.ts'
import {
  admitsNativeTool,
  admitsServerTool,
  nativeLimit,
  toolPolicyOf,
} from '../../src/options/tool-policy.ts'

const server = { type: 'http' as const, url: 'http://127.0.0.1:9/mcp' }
const known = ['Bash', 'Read']

describe('a turn that says nothing of tools', () => {
  it("has the CLI's own", () => {
    expect(toolPolicyOf({})).toEqual({ mode: 'native', deny: [], strict: false })
  })

  it('has those of its servers as well', () => {
    expect(toolPolicyOf({ mcpServers: { shop: server } })).toEqual({
      mode: 'hybrid',
      deny: [],
      strict: false,
    })
  })
})

describe('tools that contradict themselves are refused', () => {
  it.each([
    [{ tools: { mode: 'native' as const }, mcpServers: { shop: server } }, /'native' leaves no place/],
    [{ tools: { mode: 'mcp_only' as const } }, /leaves the model no tool at all/],
    [{ tools: { mode: 'native' as const, allow: ['Read'], deny: ['Read'] } }, /both name "Read"/],
  ])('%j', (options, message) => {
    expect(() => toolPolicyOf(options)).toThrow(message)
  })
})

type Row = [string, ToolPolicy, { served: string[]; native: string[] }]

describe('what the model may have', () => {
  const all = { served: ['shop/buy', 'shop/look', 'depot/look'], native: ['Bash', 'Read'] }
  const rows: Row[] = [
    ['native', policy('native'), { served: [], native: all.native }],
    ['native, allow', policy('native', { allow: ['Read'] }), { served: [], native: ['Read'] }],
    ['native, deny', policy('native', { deny: ['Read'] }), { served: [], native: ['Bash'] }],
    ['mcp_only', policy('mcp_only'), { served: all.served, native: [] }],
    [
      'mcp_only, allow of a bare name',
      policy('mcp_only', { allow: ['look'] }),
      { served: ['shop/look', 'depot/look'], native: [] },
    ],
    [
      'mcp_only, allow of a whole name',
      policy('mcp_only', { allow: ['shop/look'] }),
      { served: ['shop/look'], native: [] },
    ],
    ['mcp_only, allow of a native name', policy('mcp_only', { allow: ['Bash'] }), { served: [], native: [] }],
    [
      'mcp_only, deny',
      policy('mcp_only', { deny: ['shop/look'] }),
      { served: ['shop/buy', 'depot/look'], native: [] },
    ],
    ['mcp_only, allow of nothing', policy('mcp_only', { allow: [] }), { served: [], native: [] }],
    ['hybrid', policy('hybrid'), all],
    [
      'hybrid, allow without a native name',
      policy('hybrid', { allow: ['buy'] }),
      { served: ['shop/buy'], native: all.native },
    ],
    [
      'hybrid, allow with a native name',
      policy('hybrid', { allow: ['buy', 'Read'] }),
      { served: ['shop/buy'], native: ['Read'] },
    ],
    [
      'hybrid, deny of both kinds',
      policy('hybrid', { deny: ['look', 'Bash'] }),
      { served: ['shop/buy'], native: ['Read'] },
    ],
  ]
  it.each(rows)('%s', (_, given, expected) => {
    const served = all.served.filter((name) => {
      const [from = '', tool = ''] = name.split('/')
      return admitsServerTool(given, from, tool)
    })
    const native = known.filter((name) => admitsNativeTool(given, name, known))
    expect({ served, native }).toEqual(expected)
  })

  it('is no limit to the native tools where none is named', () => {
    expect(nativeLimit(policy('hybrid', { allow: ['buy'] }), known)).toBeUndefined()
    expect(nativeLimit(policy('native'), known)).toBeUndefined()
    expect(nativeLimit(policy('native', { allow: ['buy'] }), known)).toEqual([])
  })
})

function policy(mode: ToolPolicy['mode'], lists: { allow?: string[]; deny?: string[] } = {}): ToolPolicy {
  return { mode, deny: [], strict: false, ...lists }
}
