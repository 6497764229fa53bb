// The light tree that the parser leaves behind: elements with what is summed up inside them, no text nodes.
import type { InheritedStyle } from '../styles/concealment.ts'
import type { StyleContext } from '../styles/page-styles.ts'

/** Elements of one name and class: a list of answers, products or links repeats itself. */
export interface ElementPattern {
  elements: number
  words: number
}

/** What the markup says of an element. */
export interface ElementFacts {
  readonly name: string
  /** Bits of `TRAIT`. */
  readonly traits: number
  readonly parent: HtmlElement | null
  /** As the attributes have them, '' without one. */
  readonly classes: string
  readonly id: string
  /** What styles pass on to the text inside it. */
  readonly style: InheritedStyle
  /** What tells it apart for the page's own styles. */
  readonly context: StyleContext
  /** Bits of `class-families.ts`. */
  readonly families: number
  /** Bits of `LANDMARKS`. */
  readonly landmarks: number
  readonly ariaHidden: boolean
  readonly pattern: ElementPattern
}

/** An element, with what `run-statistics.ts` sums up over the text inside it. */
export interface HtmlElement extends ElementFacts {
  readonly depth: number
  inputs: number
  /** Cells begun in this row. */
  cells: number
  words: number
  linkWords: number
  blocks: number
  longWords: number
}

/** An element with nothing summed up yet. */
export const newElement = (facts: ElementFacts): HtmlElement => ({
  name: facts.name,
  traits: facts.traits,
  parent: facts.parent,
  classes: facts.classes,
  id: facts.id,
  style: facts.style,
  context: facts.context,
  families: facts.families,
  landmarks: facts.landmarks,
  ariaHidden: facts.ariaHidden,
  pattern: facts.pattern,
  depth: facts.parent === null ? 0 : facts.parent.depth + 1,
  inputs: 0,
  cells: 0,
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

/** True when `element` is `container` or lies in it. */
export function isInside(element: HtmlElement, container: HtmlElement): boolean {
  let at: HtmlElement | null = element
  while (at !== null && at.depth > container.depth) at = at.parent
  return at === container
}

/** The nearest element of that name, from this one outwards; null when it stands in none. */
export function closest(element: HtmlElement, name: string): HtmlElement | null {
  let at: HtmlElement | null = element
  while (at !== null && at.name !== name) at = at.parent
  return at
}

/** Whether the element or one around it is meant, `levels` of them looked at from this one outwards. */
export function someAround(
  element: HtmlElement | null,
  levels: number,
  isMeant: (around: HtmlElement) => boolean,
): boolean {
  let at = element
  for (let level = 0; level < levels && at !== null; level++, at = at.parent) if (isMeant(at)) return true
  return false
}

/** True when the element or one around it is one of the landmarks: bits of `LANDMARKS`. */
export function hasLandmark(element: HtmlElement, landmarks: number): boolean {
  for (let at: HtmlElement | null = element; at !== null; at = at.parent)
    if ((at.landmarks & landmarks) !== 0) return true
  return false
}
