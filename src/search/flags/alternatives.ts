// What the source of an expression may start with, so that it need not be tried elsewhere. It reads our own sources of
// concepts: letters, groups, simple classes and counts, no look-around.

/** The parts between bars that stand in no group; a group that starts one is taken apart. */
export function alternativesOf(source: string): string[] {
  return splitAtBars(source).flatMap((alternative) => {
    if (!alternative.startsWith('(?:')) return [alternative]
    const end = groupEnd(alternative)
    const rest = alternative.slice(end + 1)
    if (/^[?*{]/u.test(rest)) return [alternative]
    return alternativesOf(alternative.slice(3, end)).map((inner) => inner + rest)
  })
}

/** Null where it may start with anything. */
export function firstLettersOf(source: string): ReadonlySet<string> | null {
  if (source.startsWith('(?:')) {
    const end = groupEnd(source)
    const inner = union(splitAtBars(source.slice(3, end)).map(firstLettersOf))
    return orAfter(inner, source.slice(end + 1))
  }
  if (source.startsWith('[')) {
    const end = source.indexOf(']')
    const letters = source.slice(1, end)
    return /[\\^]|\w-\w/u.test(letters) ? null : orAfter(new Set(letters), source.slice(end + 1))
  }
  if (source === '' || /^(?:\\[pws]|[.^…~])/u.test(source)) return null
  const letter = source.startsWith('\\') ? source.charAt(1) : source.charAt(0)
  return orAfter(new Set([letter]), source.slice(source.startsWith('\\') ? 2 : 1))
}

/** What may be left out lets the next part start. */
function orAfter(letters: ReadonlySet<string> | null, rest: string): ReadonlySet<string> | null {
  const [count] = /^(?:[?*]|\{0,\d+\})\??/u.exec(rest) ?? []
  return count === undefined ? letters : union([letters, firstLettersOf(rest.slice(count.length))])
}

function union(sets: readonly (ReadonlySet<string> | null)[]): ReadonlySet<string> | null {
  const all = new Set<string>()
  for (const set of sets) {
    if (set === null) return null
    for (const letter of set) all.add(letter)
  }
  return all
}

function splitAtBars(source: string): string[] {
  const parts = ['']
  let depth = 0
  for (const piece of piecesOf(source)) {
    if (piece === '(') depth += 1
    if (piece === ')') depth -= 1
    if (piece === '|' && depth === 0) parts.push('')
    else parts.push((parts.pop() ?? '') + piece)
  }
  return parts
}

/** Where the group that starts the source is closed. */
function groupEnd(source: string): number {
  let depth = 0
  let at = 0
  for (const piece of piecesOf(source)) {
    if (piece === '(') depth += 1
    if (piece === ')') depth -= 1
    if (depth === 0) return at
    at += piece.length
  }
  throw new Error(`A group is not closed: ${source}`)
}

/** An escape, a class or a letter at a time. */
function piecesOf(source: string): string[] {
  const pieces: string[] = []
  let at = 0
  while (at < source.length) {
    const letter = source.charAt(at)
    const end = letter === '[' ? source.indexOf(']', at) + 1 : at + (letter === '\\' ? 2 : 1)
    if (end <= at) throw new Error(`A class is not closed: ${source}`)
    pieces.push(source.slice(at, end))
    at = end
  }
  return pieces
}
