import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import ts from 'typescript'

/** A place in the source where a notice is made. */
export interface NoticeSite {
  place: string
  /** The codes that stand there; none: it hands on one that it was given. */
  codes: string[]
  levels: string[]
}

const levels = new Set(['info', 'warning', 'error'])

/**
 * Every object with a `level` and a `code` of its own, and every call of a function that makes one of its arguments; calls of those
 * that hand theirs on are found from there. What cannot be told apart throws: a scan that overlooks is worse than none.
 */
export function noticeSites(folder: string): NoticeSite[] {
  const files = sourcesIn(folder).map((path) =>
    ts.createSourceFile(relative(folder, path), readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true),
  )
  const emitters = new Map<string, Set<number>>()
  let sites: NoticeSite[] = []
  for (let known = -1; known !== size(emitters); ) {
    known = size(emitters)
    sites = files.flatMap((file) => sitesIn(file, emitters))
  }
  return sites
}

function size(emitters: ReadonlyMap<string, ReadonlySet<number>>): number {
  return [...emitters.values()].reduce((sum, indexes) => sum + indexes.size, 0)
}

function sourcesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('event-schema.ts'))
    .map((name) => join(folder, name))
}

function sitesIn(file: ts.SourceFile, emitters: Map<string, Set<number>>): NoticeSite[] {
  const sites: NoticeSite[] = []
  const add = (node: ts.Node, code: ts.Expression, level: ts.Expression | undefined) => {
    const place = `${file.fileName}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}`
    const codes = literalsIn(code)
    if (codes.length === 0) handOn(node, code, place, emitters)
    sites.push({ place, codes, levels: level ? literalsIn(level).filter((word) => levels.has(word)) : [] })
  }
  const visit = (node: ts.Node) => {
    if (ts.isObjectLiteralExpression(node)) {
      const [code, level] = [propertyIn(node, 'code'), propertyIn(node, 'level')]
      if (code && level) add(node, code, level)
    }
    if (ts.isCallExpression(node)) {
      const index = [...(emitters.get(nameOf(node.expression)) ?? [])].find((each) => {
        const argument = node.arguments[each]
        return argument && (literalsIn(argument).some((word) => !levels.has(word)) || namesCode(argument))
      })
      const code = index === undefined ? undefined : node.arguments[index]
      if (code) add(node, code, index === 0 ? undefined : node.arguments[(index ?? 0) - 1])
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return sites
}

/** The function around it that takes the code as an argument makes notices of its own. */
function handOn(node: ts.Node, code: ts.Expression, place: string, emitters: Map<string, Set<number>>): void {
  if (!namesCode(code)) throw new Error(`${place}: what code does this notice have? ${code.getText()}`)
  for (let around: ts.Node | undefined = node; around; around = around.parent) {
    if (!ts.isFunctionLike(around)) continue
    const index = around.parameters.findIndex(({ name }) => name.getText() === 'code')
    if (index === -1) continue
    const name = nameOfFunction(around)
    if (name === '') throw new Error(`${place}: a notice made in a function without a name`)
    emitters.set(name, (emitters.get(name) ?? new Set()).add(index))
    return
  }
}

/** Its own, or that of what it is the value of. */
function nameOfFunction(made: ts.SignatureDeclaration): string {
  const { parent } = made
  const isValue = ts.isPropertyAssignment(parent) || ts.isVariableDeclaration(parent)
  return made.name?.getText() ?? (isValue ? parent.name.getText() : '')
}

function namesCode(expression: ts.Expression): boolean {
  return /(?:^|\.)code$/.test(expression.getText())
}

function propertyIn(object: ts.ObjectLiteralExpression, name: string): ts.Expression | undefined {
  for (const property of object.properties) {
    if (property.name?.getText() !== name) continue
    if (ts.isPropertyAssignment(property)) return property.initializer
    if (ts.isShorthandPropertyAssignment(property)) return property.name
  }
  return undefined
}

function nameOf(callee: ts.Expression): string {
  return ts.isPropertyAccessExpression(callee) ? callee.name.getText() : callee.getText()
}

/** The words that it may come to; a sentence is none. */
function literalsIn(expression: ts.Expression): string[] {
  if (ts.isStringLiteral(expression))
    return /^[a-z][a-z0-9_]*$/.test(expression.text) ? [expression.text] : []
  if (ts.isAsExpression(expression) || ts.isParenthesizedExpression(expression))
    return literalsIn(expression.expression)
  if (!ts.isConditionalExpression(expression)) return []
  return [...literalsIn(expression.whenTrue), ...literalsIn(expression.whenFalse)]
}
