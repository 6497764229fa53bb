// Where two elements meet in one line without white space, and each is a box of its own: a name and its value, a price
// and the one before, a tag beside the next. What parts them stands in style sheets that are not read, so words tell.
import { type HtmlElement, sharedAncestor, someAround } from './element-tree.ts'

const names = (list: string): ReadonlySet<string> => new Set(list.split(' '))

/** They belong to the letter before them: a footnote's number, the "th" of a date. */
const RAISED = names('sub sup')
/** They set off a part of a word as often as a word. */
const DRESSING = names('b i em strong u font small big mark abbr acronym dfn q cite bdi bdo ins')
/** In these a name may be of many pieces. */
const NOTATION = names('code kbd samp var tt pre math')
/** How far up they are looked for: no further than a line reaches. */
const NOTATION_LEVELS = 6

const UPPER = /\p{Lu}/u
const LOWER = /\p{Ll}/u
const DIGIT = /[\p{Nd}¼-¾⅐-⅞]/u
const CURRENCY = /\p{Sc}/u

/** As the two most common frameworks of styles name a line of boxes; their style sheets are not read. */
const LAYS_OUT_BOXES = /(?:^|\s)(?:d-)?(?:inline-)?(?:flex|grid)(?:\s|$)/

/** Letters that a page colours or moves one by one are a word. */
const LEAST_OF_WORD = 2

/** Of a number: IU, GB, W. */
const UNIT_IN_CAPITALS = /^\p{Lu}{1,2}$/u

/** What is shorter may be a unit, written right behind its number. */
const LEAST_BESIDE_NUMBER = 5

interface Side {
  /** That the text stands right in. */
  readonly element: HtmlElement
  /** The piece of text that ends or begins at the seam. */
  readonly text: string
}

/**
 * True when two texts that adjoin are two words: an element ends or begins between them, and so does, by its letters or
 * by the names of two elements, a word ("Windproof" and "6/6", "$123.95" and "Was"). On saved pages whose true text is
 * known it has a space at each of 130 such seams.
 */
export function isSeam(left: Side, right: Side): boolean {
  const before = kindOf(left.text.at(-1))
  const after = kindOf(right.text.at(0))
  if (before === 'other' || before === 'currency' || after === 'other') return false
  const around = sharedAncestor(left.element, right.element)
  const closed = childTowards(left.element, around)
  const opened = childTowards(right.element, around)
  if (isAnyOf(RAISED, closed) || isAnyOf(RAISED, opened)) return false
  if (!isBox(closed) && !isBox(opened)) return false
  if (isNotation(around)) return false
  if (before === 'digit' && UNIT_IN_CAPITALS.test(right.text)) return false
  if (beginsWord(before, after)) return true
  if (closed === null || opened === null) return false
  const isLong = left.text.length >= LEAST_OF_WORD || right.text.length >= LEAST_OF_WORD
  if (isLong && LAYS_OUT_BOXES.test(around.classes)) return true
  if (after !== 'lower') return isLong
  if (before === 'digit') return right.text.length >= LEAST_BESIDE_NUMBER
  return left.text.length >= LEAST_OF_WORD && areTold(closed, opened)
}

type Kind = 'upper' | 'lower' | 'digit' | 'currency' | 'other'

function kindOf(character: string | undefined): Kind {
  if (character === undefined) return 'other'
  if (LOWER.test(character)) return 'lower'
  if (DIGIT.test(character)) return 'digit'
  if (UPPER.test(character)) return 'upper'
  return CURRENCY.test(character) ? 'currency' : 'other'
}

/** Whether a word begins here, whatever stands around. */
const beginsWord = (before: Kind, after: Kind): boolean =>
  after === 'upper' ? before !== 'upper' : after === 'digit' && before !== 'digit'

/** Whether the page names both, and not alike. */
const areTold = (closed: HtmlElement, opened: HtmlElement): boolean =>
  isBox(closed) &&
  isBox(opened) &&
  closed.classes !== '' &&
  opened.classes !== '' &&
  closed.classes !== opened.classes

/** The child of `around` in which `element` lies, null for `around` itself. */
function childTowards(element: HtmlElement, around: HtmlElement): HtmlElement | null {
  let child: HtmlElement | null = null
  for (let at: HtmlElement | null = element; at !== null && at !== around; at = at.parent) child = at
  return child
}

const isAnyOf = (known: ReadonlySet<string>, element: HtmlElement | null): boolean =>
  element !== null && known.has(element.name)

const isBox = (element: HtmlElement | null): boolean => element !== null && !DRESSING.has(element.name)

const isNotation = (element: HtmlElement): boolean =>
  someAround(element, NOTATION_LEVELS, ({ name }) => NOTATION.has(name))
