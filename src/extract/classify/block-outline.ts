// Where a run of text stands in the page: what kind of block it is, the headings above it.
import type { Block } from '../document.ts'
import { type HtmlElement, isInside, sharedAncestor } from '../html/element-tree.ts'
import type { StructureMarks } from '../html/structure-marks.ts'
import type { HtmlRun } from '../html/text-runs.ts'
import { codeLanguage } from './code-language.ts'
import { createPlaces, type ElementPlace } from './element-place.ts'
import { isBlockElement } from './run-statistics.ts'

const LONGEST_HEADING = 200
const DEEPEST_LEVEL = 6
const ASKS = /[?？؟]\s*$/u

/** What is known of a block by its place. */
export type OutlinedBlock = Omit<Block, 'start' | 'end' | 'contentWeight' | 'links' | 'table'>

interface OpenHeading {
  level: number
  text: string
  scope: HtmlElement | null
}

/**
 * Returns a function that tells kind, headings and structure of each run. Runs must be given in the order of the page.
 */
export function createOutline(marks: StructureMarks): (run: HtmlRun) => OutlinedBlock {
  let open: OpenHeading[] = []
  let headings: readonly string[] = []
  const placeOf = createPlaces(marks)
  const codes = new Map<HtmlElement, number>()

  function openHeading(run: HtmlRun, level: number): OutlinedBlock {
    open = open.filter((heading) => heading.level < level)
    const above = open.map(({ text }) => text)
    const text = run.text.replace(/\s+/g, ' ').slice(0, LONGEST_HEADING)
    const isSummary = level > DEEPEST_LEVEL
    const shownLevel = isSummary ? Math.min(DEEPEST_LEVEL, (open.at(-1)?.level ?? 1) + 1) : level
    open.push({ level, text, scope: scopeOf(run.element, level) })
    headings = [...above, text]
    return {
      kind: 'heading',
      headings: above,
      level: shownLevel,
      ...(ASKS.test(text) ? { part: 'question' } : {}),
    }
  }

  /** A page's h1 holds to its end. */
  const scopeOf = (element: HtmlElement, level: number): HtmlElement | null =>
    level === 1 || element.parent === null ? null : placeOf(element.parent).headingScope

  function closeHeadings(element: HtmlElement): void {
    if (open.every(({ scope }) => scope === null || isInside(element, scope))) return
    open = open.filter(({ scope }) => scope === null || isInside(element, scope))
    headings = open.map(({ text }) => text)
  }

  function codeOf({ element }: HtmlRun, { preformatted }: ElementPlace): Pick<Block, 'code'> {
    if (preformatted === null) return {}
    const number = codes.get(preformatted) ?? codes.size
    codes.set(preformatted, number)
    return { code: { number, language: codeLanguage(element, preformatted, marks.languages) } }
  }

  function partOf({ part }: ElementPlace): Pick<Block, 'part'> {
    if (part !== null) return { part }
    return ASKS.test(open.at(-1)?.text ?? '') ? { part: 'answer' } : {}
  }

  let last: HtmlElement | null = null

  function endedBefore({ element }: HtmlRun): number {
    const ended = last === null ? 0 : endedBetween(last, element)
    last = element
    return ended
  }

  return (run) => {
    closeHeadings(run.element)
    const place = placeOf(run.element)
    const around = { ended: endedBefore(run), ...aroundOf(place) }
    if (place.level > 0) return { ...openHeading(run, place.level), ...around }
    const shared = { ...around, ...partOf(place) }
    const isCode = run.preformatted && place.preformatted !== null
    if (isCode) return { kind: 'code', headings, ...shared, ...codeOf(run, place) }
    // A table of one column is layout.
    if (place.row !== null && place.row.cells > 1) return { kind: 'table', headings, ...shared }
    return { kind: run.preformatted ? 'code' : (place.kind ?? 'paragraph'), headings, ...shared }
  }
}

/** Elements laid out as blocks that hold `left` and not `right`, which comes after it. */
function endedBetween(left: HtmlElement, right: HtmlElement): number {
  const shared = sharedAncestor(left, right)
  let ended = 0
  for (let at = left; at !== shared && at.parent !== null; at = at.parent) if (isBlockElement(at)) ended++
  return ended
}

const aroundOf = ({ item, quoteDepth }: ElementPlace): Pick<Block, 'item' | 'quoteDepth'> => ({
  ...(item === null ? {} : { item }),
  ...(quoteDepth === 0 ? {} : { quoteDepth }),
})
