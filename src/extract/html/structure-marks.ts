// What the markup says about structure that text alone does not show: numbers of list items, what is a heading by its
// role alone, tables, the language of code, questions and their answers. Gathered while the parser runs, about elements
// that are kept.
import type { HtmlElement } from './element-tree.ts'
import { createTableMarks } from './table-marks.ts'
import { type TagAttributes, wholeNumber } from './tag-attributes.ts'

interface OrderedList {
  next: number
  readonly step: 1 | -1
  items: number
  /** Its last item is the first: what is printed is known when all its items are. */
  endsAtOne: boolean
}

interface ItemNumber {
  readonly number: number
  /** The list whose items are still to be added. */
  readonly countdown: OrderedList | null
}

const LONGEST_LANGUAGE = 30
const QUESTION_TYPE = /schema\.org\/Question\b/u
const ANSWER_TYPE = /schema\.org\/Answer\b/u
/** The level of a heading by role that names none (WAI-ARIA 1.2). */
const UNSAID_LEVEL = 2
const DEEPEST_LEVEL = 6

/** Gathers the marks of one page. */
export function createStructureMarks() {
  const lists = new Map<HtmlElement, OrderedList>()
  const numbers = new Map<HtmlElement, ItemNumber>()
  const levels = new Map<HtmlElement, number>()
  const tables = createTableMarks()
  const languages = new Map<HtmlElement, string>()
  const parts = new Map<HtmlElement, 'question' | 'answer'>()

  function openList(element: HtmlElement, { start, reversed }: TagAttributes): void {
    const first = wholeNumber(start)
    const isReversed = reversed !== undefined
    const endsAtOne = isReversed && first === null
    lists.set(element, {
      next: first ?? (isReversed ? 0 : 1),
      step: isReversed ? -1 : 1,
      items: 0,
      endsAtOne,
    })
  }

  function openItem(element: HtmlElement, { value }: TagAttributes): void {
    const list = element.parent === null ? undefined : lists.get(element.parent)
    if (list === undefined) return
    list.items++
    const own = wholeNumber(value)
    if (own !== null) list.endsAtOne = false
    const number = own ?? list.next
    numbers.set(element, { number, countdown: list.endsAtOne ? list : null })
    list.next = number + list.step
  }

  return {
    /** What is printed before an item of an ordered list, else null. Known when the whole list is read. */
    numberOf(element: HtmlElement): number | null {
      const known = numbers.get(element)
      return known === undefined ? null : known.number + (known.countdown?.items ?? 0)
    },
    /** Of headings by role. */
    levels: levels as ReadonlyMap<HtmlElement, number>,
    tables: tables.tables,
    tablePartOf: tables.partOf,
    tableNameOf: tables.nameOf,
    /** Languages that attributes name; class names are read where code stands. */
    languages: languages as ReadonlyMap<HtmlElement, string>,
    parts: parts as ReadonlyMap<HtmlElement, 'question' | 'answer'>,

    /** Takes note of an element that opens. */
    open(element: HtmlElement, attributes: TagAttributes): void {
      const { name } = element
      if (name === 'li') openItem(element, attributes)
      else if (name === 'ol') openList(element, attributes)
      tables.open(element, attributes)
      if (attributes.role === 'heading')
        levels.set(element, Math.min(DEEPEST_LEVEL, wholeNumber(attributes['aria-level']) || UNSAID_LEVEL))
      const language =
        attributes['data-lang'] ??
        attributes['data-language'] ??
        attributes['data-enlighter-language'] ??
        attributes.language
      if (language !== undefined) languages.set(element, language.slice(0, LONGEST_LANGUAGE))
      const type = attributes.itemtype
      if (type === undefined) return
      if (QUESTION_TYPE.test(type)) parts.set(element, 'question')
      else if (ANSWER_TYPE.test(type)) parts.set(element, 'answer')
    },
  }
}

export type StructureMarks = ReturnType<typeof createStructureMarks>
