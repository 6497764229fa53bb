// An HTML page, static or as the browser left it, to text and weighed blocks.
// The recipe alone: parse, weigh, outline, write out. Each step is a module of its own.
import { baseAddress } from '../base-address.ts'
import { createFeatureReader } from '../classify/block-features.ts'
import { createOutline } from '../classify/block-outline.ts'
import { loadContentClassifier } from '../classify/content-classifier.ts'
import { createCellReader } from '../classify/table-cells.ts'
import { chooseHtmlDates } from '../dates/choose-dates.ts'
import type { Block, Link, PageText, TableCell } from '../document.ts'
import { embeddedTexts } from './data/embedded-text.ts'
import { hasLandmark } from '../html/element-tree.ts'
import { LANDMARK_BIT } from '../html/elements.ts'
import type { HtmlRuns } from '../html/collector/collector.ts'
import { collectRuns } from '../html/parse-html.ts'
import type { HtmlRun } from '../html/text-runs.ts'
import { detectLanguage } from '../language.ts'
import type { TextInput } from '../page-input.ts'
import { measureRuns } from '../classify/run-statistics.ts'
import { createTimeSlice } from '../yield-thread.ts'
import { chooseTitle } from '../html/title/choose-title.ts'

/** Loaded once: a constant of the program, like its code. */
const weigh = loadContentClassifier()
const RUNS_BETWEEN_PAUSES = 64
/** Letters and digits; a page that shows less shows nothing. */
const LEAST_PROSE = 200
/** With links and all: one that shows so much may be a list of pages. */
const LEAST_TEXT = 1_000
const LONGEST_TABLE_HEADING = 200

/** Reads HTML of any size and shape; see `collectRuns` for the limits. Throws only the reason of `signal`. */
export async function readHtml(input: TextInput, signal: AbortSignal): Promise<PageText> {
  const syntax = input.mediaType.includes('xhtml') ? 'xhtml' : 'html'
  const shown = await collectRuns(input.content, signal, syntax)
  const said = await readEmbedded(shown, signal)
  const page =
    said === null ? shown : { ...shown, runs: said.runs, root: said.root, structure: said.structure }
  const weights = await weighRuns(page, signal)
  const { text, blocks } = writeOut(page, weights)
  const dates = chooseHtmlDates(shown, input)
  return {
    title: chooseTitle(shown, input.url),
    text,
    blocks,
    isCut: shown.cut || said?.cut === true,
    isFromData: said !== null,
    baseUrl: baseAddress(shown.head.baseTarget(), input.url),
    publishDate: dates.published,
    lastUpdated: dates.updated,
    ...(dates.others.length === 0 ? {} : { otherDates: dates.others }),
    language: detectLanguage({
      attribute: page.head.language(),
      header: input.contentLanguage,
      text,
      blocks,
    }),
  }
}

/** What the page says in data for machines, when it shows nothing, else null. */
async function readEmbedded(shown: HtmlRuns, signal: AbortSignal): Promise<HtmlRuns | null> {
  if (!showsNothing(shown)) return null
  for (const { html, isCut } of embeddedTexts(shown.head)) {
    const said = html === '' ? null : await collectRuns(html, signal)
    if (said !== null && proseOf(said, LEAST_PROSE) >= LEAST_PROSE) return { ...said, cut: said.cut || isCut }
  }
  return null
}

/** Nothing at all, or nothing but links and a frame around what is not there. */
function showsNothing(shown: HtmlRuns): boolean {
  if (proseOf(shown, LEAST_TEXT) >= LEAST_TEXT) return false
  const content = shown.runs.filter(
    ({ text, linkCharacters, element }) =>
      linkCharacters * 2 < text.length && !hasLandmark(element, BESIDE_CONTENT),
  )
  return proseOf({ runs: content }, LEAST_PROSE) < LEAST_PROSE
}

const BESIDE_CONTENT = LANDMARK_BIT.nav | LANDMARK_BIT.header | LANDMARK_BIT.footer

/** Letters and digits of the runs, counted up to `most` or a little more. */
function proseOf({ runs }: Pick<HtmlRuns, 'runs'>, most: number): number {
  let prose = 0
  for (const { text } of runs) {
    prose += text.match(/[\p{L}\p{N}]/gu)?.length ?? 0
    if (prose >= most) break
  }
  return prose
}

/** The content probability of every run that can be read, 0 for the others. */
async function weighRuns(page: HtmlRuns, signal: AbortSignal): Promise<Float64Array> {
  const pause = createTimeSlice(signal)
  const weights = new Float64Array(page.runs.length)
  const readable = [...page.runs.keys()].filter((index) => page.runs[index]?.readable)
  const measured = measureRuns(page.runs.filter((run) => run.readable))
  const readFeatures = createFeatureReader(measured, page.root, page.head.title())
  for (const [position, index] of readable.entries()) {
    weights[index] = weigh(readFeatures(position))
    if (position % RUNS_BETWEEN_PAUSES === 0) await pause()
  }
  return weights
}

/** Joins the runs with the white space `innerText` puts between them. */
function writeOut(page: HtmlRuns, weights: Float64Array): { text: string; blocks: Block[] } {
  const parts: string[] = []
  const blocks: Block[] = []
  const outline = createOutline(page.structure)
  const cellsOf = createCellReader(page.runs, page.structure)
  let at = 0
  for (let index = 0; index < page.runs.length; index++) {
    const run = page.runs[index]
    if (run === undefined) continue
    const { text, separator } = run
    parts.push(separator, text)
    const start = at + separator.length
    at = start + text.length
    if (!run.readable) continue
    const outlined = outline(run)
    const table = run.cellParts.length === 0 ? undefined : cellsOf(run, start)
    blocks.push({
      ...outlined,
      headings: headingsWith(outlined.headings, table?.cells ?? []),
      start,
      end: at,
      contentWeight: weights[index] ?? 0,
      ...(table === undefined ? {} : { table }),
      ...(run.linkParts.length === 0 ? {} : { links: linksOf(run, start) }),
    })
  }
  return { text: parts.join(''), blocks }
}

/** What the cells of a row are headed by stands above them like a heading; not what stands in the row itself. */
function headingsWith(headings: readonly string[], cells: readonly TableCell[]): readonly string[] {
  if (cells.every(({ isHeader }) => isHeader)) return headings
  const headers = new Set<string>()
  const beginsRow = cells.some(({ column }) => column === 0)
  for (const { rowHeaders, columnHeaders } of cells) {
    if (!beginsRow) for (const header of rowHeaders) headers.add(header)
    for (const header of columnHeaders) headers.add(header)
  }
  if (headers.size === 0) return headings
  return [...headings, [...headers].join(' ').slice(0, LONGEST_TABLE_HEADING)]
}

const linksOf = ({ linkParts }: HtmlRun, at: number): Link[] =>
  linkParts.map(({ owner, start, end }) => ({ start: at + start, end: at + end, target: owner.target }))
