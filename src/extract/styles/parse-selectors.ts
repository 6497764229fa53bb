// Reads CSS selectors of types, classes and ids; what narrows one otherwise is counted and not looked at.
import {
  DOT,
  endOfName,
  escapesApart,
  GREATER,
  HASH,
  nameOf,
  PLUS,
  STAR,
  TILDE,
} from './selector-characters.ts'
import type { Compound, Selector } from './selectors.ts'

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
/** What narrows a selector without being looked at. */
const UNJUDGED = /\[[^\]]*\]|:[a-z-]+(?:\((?:[^()]|\([^()]*\))*\))?/g
const BEGINS_COMPOUND = /(?:^|[\s>+~])$/
const NAME_AT_MOST = /(?:^|[\s>+~])[\w-]*$/

const ID_COUNTS = 10_000
const CLASS_COUNTS = 100

/** The selectors of a rule, as far as they can select something. */
export function parseSelectors(prelude: string): Selector[] {
  return selectorsIn(prelude).flatMap((text) => parseSelector(text) ?? [])
}

function selectorsIn(prelude: string): string[] {
  const text = escapesApart(prelude.slice(0, LONGEST_PRELUDE))
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
  let isVague = false
  const judged = scoped.replace(UNJUDGED, (part, at: number) => {
    unjudged++
    isVague ||= /[[(]/.test(part) && isAllThatNarrows(scoped, at, at + part.length)
    return BEGINS_COMPOUND.test(scoped.slice(0, at)) ? '*' : ''
  })
  const selector = parseJudged(judged, unjudged)
  if (selector === null) return null
  const specificity = selector.specificity - weightless
  return { ...selector, isVague: isVague || selector.isVague, specificity }
}

/** Whether the compound around the part from `from` to `to` has neither a class nor an id. */
const isAllThatNarrows = (text: string, from: number, to: number): boolean =>
  NAME_AT_MOST.test(text.slice(0, from)) && !/[.#]/.test(text[to] ?? '')

const weightOf = (names: string): number =>
  (names.match(/\./g)?.length ?? 0) * CLASS_COUNTS + (names.match(/#/g)?.length ?? 0) * ID_COUNTS

/** Reads a selector of types, classes, ids and combinators, character by character: there may be thousands. */
function parseJudged(text: string, unjudged: number): Selector | null {
  const units: Compound[][] = []
  let combinator = ' '
  let isUncertain = unjudged > 0
  let isVague = false
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
      isVague ||= compound.id === '' && compound.classes.length === 0
      unit[0] = compound
    }
    combinator = ' '
    at = end
  }
  return units.length === 0 ? null : { units, specificity, isUncertain, isVague }
}

function endOfCompound(text: string, from: number): number {
  let at = from
  while (at < text.length) {
    const code = text.charCodeAt(at)
    if (code <= 32 || code === GREATER || code === PLUS || code === TILDE) break
    at++
  }
  return at
}

function parseCompound(text: string, from: number, to: number): Compound | null {
  let name = ''
  let id = ''
  const classes: string[] = []
  for (let at = from; at < to;) {
    const code = text.charCodeAt(at)
    const begin = code === DOT || code === HASH || code === STAR ? at + 1 : at
    const end = code === STAR ? begin : endOfName(text, begin, to)
    if (end === begin && code !== STAR) return null
    const word = nameOf(text.slice(begin, end))
    if (code === DOT) classes.push(word)
    else if (code === HASH) id = word
    else if (at === from) name = word.toLowerCase()
    else return null
    at = end
  }
  return { name, id, classes }
}

const specificityOf = ({ name, id, classes }: Compound): number =>
  (id === '' ? 0 : ID_COUNTS) + classes.length * CLASS_COUNTS + (name === '' ? 0 : 1)
