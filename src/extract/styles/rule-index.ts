// The rules of a page by what their subjects must have, read only when an element comes that they may select.
import { mayConceal } from './concealment.ts'
import { type Declaration, SOME_DISPLAY } from './declarations.ts'
import { findHidingRules, rulesAt } from './hiding-values.ts'
import { parseSelectors } from './parse-selectors.ts'
import { type Selector, type StyledElement, type SubjectKey, subjectKeyOf } from './selectors.ts'
import { declarationsOf, type StyleRule } from './style-sheet.ts'
import { surveySelectors } from './survey-selectors.ts'

/** A selector of a rule with what the rule says. */
export interface Candidate {
  readonly selector: Selector
  readonly declarations: readonly Declaration[]
  /** The rank of the layer that its rule stands in. */
  readonly layer: number
  /** Where its rule stands: of two that weigh the same the later one counts. */
  readonly order: number
}

/** A rule, read when an element first comes that it may select. */
interface IndexedRule {
  readonly rule: StyleRule
  readonly order: number
  byKey: ReadonlyMap<SubjectKey, readonly Candidate[]> | null
}

export interface RuleIndex {
  readonly isEmpty: boolean
  /** Leaves of a `class` attribute the words that rules speak of, in one order. */
  spokenOf(classes: string): string
  isSpokenOf(id: string): boolean
  /** Lists of those whose subject the element itself may be. */
  candidatesFor(element: StyledElement): (readonly Candidate[])[]
}

/**
 * Rules by what their subjects must have, and the classes and ids that any of them speaks of. `orders`: the rules'
 * places.
 */
export function createRuleIndex(rules: readonly StyleRule[], orders: Iterable<number>): RuleIndex {
  const unread = new Map<SubjectKey, IndexedRule[]>()
  const byKey = new Map<SubjectKey, readonly Candidate[]>()
  const words = new Set<string>()
  const onWord = (word: string): void => void words.add(word)
  for (const order of orders) {
    const rule = rules[order]
    if (rule === undefined) continue
    const indexed: IndexedRule = { rule, order, byKey: null }
    const onSubject = (key: SubjectKey): void => put(unread, key, indexed)
    surveySelectors(rule.css, rule.preludeStart, rule.preludeEnd, { onSubject, onWord })
  }

  function candidatesOfKey(key: SubjectKey): readonly Candidate[] {
    let found = byKey.get(key)
    if (found === undefined) {
      found = (unread.get(key) ?? []).flatMap((indexed) => {
        indexed.byKey ??= candidatesOf(indexed.rule, indexed.order)
        return indexed.byKey.get(key) ?? []
      })
      byKey.set(key, found)
    }
    return found
  }

  return {
    isEmpty: unread.size === 0,
    spokenOf: createClassFilter(words),
    isSpokenOf: (id) => words.has(id),
    candidatesFor(element) {
      const keys = [element.name, '*']
      if (element.id !== '') keys.push(`#${element.id}`)
      if (element.classes !== '')
        for (const word of new Set(element.classes.split(/\s+/))) keys.push(`.${word}`)
      return keys.map(candidatesOfKey)
    },
  }
}

/**
 * Places of the rules that may hide an element, and of those and others that tell whether it has a box, and of which
 * kind.
 */
export function findTellingRules(rules: readonly StyleRule[]): {
  telling: ReadonlySet<number>
  hiding: ReadonlySet<number>
} {
  const bySheet = new Map<string, number[]>()
  for (const [order, { css }] of rules.entries()) {
    const orders = bySheet.get(css)
    if (orders === undefined) bySheet.set(css, [order])
    else orders.push(order)
  }
  const hiding = new Set<number>()
  const telling = new Set<number>()
  for (const [css, orders] of bySheet) {
    findHidingRules(css, orders, rules, hiding)
    for (const name of ['display', 'visibility'])
      for (const order of rulesAt(css, name, orders, rules)) telling.add(order)
    for (const order of rulesAt(css, 'white-space', orders, rules))
      if (keepsLines(rules[order])) telling.add(order)
  }
  for (const order of hiding) telling.add(order)
  return { telling, hiding }
}

const KEEPS_LINES = /white-space(?:-collapse)?\s*:\s*(?:pre|break-spaces)/i

/** Most rules of `white-space` only keep a line from being broken. */
const keepsLines = (rule: StyleRule | undefined): boolean =>
  rule !== undefined && KEEPS_LINES.test(rule.css.slice(rule.blockStart, rule.blockEnd))

/** The selectors of a rule by their subjects' keys, with what of its declarations counts for each. */
function candidatesOf(rule: StyleRule, order: number): ReadonlyMap<SubjectKey, readonly Candidate[]> {
  const byKey = new Map<SubjectKey, Candidate[]>()
  const worthReading = declarationsOf(rule)
  if (worthReading.length === 0) return byKey
  const worthWhenUncertain = worthReading
    .filter((found) => !mayConceal(found) && found.property !== 'white-space')
    .map((found) => (found.value === 'inline' ? withoutLayout(found) : found))
  const worthWhenVague = worthWhenUncertain.map(withoutLayout)
  for (const selector of parseSelectors(rule.css.slice(rule.preludeStart, rule.preludeEnd))) {
    const isCertain = rule.isCertain && !selector.isUncertain
    const worth = isCertain ? worthReading : worthWhenUncertain
    const declarations = selector.isVague ? worthWhenVague : worth
    if (declarations.length === 0) continue
    const key = subjectKeyOf(selector)
    const candidate = { selector, declarations, layer: rule.layer.rank, order }
    const list = byKey.get(key)
    if (list === undefined) byKey.set(key, [candidate])
    else list.push(candidate)
  }
  return byKey
}

/** What shows a few elements somewhere may show any, but it neither breaks nor joins lines all over the page. */
const withoutLayout = (found: Declaration): Declaration =>
  found.property === 'display' ? { ...found, value: SOME_DISPLAY } : found

/** Returns a function that leaves of a `class` attribute the words that are in `classes`, in one order. */
function createClassFilter(classes: ReadonlySet<string>): (attribute: string) => string {
  const known = new Map<string, string>([['', '']])
  return (attribute) => {
    let left = known.get(attribute)
    if (left === undefined) {
      const words = new Set(attribute.split(/\s+/).filter((word) => classes.has(word)))
      left = [...words].toSorted().join(' ')
      known.set(attribute, left)
    }
    return left
  }
}

function put(map: Map<SubjectKey, IndexedRule[]>, key: SubjectKey, rule: IndexedRule): void {
  const list = map.get(key)
  if (list === undefined) map.set(key, [rule])
  else if (list.at(-1) !== rule) list.push(rule)
}
