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

interface Compound {
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
}

const LONGEST_PRELUDE = 20_000
const MOST_COMPOUNDS = 12
const MOST_SELECTORS_PER_RULE = 200
const LONGEST_SELECTOR = 400
/** States that a page is not in while it is read. */
const DYNAMIC =
  /:(?:hover|focus|focus-within|focus-visible|active|target|checked|visited|open|popover-open|modal|fullscreen|invalid|user-invalid|indeterminate|playing|host|backdrop)\b/
const PSEUDO_ELEMENT = /::|:(?:before|after|first-line|first-letter)\b/
/** Whether anything but types, classes, ids and combinators stands in it. */
const NARROWED = /[:[]/
/** Classes and ids that an element must have, as page builders write their scopes: `.card:where(.scope-1)`. */
const SCOPED = /:(where|is)\(((?:[.#][\w-]+)+)\)/g
const SCOPED_HERE = /(:(?:where|is)\()(?:[.#][\w-]+)+\)/y
/** What narrows a selector without being looked at. */
const UNJUDGED = /\[[^\]]*\]|:[a-z-]+(?:\((?:[^()]|\([^()]*\))*\))?/g

/** The selectors of a rule, as far as they can select something. */
export function parseSelectors(prelude: string): Selector[] {
  return selectorsIn(prelude).flatMap((text) => parseSelector(text) ?? [])
}

function selectorsIn(prelude: string): string[] {
  const text = prelude.slice(0, LONGEST_PRELUDE)
  const plain = text.includes('/*') ? text.replace(/\/\*[\s\S]*?\*\//g, ' ') : text
  if (!plain.includes(',')) return [plain]
  const parts = plain.includes('(') ? splitOutsideParentheses(plain) : plain.split(',')
  return parts.slice(0, MOST_SELECTORS_PER_RULE)
}

function splitOutsideParentheses(text: string): string[] {
  const parts: string[] = []
  let depth = 0
  let from = 0
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === '(') depth++
    else if (character === ')') depth--
    else if (character === ',' && depth <= 0) {
      parts.push(text.slice(from, at))
      from = at + 1
    }
  }
  parts.push(text.slice(from))
  return parts
}

/** Null for a selector that selects nothing now (`:hover`, `::before`), or that cannot be read. */
function parseSelector(text: string): Selector | null {
  const whole = text.trim()
  if (whole === '' || whole.length > LONGEST_SELECTOR) return null
  if (!NARROWED.test(whole)) return parseJudged(whole, 0)
  if (PSEUDO_ELEMENT.test(whole) || DYNAMIC.test(whole)) return null
  let weightless = 0
  const scoped = whole.replaceAll(':root', 'html').replace(SCOPED, (_part, name: string, names: string) => {
    if (name === 'where') weightless += weightOf(names)
    return names
  })
  let unjudged = 0
  const judged = scoped.replace(UNJUDGED, (_part, at: number) => {
    unjudged++
    return at === 0 || /[\s>+~]/.test(scoped[at - 1] ?? '') ? '*' : ''
  })
  const selector = parseJudged(judged, unjudged)
  return selector === null ? null : { ...selector, specificity: selector.specificity - weightless }
}

const weightOf = (names: string): number =>
  (names.match(/\./g)?.length ?? 0) * CLASS_COUNTS + (names.match(/#/g)?.length ?? 0) * ID_COUNTS

/** Reads a selector of types, classes, ids and combinators, character by character: there may be thousands. */
function parseJudged(text: string, unjudged: number): Selector | null {
  const units: Compound[][] = []
  let combinator = ' '
  let isUncertain = unjudged > 0
  let specificity = unjudged * CLASS_COUNTS
  let compounds = 0
  for (let at = 0; at < text.length;) {
    const character = text[at] ?? ''
    if (character === '>' || character === '+' || character === '~') combinator = character
    if (character === '>' || character === '+' || character === '~' || text.charCodeAt(at) <= 32) {
      at++
      continue
    }
    const end = endOfCompound(text, at)
    const compound = parseCompound(text, at, end)
    if (compound === null || compounds++ >= MOST_COMPOUNDS) return null
    specificity += specificityOf(compound)
    const unit = units[0]
    if (combinator === ' ' || unit === undefined) units.unshift([compound])
    else if (combinator === '>') unit.unshift(compound)
    else {
      // Which elements stand beside this one is not looked at.
      isUncertain = true
      unit[0] = compound
    }
    combinator = ' '
    at = end
  }
  return units.length === 0 ? null : { units, specificity, isUncertain }
}

function endOfCompound(text: string, from: number): number {
  let at = from
  while (at < text.length) {
    const code = text.charCodeAt(at)
    if (code <= 32 || code === GREATER || code === PLUS || code === TILDE) break
    at += code === BACKSLASH ? 2 : 1
  }
  return Math.min(at, text.length)
}

const GREATER = 62
const PLUS = 43
const TILDE = 126
const BACKSLASH = 92
const DOT = 46
const HASH = 35
const STAR = 42

function parseCompound(text: string, from: number, to: number): Compound | null {
  let name = ''
  let id = ''
  const classes: string[] = []
  for (let at = from; at < to;) {
    const code = text.charCodeAt(at)
    const begin = code === DOT || code === HASH || code === STAR ? at + 1 : at
    const end = code === STAR ? begin : endOfName(text, begin, to)
    if (end === begin && code !== STAR) return null
    const word = unescaped(text.slice(begin, end))
    if (code === DOT) classes.push(word)
    else if (code === HASH) id = word
    else if (at === from) name = word.toLowerCase()
    else return null
    at = end
  }
  return { name, id, classes }
}

/** Letters, digits, hyphens, underscores, escapes and all beyond ASCII. */
function endOfName(text: string, from: number, to: number): number {
  let at = from
  while (at < to) {
    const code = text.charCodeAt(at)
    const lower = code | 32
    const isPart =
      (lower >= 97 && lower <= 122) || (code >= 48 && code <= 57) || code === 45 || code === 95 || code > 127
    if (code === BACKSLASH) at++
    else if (!isPart) break
    at++
  }
  return Math.min(at, to)
}

const ID_COUNTS = 10_000
const CLASS_COUNTS = 100

const specificityOf = ({ name, id, classes }: Compound): number =>
  (id === '' ? 0 : ID_COUNTS) + classes.length * CLASS_COUNTS + (name === '' ? 0 : 1)

/** The compound that the selected element itself must be. */
const subjectOf = (selector: Selector): Compound | undefined => selector.units[0]?.[0]

/** Whether the element itself is what the selector asks for, wherever it stands. */
export const isSubject = (element: StyledElement, selector: Selector): boolean => {
  const subject = subjectOf(selector)
  return subject !== undefined && isCompound(element, subject)
}

/**
 * Whether `element` is selected. Linear in its depth: where a unit is found nearest, whatever stands around it has the
 * most room.
 */
export function isSelected(element: StyledElement, selector: Selector): boolean {
  const [subject, ...around] = selector.units
  if (subject === undefined) return false
  let at = matchUnit(element, subject)
  if (at === null) return false
  for (const unit of around) {
    let found: StyledElement | null = null
    for (let above: StyledElement | null = at.parent; above !== null; above = above.parent) {
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
  classes.every((word) => hasClass(element.classes, word))

/** Whether `word` is one of the classes, parted by white space. */
function hasClass(classes: string, word: string): boolean {
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

/**
 * Looks a list of selectors over without reading it: tells each subject's key, and every class and id that is spoken of,
 * without escapes. Linear.
 */
export function surveySelectors(
  css: string,
  from: number,
  to: number,
  { onSubject, onWord }: { onSubject: (key: SubjectKey) => void; onWord: (word: string) => void },
): void {
  let key = ''
  for (let at = from; at < to;) {
    const code = css.charCodeAt(at)
    if (code === COMMA) {
      onSubject(key === '' ? '*' : key)
      key = ''
      at++
    } else if (code === DOT || code === HASH) {
      const end = endOfName(css, at + 1, to)
      const word = unescaped(css.slice(at + 1, end))
      onWord(word)
      if (code === HASH) key = `#${word}`
      else if (!key.startsWith('#') && !key.startsWith('.')) key = `.${word}`
      at = Math.max(end, at + 1)
    } else if (code === PARENTHESIS || code === BRACKET) {
      const end = css.indexOf(code === BRACKET ? ']' : ')', at)
      for (const [, word = ''] of css.slice(at, end === -1 ? to : end).matchAll(/[.#]([\w-]+)/g)) onWord(word)
      at = end === -1 ? to : end + 1
    } else if (code <= 32 || code === GREATER || code === PLUS || code === TILDE) {
      if (!isBlankToComma(css, at, to)) key = ''
      at++
    } else if (code === COLON) at = insideScope(css, at) ?? Math.max(endOfName(css, at + 1, to), at + 1)
    else {
      const end = endOfName(css, at, to)
      if (key === '' && end > at) key = css.slice(at, end).toLowerCase()
      at = Math.max(end, at + 1)
    }
  }
  onSubject(key === '' ? '*' : key)
}

/** Where the names in a `:where(…)` or `:is(…)` at `at` begin; null for one that is not judged by them. */
function insideScope(css: string, at: number): number | null {
  SCOPED_HERE.lastIndex = at
  const opening = SCOPED_HERE.exec(css)?.[1]
  return opening === undefined ? null : at + opening.length
}

const COMMA = 44
const COLON = 58
const PARENTHESIS = 40
const BRACKET = 91

/** Only white space is left of the selector. */
function isBlankToComma(css: string, from: number, to: number): boolean {
  let at = from
  while (at < to && css.charCodeAt(at) <= 32) at++
  return at === to || css.charCodeAt(at) === COMMA
}

const unescaped = (name: string): string => (name.includes('\\') ? name.replace(/\\(.)/g, '$1') : name)
