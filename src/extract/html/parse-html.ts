// HTML to runs of text, in one pass of a SAX parser: what would stand on a line of its own, and where in the tree.
import {
  createClassReader,
  familiesOf,
  type KnownClass,
  NAME_CUE,
  readNames,
} from './names/class-families.ts'
import { createElementVisibility, type ElementVisibility } from './visibility/element-visibility.ts'
import type { InheritedStyle } from '../styles/concealment.ts'
import type { StyleContext } from '../styles/page-styles.ts'
import { createHiddenProse, NOTHING_REVEALED, type Revealed } from './visibility/hidden-prose.ts'
import { createStreamedSegments } from './visibility/streamed-segments.ts'
import type { DateMarks } from './date-markup.ts'
import { type ElementPattern, type HtmlElement, newElement } from './element-tree.ts'
import { decodeText, readTags, type MarkupSyntax } from './tag-stream.ts'
import { createPageHead, type PageHead } from './page-head.ts'
import { createStructureMarks, type StructureMarks } from './structure-marks.ts'
import { landmarksOf, TRAIT, traitsOf } from './elements.ts'
import { createMathText, tokenText } from './math-text.ts'
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
import { traitsInTable } from './table-roles.ts'
import type { TagAttributes } from './tag-attributes.ts'
import { createTimeSlice } from '../yield-thread.ts'

/** Chromium, too, hangs nothing deeper than this. */
const DEEPEST_ELEMENT = 512
const MOST_BLOCKS = 20_000
const MOST_TEXT_CHARACTERS = 1_000_000
const MOST_HTML_CHARACTERS = 12_000_000
/** Parsed between two looks at the clock. Small, because htmlparser2's own stack makes deep nesting quadratic. */
const CHUNK_CHARACTERS = 32_768
/** What is nested deeper is not read; what was read so far is kept. */
const DEEPEST_PARSE = 200_000

/** Shown, but character references in them are text like any other. */
const RAW_TEXT: ReadonlySet<string> = new Set(['xmp', 'plaintext'])

export interface HtmlRuns {
  runs: HtmlRun[]
  root: HtmlElement
  head: PageHead
  dates: DateMarks
  structure: StructureMarks
  /** A limit was met: the page goes on after the last run. */
  cut: boolean
}

interface Collector extends HtmlRuns, RunWriter {
  readClass: (names: string | undefined) => KnownClass
  /** Elements opened inside an unshown one; the parser closes as many as it opens. */
  unshown: number
  /** Elements that are open below the deepest one that is kept, or within a formula. */
  unkept: number
  parseDepth: number
  math: ReturnType<typeof createMathText>
  visibility: ElementVisibility
  hidden: ReturnType<typeof createHiddenProse>
  revealed: Revealed
  segments: ReturnType<typeof createStreamedSegments>
  /** Segments that are open, with the elements they stand in by the markup. */
  openSegments: { element: HtmlElement; within: HtmlElement }[]
}

function createCollector(visibility: ElementVisibility, revealed: Revealed): Collector {
  const root = newElement({
    name: '#root',
    traits: TRAIT.block,
    parent: null,
    classes: '',
    id: '',
    style: visibility.initial,
    context: visibility.rootContext,
    families: 0,
    landmarks: 0,
    ariaHidden: false,
    pattern: { elements: 1, words: 0 },
  })
  return {
    ...createRunWriter(root),
    root,
    head: createPageHead(),
    structure: createStructureMarks(),
    cut: false,
    readClass: createClassReader(),
    unshown: 0,
    unkept: 0,
    math: createMathText(),
    parseDepth: 0,
    visibility,
    hidden: createHiddenProse(),
    revealed,
    segments: createStreamedSegments(),
    openSegments: [],
  }
}

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

function openElement(collector: Collector, name: string, attributes: TagAttributes): void {
  collector.parseDepth++
  if (collector.unshown > 0) {
    collector.unshown++
    if (name === 'script') collector.head.open(name, attributes)
    collector.hidden.openInside(name)
    return
  }
  const traits = traitsOf(name, collector.current)
  if ((traits & TRAIT.empty) !== 0) return openEmpty(collector, name, attributes)
  const known = collector.readClass(attributes.class)
  const names = known.names | readNames(attributes.id) | readNames(attributes['data-testid'])
  if (collector.head.open(name, attributes) || isNeverShown(collector, name, traits, names, attributes))
    return leaveOut(collector, name, false)
  const { current, segments, visibility } = collector
  const context = visibility.contextOf(name, attributes, current.context)
  const seen = segments.isSegment(attributes)
    ? visibility.asSeenAs(current)
    : visibility.judge(context, attributes, current, name)
  if (seen.style === null) return leaveOut(collector, name, seen.isFaded)
  if (collector.unkept > 0 || isInFormula(collector) || collector.current.depth >= DEEPEST_ELEMENT)
    return openUnkept(collector, name, traits)
  const part = collector.structure.tablePartOf(name, attributes.role, current)
  enterElement(
    collector,
    {
      name,
      traits: traitsInTable(traits | seen.layout, part),
      row: part?.container ?? current,
      names,
      isOpened: seen.isOpened,
      style: seen.style,
      context,
    },
    patternOf(known, name),
    attributes,
  )
}

const isInFormula = ({ current }: Collector): boolean => current.name === 'math'

/** Its text belongs to the deepest element that is kept. */
function openUnkept(collector: Collector, name: string, traits: number): void {
  collector.unkept++
  if (isInFormula(collector)) {
    if (collector.math.open(name)) appendFlowingText(collector, ' ')
  } else if ((traits & TRAIT.block) !== 0) breakAt(collector, name)
}

function closeUnkept(collector: Collector, name: string, traits: number): void {
  collector.unkept--
  if (isInFormula(collector)) {
    if (collector.math.close(name)) appendFlowingText(collector, ' ')
  } else if ((traits & TRAIT.block) !== 0) breakAt(collector, name)
}

/** Nothing inside the element that opens is text of the page. */
function leaveOut(collector: Collector, name: string, isFaded: boolean): void {
  collector.unshown = 1
  if (name === 'script') collector.hidden.script()
  if (isFaded) collector.hidden.open('faded', collector.current)
}

function isNeverShown(
  collector: Collector,
  name: string,
  traits: number,
  names: number,
  attributes: TagAttributes,
): boolean {
  if ((names & NAME_CUE.hides) !== 0)
    return (
      (traits & TRAIT.block) === 0 || !collector.visibility.isNamedOpenable(attributes, collector.current)
    )
  if (name === 'template') return isUnshownTemplate(collector, attributes)
  if (name === 'noscript') return isUnshownNoscript(collector)
  return (traits & TRAIT.unshown) !== 0
}

function isUnshownNoscript({ hidden, revealed, current }: Collector): boolean {
  if (revealed.noscripts.has(hidden.countNoscript())) return false
  hidden.open('noscript', current)
  return true
}

/** A shadow root written out in HTML is what the visitor sees; any other template is not shown. */
function isUnshownTemplate(collector: Collector, attributes: TagAttributes): boolean {
  const { segments, current } = collector
  const { id, shadowrootmode } = attributes
  if (id !== undefined && segments.isPlace(id) && collector.unkept === 0) {
    endRun(collector)
    segments.notePlace(id, current, collector.runs.length)
  }
  return shadowrootmode === undefined
}

function openEmpty(collector: Collector, name: string, attributes: TagAttributes): void {
  if (name === 'br') breakLine(collector)
  else if (name === 'hr') breakAt(collector, name)
  else if (name === 'meta') collector.head.meta(attributes)
  else if (name === 'base') collector.head.base(attributes)
  else if (name === 'input') collector.current.inputs++
}

interface EnteredElement {
  name: string
  traits: number
  /** Of a cell, the row. */
  row: HtmlElement
  names: number
  isOpened: boolean
  style: InheritedStyle
  context: StyleContext
}

function enterElement(
  collector: Collector,
  { name, traits, row, names, isOpened, style, context }: EnteredElement,
  pattern: ElementPattern,
  attributes: TagAttributes,
): void {
  if ((traits & TRAIT.block) !== 0) breakAt(collector, name)
  else if ((traits & TRAIT.detached) !== 0) endRun(collector)
  else if ((traits & TRAIT.cell) !== 0) openCell(collector, row)
  const within = collector.current
  const isSegment = collector.segments.isSegment(attributes)
  const element = newElement({
    name,
    traits,
    parent: isSegment ? openSegment(collector, attributes) : within,
    classes: attributes.class ?? '',
    id: attributes.id ?? '',
    style,
    context,
    families: familiesOf(names),
    landmarks: landmarksOf(name, attributes.role, attributes.itemprop),
    ariaHidden: attributes['aria-hidden'] === 'true',
    pattern,
  })
  if (isSegment) collector.openSegments.push({ element, within })
  collector.current = element
  collector.visibility.hear(element, attributes, isOpened)
  collector.dates.open(element, attributes, names, collector.runs.length)
  collector.structure.open(element, attributes)
  if (name === 'a') {
    collector.anchors.push({ target: attributes.href ?? '' })
    collector.run.links++
  } else if (name === 'pre') collector.preformatted++
  else if ((traits & TRAIT.cell) !== 0) collector.cells.push(element)
}

/** A streamed segment hangs where it will be shown. */
const openSegment = ({ segments, runs, current }: Collector, { id = '' }: TagAttributes): HtmlElement =>
  segments.open(id, runs.length) ?? current

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
    collector.hidden.close()
    return
  }
  const ownTraits = traitsOf(name, collector.current)
  if ((ownTraits & TRAIT.empty) !== 0) return
  if (collector.unkept > 0) return closeUnkept(collector, name, ownTraits)
  const { traits } = collector.current
  if ((traits & TRAIT.block) !== 0) {
    breakAt(collector, name)
    collector.dates.endOfBlock()
  } else if ((traits & TRAIT.detached) !== 0) endRun(collector)
  if (name === 'a') collector.anchors.pop()
  else if (name === 'pre') collector.preformatted--
  else if ((traits & TRAIT.cell) !== 0) collector.cells.pop()
  leaveElement(collector)
}

function leaveElement(collector: Collector): void {
  const { current, openSegments } = collector
  const segment = openSegments.at(-1)
  if (segment?.element !== current) {
    collector.current = current.parent ?? collector.root
    return
  }
  openSegments.pop()
  collector.segments.close(collector.runs.length)
  collector.current = segment.within
}

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
  const text = RAW_TEXT.has(collector.current.name) ? markup : decodeText(markup)
  if (isInFormula(collector)) appendFlowingText(collector, tokenText(text))
  else if (collector.preformatted > 0) appendText(collector, text.replace(/\r\n?/g, '\n'))
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
