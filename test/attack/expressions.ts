// Every regular expression of the source: those that stand in it, read from its syntax tree, and those that are put
// together at run time, caught as they are made.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'oxc-parser'

const SOURCE = join(import.meta.dirname, '..', '..', 'src')

export interface Expression {
  /** File and line below src/, such as `pages/charset.ts:46`. */
  place: string
  pattern: string
  flags: string
}

export function readExpressions(): { literals: Expression[]; composedIn: string[] } {
  const literals: Expression[] = []
  const composedIn = new Set<string>()
  const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.tsx?$/u.test(name),
  )
  for (const file of files) {
    const text = readFileSync(join(SOURCE, file), 'utf8')
    const { program, errors } = parseSync(file, text)
    if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]?.message}`)
    visit(program, (node) => {
      const line = (): number => text.slice(0, Number(node['start'])).split('\n').length
      const { regex, callee } = node as {
        regex?: { pattern: string; flags: string }
        callee?: { name?: string }
      }
      if (regex !== undefined) literals.push({ place: `${file}:${line()}`, ...regex })
      if (callee?.name === 'RegExp') composedIn.add(file)
    })
  }
  return { literals, composedIn: [...composedIn].toSorted() }
}

/** Whether the line of a stack trace that made an expression stands in our sources, and not in a library of theirs. */
const isOurs = (stack: string): boolean => /[\\/]src[\\/]/u.test(stack) && !stack.includes('node_modules')

/** What our own modules build with `new RegExp` while `load` runs. */
export async function catchComposed(place: string, load: () => Promise<unknown>): Promise<Expression[]> {
  const caught: Expression[] = []
  const { RegExp: original } = globalThis
  globalThis.RegExp = new Proxy(original, {
    construct(target, [pattern, flags]: [string | RegExp, string | undefined]) {
      const made = new target(pattern, flags)
      const [, , maker = ''] = new Error('made here').stack?.split('\n') ?? []
      if (isOurs(maker)) caught.push({ place, pattern: made.source, flags: made.flags })
      return made
    },
  })
  try {
    await load()
  } finally {
    globalThis.RegExp = original
  }
  return caught
}

type SyntaxNode = Record<string, unknown>

function visit(node: unknown, see: (node: SyntaxNode) => void): void {
  if (typeof node !== 'object' || node === null) return
  if (Array.isArray(node)) {
    for (const one of node) visit(one, see)
    return
  }
  see(node as SyntaxNode)
  for (const child of Object.values(node)) visit(child, see)
}
