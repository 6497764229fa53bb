// HTML to runs of text, in one pass of a SAX parser: what would stand on a line of its own, and where in the tree.
import { type Collector, createCollector, type HtmlRuns, isInFormula } from './collector/collector.ts'
import { closeElement, openElement } from './collector/follow-elements.ts'
import { isPermalink } from './collector/permalinks.ts'
import { appendLines } from './collector/kept-lines.ts'
import { TRAIT } from './elements.ts'
import { isLineNumber } from './collector/line-numbers.ts'
import { createElementVisibility } from './visibility/element-visibility.ts'
import { NOTHING_REVEALED, type Revealed } from './visibility/hidden-prose.ts'
import { decodeText, readTags, type MarkupSyntax } from './tag-stream.ts'
import { tokenText } from './math-text.ts'
import { appendFlowingText, appendText, endRun } from './text-runs.ts'
import { createTimeSlice } from '../yield-thread.ts'

const MOST_BLOCKS = 20_000
const MOST_TEXT_CHARACTERS = 1_000_000
const MOST_HTML_CHARACTERS = 12_000_000
/** Parsed between two looks at the clock. Small, because htmlparser2's own stack makes deep nesting quadratic. */
const CHUNK_CHARACTERS = 32_768
/** What is nested deeper is not read; what was read so far is kept. */
const DEEPEST_PARSE = 200_000

/** Shown, but character references in them are text like any other. */
const RAW_TEXT: ReadonlySet<string> = new Set(['xmp', 'plaintext'])

/**
 * Parses a page of any size and shape. Reads at most 12 million characters, 20 000 runs and a million characters of
 * text, in elements nested up to 200 000 deep; nesting below 512 is flattened. Never throws but for `signal`.
 */
export async function collectRuns(
  html: string,
  signal: AbortSignal,
  syntax: MarkupSyntax = 'html',
): Promise<HtmlRuns> {
  const first = await collectOnce(html, NOTHING_REVEALED, signal, syntax)
  const revealed = first.hidden.worthRevealing(first.runs)
  return revealed === NOTHING_REVEALED ? first : collectOnce(html, revealed, signal, syntax)
}

async function collectOnce(
  html: string,
  revealed: Revealed,
  signal: AbortSignal,
  syntax: MarkupSyntax,
): Promise<Collector> {
  const readable = html.length > MOST_HTML_CHARACTERS ? html.slice(0, MOST_HTML_CHARACTERS) : html
  const collector = createCollector(createElementVisibility(readable, revealed.faded), revealed)
  const read = await readTags(
    readable,
    {
      open: (name, attributes) => openElement(collector, name, attributes),
      text: (markup) => addText(collector, markup),
      close: (name) => closeElement(collector, name),
    },
    {
      pieceCharacters: CHUNK_CHARACTERS,
      isEnough: () => isFull(collector),
      pause: createTimeSlice(signal),
      syntax,
    },
  )
  collector.cut = read < html.length
  endRun(collector)
  putSegmentsInPlace(collector)
  return collector
}

const isFull = (collector: Collector): boolean =>
  collector.runs.length >= MOST_BLOCKS ||
  collector.characters + collector.run.length >= MOST_TEXT_CHARACTERS ||
  collector.parseDepth >= DEEPEST_PARSE

function addText(collector: Collector, markup: string): void {
  if (collector.unshown > 0) {
    collector.head.text(markup)
    collector.hidden.text(markup)
    return
  }
  if (collector.current.style.isConcealed) {
    if (collector.current.style.isInvisible) collector.hidden.fadedText(markup)
    return
  }
  if (collector.shadowRoots.isUnslotted(collector.current)) return
  const text = RAW_TEXT.has(collector.current.name) ? markup : decodeText(markup)
  if (isLineNumber(collector, text) || isPermalink(collector, text)) return
  if (isInFormula(collector)) appendFlowingText(collector, tokenText(text))
  else if (collector.preformatted > 0) appendText(collector, text.replace(/\r\n?/g, '\n'))
  else if ((collector.current.traits & TRAIT.keepsLines) !== 0) appendLines(collector, text)
  else appendFlowingText(collector, text)
}

/** Runs of streamed segments go where a person reads them. */
function putSegmentsInPlace(collector: Collector): void {
  const order = collector.segments.order(collector.runs.length)
  if (order === null) return
  const { runs } = collector
  const place = new Map(order.map((run, index) => [run, index]))
  collector.runs = order.flatMap((run) => runs[run] ?? [])
  collector.dates.reorder((run) => place.get(run) ?? run)
}
