// CSS selectors of types, classes and ids, and whether an element of the page is what they select.

/** What a selector is matched against. */
export interface StyledElement {
  /** In lower case. */
  readonly name: string
  readonly parent: StyledElement | null
  /** As the attributes have them, '' without one. */
  readonly classes: string
  readonly id: string
}

export interface Compound {
  /** '' for any. */
  readonly name: string
  readonly id: string
  readonly classes: readonly string[]
}

/** Compounds that stand directly one in the other, the innermost first. */
type Unit = readonly Compound[]

export interface Selector {
  /** The innermost first: each lies somewhere inside the next. */
  readonly units: readonly Unit[]
  /** Ids count 10 000, classes 100, types 1 (Selectors 4, §17). */
  readonly specificity: number
  /** True when it holds only in a state or order that is not looked at: the element may be selected, or not. */
  readonly isUncertain: boolean
  /**
   * True when what is not looked at is all that narrows one of its compounds (`[class*=card]`): as it is read it selects
   * elements all over the page, of which it means a few.
   */
  readonly isVague: boolean
}

/** The compound that the selected element itself must be. */
const subjectOf = (selector: Selector): Compound | undefined => selector.units[0]?.[0]

/** Whether the element itself is what the selector asks for, wherever it stands. */
export const isSubject = (element: StyledElement, selector: Selector): boolean => {
  const subject = subjectOf(selector)
  return subject !== undefined && isCompound(element, subject)
}

/** How many elements may still be looked at; all matching on a page draws from one. */
export interface LooksLeft {
  count: number
}

/**
 * Whether `element` is selected; false when no looks are left. Linear in its depth: where a unit is found nearest,
 * whatever stands around it has the most room.
 */
export function isSelected(element: StyledElement, selector: Selector, looks: LooksLeft): boolean {
  const [subject, ...around] = selector.units
  if (subject === undefined) return false
  let at = matchUnit(element, subject)
  if (at === null) return false
  for (const unit of around) {
    let found: StyledElement | null = null
    for (let above: StyledElement | null = at.parent; above !== null; above = above.parent) {
      if (looks.count-- <= 0) return false
      found = matchUnit(above, unit)
      if (found !== null) break
    }
    if (found === null) return false
    at = found
  }
  return true
}

/** The outermost element of the unit when `element` is its innermost. */
function matchUnit(element: StyledElement, unit: Unit): StyledElement | null {
  let at: StyledElement | null = element
  let outermost = element
  for (const compound of unit) {
    if (at === null || !isCompound(at, compound)) return null
    outermost = at
    at = at.parent
  }
  return outermost
}

const isCompound = (element: StyledElement, { name, id, classes }: Compound): boolean =>
  (name === '' || name === element.name) &&
  (id === '' || id === element.id) &&
  classes.every((word) => hasClass(element, word))

/** A longer `class` attribute is taken apart once: searched for each word of many rules it costs its length every time. */
const SEARCHED_CHARACTERS_MAX = 256
const wordsOf = new WeakMap<StyledElement, ReadonlySet<string>>()

function hasClass(element: StyledElement, word: string): boolean {
  if (element.classes.length <= SEARCHED_CHARACTERS_MAX) return holdsWord(element.classes, word)
  let words = wordsOf.get(element)
  if (words === undefined) {
    words = new Set(element.classes.split(/\s+/))
    wordsOf.set(element, words)
  }
  return words.has(word)
}

/** Whether `word` is one of the classes, parted by white space. */
function holdsWord(classes: string, word: string): boolean {
  for (let at = classes.indexOf(word); at !== -1; at = classes.indexOf(word, at + 1)) {
    const isBegin = at === 0 || classes.charCodeAt(at - 1) <= 32
    const end = at + word.length
    if (isBegin && (end === classes.length || classes.charCodeAt(end) <= 32)) return true
  }
  return false
}

/** What an element must at least be to be selected: `.class`, `#id`, a name, or `*`. */
export type SubjectKey = string

/** As `surveySelectors` tells it. */
export function subjectKeyOf(selector: Selector): SubjectKey {
  const subject = subjectOf(selector)
  if (subject === undefined) return '*'
  if (subject.id !== '') return `#${subject.id}`
  const [word] = subject.classes
  if (word !== undefined) return `.${word}`
  return subject.name === '' ? '*' : subject.name
}
