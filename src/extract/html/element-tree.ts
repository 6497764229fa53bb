// The light tree that the parser leaves behind: elements with what is summed up inside them, no text nodes.

/** Elements of one name and class: a list of answers, products or links repeats itself. */
export interface ElementPattern {
  elements: number
  words: number
}

/** An element, with what `run-measures.ts` sums up over the text inside it. */
export interface HtmlElement {
  readonly name: string
  /** Bits of `TRAIT`. */
  readonly traits: number
  readonly parent: HtmlElement | null
  readonly depth: number
  /** Bits of `class-families.ts`. */
  readonly families: number
  /** Bits of `LANDMARKS`. */
  readonly landmarks: number
  readonly ariaHidden: boolean
  readonly pattern: ElementPattern
  inputs: number
  /** Cells begun in this row; header cells among them. */
  cells: number
  headerCells: number
  words: number
  linkWords: number
  blocks: number
  longWords: number
}

/** An element with nothing summed up yet. */
export const newElement = (
  name: string,
  traits: number,
  parent: HtmlElement | null,
  families: number,
  landmarks: number,
  ariaHidden: boolean,
  pattern: ElementPattern,
): HtmlElement => ({
  name,
  traits,
  parent,
  depth: parent === null ? 0 : parent.depth + 1,
  families,
  landmarks,
  ariaHidden,
  pattern,
  inputs: 0,
  cells: 0,
  headerCells: 0,
  words: 0,
  linkWords: 0,
  blocks: 0,
  longWords: 0,
})

/** The lowest element that holds both. */
export function sharedAncestor(left: HtmlElement, right: HtmlElement): HtmlElement {
  let a = left
  let b = right
  while (a.depth > b.depth && a.parent !== null) a = a.parent
  while (b.depth > a.depth && b.parent !== null) b = b.parent
  while (a !== b && a.parent !== null && b.parent !== null) {
    a = a.parent
    b = b.parent
  }
  return a
}
