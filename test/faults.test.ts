import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'

/** The faults that users of such wrappers reported, by the ids of the project's list: which are tests, and why the others are not. */

/** Each has a test whose title says its id, in the file of the rule that keeps it. */
const tested = `
  A01 A02 A04 A05 A07 A08 A10 A11 A13 A14 A16 A17 A19 A20 A22 A23
  B02 B03 B04 B05 B06 B08 B09 B11 B12 B14 B15 B17 B18 B20 B21 B23 B24 B26 B27 B29
  C01 C03 C04 C06 C07 C09 C10 C12 C13 C15 C16
  D01 D02 D04 D05 D07 D08 D10
  E01 E03 E04 E05 E06 E07 E09 E10 E12 E13
  F01 F02 F04 F05 F07
  G01 G03 G04
  H01 H02 H04 H05 H07
  I01 I03 I04
  J01 J02 J03 J05 J06 J08 J09
  K01 K02 K03 K04 K05 K07 K08 K10 K11 K13 K14 K16 K17 K19 K20
  L01 L02 L05 L06 L07 L11 L12 L13 L14
  M02 M03 M05 M06 M08 M09 M11
  N01 N03 N04 N05
  O01 O02 O04 O05 O07
  P01 P03
  Q01 Q02 Q03 Q04
`
  .trim()
  .split(/\s+/)

const windows =
  'Windows is refused before anything is resolved or started (L07), so there is no command line to build.'

const untested: Readonly<Record<string, string>> = {
  L04: windows,
  L08: windows,
  L10: windows,
}

const folder = fileURLToPath(new URL('.', import.meta.url))

describe('every fault of the list', () => {
  test('is a test, or stands here with the reason why not: 136, each once', () => {
    const ids = [...tested, ...Object.keys(untested)]
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
    expect(ids).toHaveLength(136)
  })

  test('that is called tested stands in the title of a test, and no other does', () => {
    const titled = new Set(testFiles().flatMap(faultsInTitles))
    expect(tested.filter((id) => !titled.has(id))).toEqual([])
    expect([...titled].filter((id) => !tested.includes(id))).toEqual([])
  })
})

function testFiles(): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.test.ts') && !path.includes('node_modules'))
    .map((path) => `${folder}${path}`)
}

/** Ids in what names a test: the first argument of test, it or describe, and the rows of their tables. Comments count for nothing. */
function faultsInTitles(file: string): string[] {
  const source = readFileSync(file, 'utf8')
  if (!/\b[A-Q]\d\d\b/.test(source)) return []
  const ids: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) {
      for (const words of stringsIn(namingArguments(node))) {
        ids.push(...(words.match(/\b[A-Q]\d\d(?=[:,\s)]|$)/g) ?? []))
      }
    }
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(file, source, ts.ScriptTarget.Latest))
  return ids
}

/** `test(title, ...)`, `test.each(rows)`, `test.each(rows)(title, ...)`. */
function namingArguments(call: ts.CallExpression): readonly ts.Node[] {
  let callee: ts.Node = call.expression
  const isTable = ts.isPropertyAccessExpression(callee) && callee.name.text === 'each'
  while (ts.isPropertyAccessExpression(callee) || ts.isCallExpression(callee)) callee = callee.expression
  if (!ts.isIdentifier(callee) || !['test', 'it', 'describe'].includes(callee.text)) return []
  return isTable ? call.arguments : call.arguments.slice(0, 1)
}

function stringsIn(nodes: readonly ts.Node[]): string[] {
  return nodes.flatMap((node) => {
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node)) return [node.text]
    const inner: ts.Node[] = []
    ts.forEachChild(node, (child) => {
      inner.push(child)
    })
    return stringsIn(inner)
  })
}
