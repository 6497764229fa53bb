// A run of text while it grows: its pieces, what is owed before the next one, and what stands in it where.
import type { HtmlElement } from './element-tree.ts'

/** An `<a>` as the markup has it. */
export interface Anchor {
  /** The `href` as it stands there, '' without one. */
  readonly target: string
}

/** A stretch of a run's text that something belongs to: a link, a cell. UTF-16 units, from the run's beginning. */
export interface RunPart<Owner> {
  readonly owner: Owner
  start: number
  end: number
}

export interface OpenRun {
  /** Joined when the run ends: a string that is looked at and grown in turns would be copied each time. */
  pieces: string[]
  length: number
  endsWithNewline: boolean
  element: HtmlElement | null
  /** That the last piece stands right in. */
  innermost: HtmlElement | null
  linkCharacters: number
  links: number
  linkParts: RunPart<Anchor>[]
  cellParts: RunPart<HtmlElement>[]
  inlineElements: number
  spaceOwed: boolean
  tabsOwed: number
}

export const newRun = (): OpenRun => ({
  pieces: [],
  length: 0,
  endsWithNewline: false,
  element: null,
  innermost: null,
  linkCharacters: 0,
  links: 0,
  linkParts: [],
  cellParts: [],
  inlineElements: 0,
  spaceOwed: false,
  tabsOwed: 0,
})

/** Adds text as it is. */
export function grow(run: OpenRun, text: string): void {
  run.pieces.push(text)
  run.length += text.length
  run.endsWithNewline = text.endsWith('\n')
}

/** Takes white space off the end: what stands before a tab between cells. */
export function trimEndOf(run: OpenRun): void {
  let last = run.pieces.pop()
  while (last !== undefined) {
    const trimmed = last.trimEnd()
    run.length -= last.length - trimmed.length
    if (trimmed !== '') {
      run.pieces.push(trimmed)
      break
    }
    last = run.pieces.pop()
  }
  run.endsWithNewline = false
  endWithin(run.cellParts, run.length)
  endWithin(run.linkParts, run.length)
}

/** What a part ended with is gone. */
function endWithin<Owner>(parts: RunPart<Owner>[], length: number): void {
  let last = parts.at(-1)
  for (; last !== undefined && last.end > length; last = parts.at(-1)) {
    last.end = length
    if (last.start >= length) parts.pop()
  }
}

/** Parts as they lie once `cutBefore` characters are gone from the front and the text ends after `length`. */
export function shifted<Owner>(
  parts: readonly RunPart<Owner>[],
  cutBefore: number,
  length: number,
): readonly RunPart<Owner>[] {
  const isSame = cutBefore === 0 && (parts.at(-1)?.end ?? 0) <= length
  if (isSame) return parts
  return parts
    .map(({ owner, start, end }) => ({
      owner,
      start: Math.max(0, start - cutBefore),
      end: Math.min(length, end - cutBefore),
    }))
    .filter(({ start, end }) => end > start)
}
