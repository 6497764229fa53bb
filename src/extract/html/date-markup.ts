// Dates the markup points at: `<time>`, microdata, `data-…` attributes, and class names that announce a date in the
// text.
import { ASIDE_FAMILIES, NAME_CUE } from './names/class-families.ts'
import { LANDMARK_BIT } from './elements.ts'
import { type HtmlElement, isInside } from './element-tree.ts'
import type { TagAttributes } from './tag-attributes.ts'

/** What the elements around a text say about a date in it, as bits of `HtmlRun.dateCues`. */
export const DATE_CUE = { published: 1, modified: 2, timeElement: 4, dateClass: 8, bylineClass: 16 } as const

export interface DateMark {
  kind: 'published' | 'modified' | 'any'
  value: string
  from: 'property' | 'time-element' | 'data-attribute'
  /** Index of the run that follows. */
  runIndex: number
  readonly element: HtmlElement
}

const MOST_MARKS = 500
const LONGEST_VALUE = 100
const DATA_ATTRIBUTES = [
  'data-datetime',
  'data-date',
  'data-published',
  'data-published-date',
  'data-timestamp',
] as const

/** Gathers date marks while the parser runs. */
export function createDateMarks() {
  const marks: DateMark[] = []
  let cues = 0

  function mark(
    kind: DateMark['kind'],
    value: string | undefined,
    from: DateMark['from'],
    at: number,
    element: HtmlElement,
  ) {
    if (value === undefined || value === '' || marks.length >= MOST_MARKS) return false
    marks.push({ kind, value: value.slice(0, LONGEST_VALUE), from, runIndex: at, element })
    return true
  }

  return {
    marks: marks as readonly DateMark[],

    /**
     * Takes note of an element that opens before the run `runIndex`. `names` is what its class and id say, as
     * `readNames` gives it.
     */
    open(element: HtmlElement, attributes: TagAttributes, names: number, runIndex: number): void {
      const hasDateName = (names & NAME_CUE.date) !== 0
      const property = attributes.itemprop ?? attributes.property
      if (property !== undefined) {
        const kind = propertyKind(property)
        if (kind !== null) {
          const value = attributes.datetime ?? attributes.content ?? attributes.title
          if (!mark(kind, value, 'property', runIndex, element)) cues |= DATE_CUE[kind]
          return
        }
      }
      if (element.name === 'time' || (element.name === 'abbr' && hasDateName)) {
        const kind = attributes.pubdate === undefined ? classKind(names) : 'published'
        const value = attributes.datetime ?? attributes.title
        if (!mark(kind, value, 'time-element', runIndex, element) && element.name === 'time')
          cues |= DATE_CUE.timeElement
      } else if (hasDateName) markData(attributes, runIndex, element)
      if (hasDateName) cues |= DATE_CUE.dateClass
      if ((names & NAME_CUE.byline) !== 0) cues |= DATE_CUE.bylineClass
    },

    /** A block of text ended: what its elements announced does not hold for the next one. */
    endOfBlock(): void {
      cues = 0
    },

    cues: () => cues,

    /** The runs were put in another order: `placeOf` tells where each is now. */
    reorder(placeOf: (run: number) => number): void {
      for (const found of marks) found.runIndex = placeOf(found.runIndex)
    },
  }

  function markData(attributes: TagAttributes, runIndex: number, element: HtmlElement): void {
    for (const name of DATA_ATTRIBUTES) {
      const value = attributes[name]
      if (value === undefined) continue
      mark('any', value, 'data-attribute', runIndex, element)
      return
    }
  }
}

export type DateMarks = ReturnType<typeof createDateMarks>

/** Microdata's names, and those of Dublin Core that RDFa uses. */
function propertyKind(property: string): 'published' | 'modified' | null {
  if (/datepublished|datecreated|\bdc(?:terms)?:(?:date|created|issued)\b/i.test(property)) return 'published'
  return /datemodified|\bdc(?:terms)?:modified\b/i.test(property) ? 'modified' : null
}

function classKind(names: number): DateMark['kind'] {
  if ((names & NAME_CUE.modified) !== 0) return 'modified'
  return (names & NAME_CUE.published) !== 0 ? 'published' : 'any'
}

/**
 * True when the element lies in a sidebar, a comment or a list of other pages. What holds the page's heading, too, is
 * none of these, however it is called; nor is what holds nothing but the date.
 */
export function isAside(element: HtmlElement, heading: HtmlElement | null): boolean {
  for (let at = element.parent; at !== null; at = at.parent) {
    if (heading !== null && isInside(heading, at)) return false
    if ((at.families & ASIDE_FAMILIES) !== 0 && at.name !== 'body' && at.name !== 'html') return true
  }
  return false
}

/** True when the element lies in a page footer; an article's own is none. */
export function isInFooter(element: HtmlElement): boolean {
  let isInAny = false
  for (let at: HtmlElement | null = element; at !== null; at = at.parent) {
    if (isInAny && (at.landmarks & LANDMARK_BIT.article) !== 0) return false
    isInAny ||= (at.landmarks & LANDMARK_BIT.footer) !== 0
  }
  return isInAny
}
