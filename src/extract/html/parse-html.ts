// HTML to runs of text, in one pass of a SAX parser: what would stand on a line of its own, and where in the tree.
import { createClassReader, familiesOf, type KnownClass, NAME_CUE, readNames } from './class-families.ts'
import { isConcealed } from './hidden-elements.ts'
import type { DateMarks } from './date-markup.ts'
import { type ElementPattern, type HtmlElement, newElement } from './element-tree.ts'
import { decodeText, readTags } from './tag-stream.ts'
import { createPageHead, type PageHead } from './page-head.ts'
import { landmarksOf, TRAIT, traitsOf } from './elements.ts'
import {
  appendFlowingText,
  appendText,
  breakAt,
  breakLine,
  createRunWriter,
  endRun,
  type HtmlRun,
  openCell,
  type RunWriter,
} from './text-runs.ts'
import type { TagAttributes } from './tag-attributes.ts'
import { createTimeSlice } from '../yield-thread.ts'

/** Chromium, too, hangs nothing deeper than this. */
const DEEPEST_ELEMENT = 512
const MOST_BLOCKS = 20_000
const MOST_TEXT_CHARACTERS = 1_000_000
const MOST_HTML_CHARACTERS = 12_000_000
/** Parsed between two looks at the clock. Small, because htmlparser2's own stack makes deep nesting quadratic. */
const CHUNK_CHARACTERS = 32_768
/** Above this htmlparser2's stack costs more than the page is worth; what was read so far is kept. */
const DEEPEST_PARSE = 20_000

/** Shown, but character references in them are text like any other. */
const RAW_TEXT: ReadonlySet<string> = new Set(['xmp', 'plaintext'])

export interface HtmlRuns {
  runs: HtmlRun[]
  root: HtmlElement
  head: PageHead
  dates: DateMarks
  /** A limit was met: the page goes on after the last run. */
  cut: boolean
}

interface Collector extends HtmlRuns, RunWriter {
  readClass: (names: string | undefined) => KnownClass
  /** Elements opened inside an unshown one; the parser closes as many as it opens. */
  unshown: number
  /** Elements opened below the deepest one that is kept. */
  tooDeep: number
  parseDepth: number
}

function createCollector(): Collector {
  const root = newElement('#root', TRAIT.block, null, 0, 0, false, { elements: 1, words: 0 })
  return {
    ...createRunWriter(root),
    root,
    head: createPageHead(),
    cut: false,
    readClass: createClassReader(),
    unshown: 0,
    tooDeep: 0,
    parseDepth: 0,
  }
}

/**
 * Parses a page of any size and shape. Reads at most 12 million characters, 20 000 runs and a million characters of
 * text; nesting below 512 elements is flattened. Never throws but for `signal`.
 */
export async function collectRuns(html: string, signal: AbortSignal): Promise<HtmlRuns> {
  const collector = createCollector()
  const readable = html.length > MOST_HTML_CHARACTERS ? html.slice(0, MOST_HTML_CHARACTERS) : html
  const read = await readTags(
    readable,
    {
      open: (name, attributes) => openElement(collector, name, attributes),
      text: (markup) => addText(collector, markup),
      close: (name) => closeElement(collector, name),
    },
    { pieceCharacters: CHUNK_CHARACTERS, isEnough: () => isFull(collector), pause: createTimeSlice(signal) },
  )
  collector.cut = read < html.length
  endRun(collector)
  return collector
}

const isFull = (collector: Collector): boolean =>
  collector.runs.length >= MOST_BLOCKS ||
  collector.characters + collector.run.text.length >= MOST_TEXT_CHARACTERS ||
  collector.parseDepth >= DEEPEST_PARSE

function openElement(collector: Collector, name: string, attributes: TagAttributes): void {
  collector.parseDepth++
  if (collector.unshown > 0) {
    collector.unshown++
    if (name === 'script') collector.head.open(name, attributes)
    return
  }
  const traits = traitsOf(name)
  if ((traits & TRAIT.empty) !== 0) return openEmpty(collector, name, attributes)
  const known = collector.readClass(attributes.class)
  const names = known.names | readNames(attributes.id) | readNames(attributes['data-testid'])
  const isHidden = (names & NAME_CUE.hides) !== 0 || isUnshown(name, traits, attributes)
  if (collector.head.open(name, attributes) || isHidden) {
    collector.unshown = 1
    return
  }
  if (collector.tooDeep > 0 || collector.current.depth >= DEEPEST_ELEMENT) {
    collector.tooDeep++
    if ((traits & TRAIT.block) !== 0) breakAt(collector, name)
    return
  }
  enterElement(collector, name, traits, names, patternOf(known, name), attributes)
}

function isUnshown(name: string, traits: number, attributes: TagAttributes): boolean {
  // A shadow root written out in HTML is what the visitor sees; any other template is not shown.
  if (name === 'template') return attributes.shadowrootmode === undefined
  return (traits & TRAIT.unshown) !== 0 || isConcealed(name, attributes)
}

function openEmpty(collector: Collector, name: string, attributes: TagAttributes): void {
  if (name === 'br') breakLine(collector)
  else if (name === 'hr') breakAt(collector, name)
  else if (name === 'meta') collector.head.meta(attributes)
  else if (name === 'input') collector.current.inputs++
}

function enterElement(
  collector: Collector,
  name: string,
  traits: number,
  names: number,
  pattern: ElementPattern,
  attributes: TagAttributes,
): void {
  if ((traits & TRAIT.block) !== 0) breakAt(collector, name)
  else if ((traits & TRAIT.detached) !== 0) endRun(collector)
  else if ((traits & TRAIT.cell) !== 0) openCell(collector, name)
  const element = newElement(
    name,
    traits,
    collector.current,
    familiesOf(names),
    landmarksOf(name, attributes.role, attributes.itemprop),
    attributes['aria-hidden'] === 'true',
    pattern,
  )
  collector.current = element
  collector.dates.open(element, attributes, names, collector.runs.length)
  if (name === 'a') {
    collector.anchors++
    collector.run.links++
  } else if (name === 'pre') collector.preformatted++
}

function patternOf({ patterns }: KnownClass, name: string): ElementPattern {
  const known = patterns.get(name)
  if (known !== undefined) {
    known.elements++
    return known
  }
  const pattern = { elements: 1, words: 0 }
  patterns.set(name, pattern)
  return pattern
}

function closeElement(collector: Collector, name: string): void {
  collector.parseDepth--
  if (collector.unshown > 0) {
    collector.unshown--
    collector.head.close(name)
    return
  }
  const traits = traitsOf(name)
  if ((traits & TRAIT.empty) !== 0) return
  if (collector.tooDeep > 0) {
    collector.tooDeep--
    if ((traits & TRAIT.block) !== 0) breakAt(collector, name)
    return
  }
  if ((traits & TRAIT.block) !== 0) {
    breakAt(collector, name)
    collector.dates.endOfBlock()
  } else if ((traits & TRAIT.detached) !== 0) endRun(collector)
  if (name === 'a') collector.anchors--
  else if (name === 'pre') collector.preformatted--
  collector.current = collector.current.parent ?? collector.root
}

function addText(collector: Collector, markup: string): void {
  if (collector.unshown > 0) {
    collector.head.text(markup)
    return
  }
  const text = RAW_TEXT.has(collector.current.name) ? markup : decodeText(markup)
  if (collector.preformatted > 0) appendText(collector, text.replace(/\r\n?/g, '\n'))
  else appendFlowingText(collector, text)
}
