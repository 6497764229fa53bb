// Finds promises that are collected without an owner: one that fails before anybody waits for it ends the process. What
// runs side by side belongs into `runTaskGroup`, or straight into `Promise.all`.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'oxc-parser'

/** The one place where promises are kept, because it is what owns them. */
const OWNERS = /^concurrency\//u

interface Node {
  type: string
  start: number
  [key: string]: unknown
}

/** One sentence for each place of the TypeScript files below `folder` where promises are collected. */
export function findCollectedPromises(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => /\.tsx?$/u.test(name) && !OWNERS.test(name))
    .toSorted()
    .flatMap((name) => findInText(name, readFileSync(join(folder, name), 'utf8')))
}

function findInText(name: string, text: string): string[] {
  const nodes = [...walk(parseSync(name, text).program)]
  const asyncNames = new Set(nodes.flatMap(asyncNameOf))
  return nodes.flatMap((node) => {
    const what = describeCollection(node, asyncNames)
    if (what === null) return []
    const line = text.slice(0, node.start).split('\n').length
    return [`${name}:${line} ${what}: start it in runTaskGroup, or hand it to Promise.all where it is made`]
  })
}

function describeCollection(node: Node, asyncNames: ReadonlySet<string>): string | null {
  if (node.type === 'VariableDeclarator' && holdsPromises(annotationOf(node['id'])))
    return 'declares a collection of promises'
  if (node.type === 'VariableDeclarator' && isNode(node['init']) && mapsToPromises(node['init'], asyncNames))
    return 'keeps what an async callback returned'
  if (isPush(node) && argumentsOf(node).some((argument) => isPromise(argument, asyncNames)))
    return 'pushes a promise'
  return null
}

function annotationOf(id: unknown): unknown {
  const annotation = isNode(id) ? id['typeAnnotation'] : null
  return isNode(annotation) ? annotation['typeAnnotation'] : null
}

/** `Promise<…>[]`, `Array<Promise<…>>`, `Set<Promise<…>>`, read-only or not. */
function holdsPromises(type: unknown): boolean {
  if (!isNode(type)) return false
  if (type.type === 'TSTypeOperator') return holdsPromises(type['typeAnnotation'])
  if (type.type === 'TSArrayType') return referenceOf(type['elementType']) === 'Promise'
  const name = referenceOf(type)
  if (name === null || !/^(?:Readonly)?(?:Array|Set)$/u.test(name)) return false
  return [...walk(type['typeArguments'])].some((inner) => referenceOf(inner) === 'Promise')
}

function referenceOf(type: unknown): string | null {
  return isNode(type) && type.type === 'TSTypeReference' ? nameOf(type['typeName']) : null
}

/** `list.map(async …)` and `Array.from(list, async …)`. */
function mapsToPromises(node: Node, asyncNames: ReadonlySet<string>): boolean {
  const method = methodOf(node)
  if (method !== 'map' && method !== 'from') return false
  const callback = argumentsOf(node)[method === 'map' ? 0 : 1]
  return callback !== undefined && (callback['async'] === true || asyncNames.has(nameOf(callback) ?? ''))
}

const isPush = (node: Node): boolean => ['push', 'unshift', 'add'].includes(methodOf(node) ?? '')

function isPromise(node: Node, asyncNames: ReadonlySet<string>): boolean {
  if (node.type === 'NewExpression') return nameOf(node['callee']) === 'Promise'
  if (node.type !== 'CallExpression') return false
  const { callee } = node
  const isAsyncCall = isNode(callee) && (callee['async'] === true || asyncNames.has(nameOf(callee) ?? ''))
  return isAsyncCall || ['then', 'catch', 'finally'].includes(methodOf(node) ?? '')
}

/** The name of a function of this file that is declared `async`. */
function asyncNameOf(node: Node): string[] {
  const holder = node.type === 'VariableDeclarator' ? node['init'] : node
  if (!isNode(holder) || holder['async'] !== true) return []
  const name = nameOf(node['id'])
  return name === null ? [] : [name]
}

/** `method` of `object.method(…)`. */
function methodOf(node: Node): string | null {
  const callee = node.type === 'CallExpression' ? node['callee'] : null
  return isNode(callee) && callee.type === 'MemberExpression' ? nameOf(callee['property']) : null
}

const argumentsOf = (node: Node): Node[] =>
  Array.isArray(node['arguments']) ? node['arguments'].filter(isNode) : []

const nameOf = (node: unknown): string | null =>
  isNode(node) && node.type === 'Identifier' ? String(node['name']) : null

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'

/** The node and everything below it. */
function* walk(value: unknown): Generator<Node> {
  if (isNode(value)) yield value
  if (typeof value !== 'object' || value === null) return
  for (const child of Object.values(value)) yield* walk(child)
}
