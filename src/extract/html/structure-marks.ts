// What the markup says about structure that text alone does not show: numbers of list items, tables, the language of
// code, questions and their answers. Gathered while the parser runs, about elements that are kept.
import type { HtmlElement } from './element-tree.ts'
import { createTableMarks } from './table-marks.ts'
import { type TagAttributes, wholeNumber } from './tag-attributes.ts'

/** Of an ordered list. */
interface OrderedList {
  next: number
}

const LONGEST_LANGUAGE = 30
const QUESTION_TYPE = /schema\.org\/Question\b/u
const ANSWER_TYPE = /schema\.org\/Answer\b/u

/** Gathers the marks of one page. */
export function createStructureMarks() {
  const lists = new Map<HtmlElement, OrderedList>()
  const numbers = new Map<HtmlElement, number>()
  const tables = createTableMarks()
  const languages = new Map<HtmlElement, string>()
  const parts = new Map<HtmlElement, 'question' | 'answer'>()

  function openItem(element: HtmlElement, { value }: TagAttributes): void {
    const list = element.parent === null ? undefined : lists.get(element.parent)
    if (list === undefined) return
    const number = wholeNumber(value) ?? list.next
    numbers.set(element, number)
    list.next = number + 1
  }

  return {
    /** What is printed before the items of ordered lists. */
    numbers: numbers as ReadonlyMap<HtmlElement, number>,
    tables: tables.tables,
    /** Languages that attributes name; class names are read where code stands. */
    languages: languages as ReadonlyMap<HtmlElement, string>,
    parts: parts as ReadonlyMap<HtmlElement, 'question' | 'answer'>,

    /** Takes note of an element that opens. */
    open(element: HtmlElement, attributes: TagAttributes): void {
      const { name } = element
      if (name === 'li') openItem(element, attributes)
      else if (name === 'ol') lists.set(element, { next: wholeNumber(attributes.start) ?? 1 })
      else tables.open(element, attributes)
      const language = attributes['data-lang'] ?? attributes['data-language']
      if (language !== undefined) languages.set(element, language.slice(0, LONGEST_LANGUAGE))
      const type = attributes.itemtype
      if (type === undefined) return
      if (QUESTION_TYPE.test(type)) parts.set(element, 'question')
      else if (ANSWER_TYPE.test(type)) parts.set(element, 'answer')
    },
  }
}

export type StructureMarks = ReturnType<typeof createStructureMarks>
