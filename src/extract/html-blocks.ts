// HTML to runs of text, in one pass of a SAX parser: what would stand on a line of its own, and where in the tree.
// Apart from reading and weighing, because this is the only place that knows how a browser lays out text by default.
import { Parser } from 'htmlparser2'
import { createNameReader, type NameFacts } from './class-families.ts'
import { isConcealed } from './concealment.ts'
import { createDateMarks, type DateMarks } from './date-marks.ts'
import { type ElementPattern, type HtmlElement, newElement, sharedAncestor } from './html-tree.ts'
import { createPageHead, type PageHead } from './page-head.ts'
import { landmarksOf, TRAIT, traitsOf } from './html-elements.ts'
import { createTimeSlice } from './time-slice.ts'

/** Chromium, too, hangs nothing deeper than this. */
const DEEPEST_ELEMENT = 512
const MOST_BLOCKS = 20_000
const MOST_TEXT_CHARACTERS = 1_000_000
const MOST_HTML_CHARACTERS = 12_000_000
/** Parsed between two looks at the clock. Small, because htmlparser2's own stack makes deep nesting quadratic. */
const CHUNK_CHARACTERS = 32_768
/** Above this htmlparser2's stack costs more than the page is worth; what was read so far is kept. */
const DEEPEST_PARSE = 20_000

/** What stands between a run and the one before it: as `innerText` has it. */
export type Separator = '' | ' ' | '\t' | '\n' | '\n\n'

export interface HtmlRun {
  readonly text: string
  /** The lowest element that holds all of the text. */
  readonly element: HtmlElement
  readonly separator: Separator
  readonly linkCharacters: number
  readonly links: number
  readonly inlineElements: number
  readonly preformatted: boolean
  /** False for a run without letter or digit: it is part of the page's text, but never of a passage's beginning. */
  readonly readable: boolean
  /** Bits of `date-marks.ts`: what the elements around say about a date in this text. */
  readonly dateCues: number
}

export interface HtmlRuns {
  runs: HtmlRun[]
  root: HtmlElement
  head: PageHead
  dates: DateMarks
  /** A limit was met: the page goes on after the last run. */
  cut: boolean
}

interface OpenRun {
  text: string
  element: HtmlElement | null
  linkCharacters: number
  links: number
  inlineElements: number
  spaceOwed: boolean
  tabsOwed: number
}

interface Collector extends HtmlRuns {
  readNames: (names: string) => NameFacts
  patterns: Map<string, ElementPattern>
  current: HtmlElement
  /** Elements opened inside an unshown one; the parser closes as many as it opens. */
  unshown: number
  /** Elements opened below the deepest one that is kept. */
  tooDeep: number
  parseDepth: number
  characters: number
  anchors: number
  preformatted: number
  /** The strongest break since the last run: 0 none, 1 line, 2 paragraph. */
  breakOwed: number
  run: OpenRun
  spaceBetween: boolean
}

const newRun = (): OpenRun => ({
  text: '',
  element: null,
  linkCharacters: 0,
  links: 0,
  inlineElements: 0,
  spaceOwed: false,
  tabsOwed: 0,
})

function createCollector(): Collector {
  const root = newElement('#root', TRAIT.block, null, 0, 0, false, { elements: 1, words: 0 })
  return {
    runs: [],
    root,
    head: createPageHead(),
    dates: createDateMarks(),
    cut: false,
    readNames: createNameReader(),
    patterns: new Map(),
    current: root,
    unshown: 0,
    tooDeep: 0,
    parseDepth: 0,
    characters: 0,
    anchors: 0,
    preformatted: 0,
    breakOwed: 0,
    run: newRun(),
    spaceBetween: false,
  }
}

/**
 * Parses a page of any size and shape. Reads at most 12 million characters, 20 000 runs and a million characters of
 * text; nesting below 512 elements is flattened. Never throws but for `signal`.
 */
export async function collectRuns(html: string, signal: AbortSignal): Promise<HtmlRuns> {
  const collector = createCollector()
  const parser = new Parser({
    onopentag: (name, attributes) => openElement(collector, name, attributes),
    ontext: (text) => addText(collector, text),
    onclosetag: (name) => closeElement(collector, name),
  })
  const pause = createTimeSlice(signal)
  const end = Math.min(html.length, MOST_HTML_CHARACTERS)
  let at = 0
  for (; at < end && !isFull(collector); at += CHUNK_CHARACTERS) {
    parser.write(html.slice(at, Math.min(at + CHUNK_CHARACTERS, end)))
    await pause()
  }
  collector.cut = at < html.length
  if (collector.parseDepth < DEEPEST_PARSE) parser.end()
  endRun(collector)
  return collector
}

const isFull = (collector: Collector): boolean =>
  collector.runs.length >= MOST_BLOCKS ||
  collector.characters + collector.run.text.length >= MOST_TEXT_CHARACTERS ||
  collector.parseDepth >= DEEPEST_PARSE

function openElement(collector: Collector, name: string, attributes: Record<string, string>): void {
  collector.parseDepth++
  if (collector.unshown > 0) {
    collector.unshown++
    if (name === 'script') collector.head.open(name, attributes)
    return
  }
  const traits = traitsOf(name)
  if ((traits & TRAIT.empty) !== 0) return openEmpty(collector, name, attributes)
  const names = `${attributes['class'] ?? ''} ${attributes['id'] ?? ''} ${attributes['data-testid'] ?? ''}`
  const facts = collector.readNames(names)
  if (collector.head.open(name, attributes) || facts.hides || isUnshown(name, traits, attributes)) {
    collector.unshown = 1
    return
  }
  if (collector.tooDeep > 0 || collector.current.depth >= DEEPEST_ELEMENT) {
    collector.tooDeep++
    if ((traits & TRAIT.block) !== 0) breakAt(collector, name)
    return
  }
  enterElement(collector, name, traits, names, facts, attributes)
}

function isUnshown(name: string, traits: number, attributes: Record<string, string>): boolean {
  // A shadow root written out in HTML is what the visitor sees; any other template is not shown.
  if (name === 'template') return attributes['shadowrootmode'] === undefined
  return (traits & TRAIT.unshown) !== 0 || isConcealed(name, attributes)
}

function openEmpty(collector: Collector, name: string, attributes: Record<string, string>): void {
  if (name === 'br') breakLine(collector)
  else if (name === 'hr') breakAt(collector, name)
  else if (name === 'meta') collector.head.meta(attributes)
  else if (name === 'input') collector.current.inputs++
}

function enterElement(
  collector: Collector,
  name: string,
  traits: number,
  names: string,
  facts: NameFacts,
  attributes: Record<string, string>,
): void {
  if ((traits & TRAIT.block) !== 0) breakAt(collector, name)
  else if ((traits & TRAIT.detached) !== 0) endRun(collector)
  else if ((traits & TRAIT.cell) !== 0) openCell(collector, name)
  const element = newElement(
    name,
    traits,
    collector.current,
    facts.families,
    landmarksOf(name, attributes['role'], attributes['itemprop']),
    attributes['aria-hidden'] === 'true',
    patternOf(collector, `${name}.${attributes['class'] ?? ''}`),
  )
  collector.current = element
  collector.dates.open(element, attributes, names, facts, collector.runs.length)
  if (name === 'a') {
    collector.anchors++
    collector.run.links++
  } else if (name === 'pre') collector.preformatted++
}

function patternOf(collector: Collector, signature: string): ElementPattern {
  const known = collector.patterns.get(signature)
  if (known !== undefined) {
    known.elements++
    return known
  }
  const pattern = { elements: 1, words: 0 }
  collector.patterns.set(signature, pattern)
  return pattern
}

function openCell(collector: Collector, name: string): void {
  const row = collector.current
  if (row.cells > 0 && collector.run.text !== '') collector.run.tabsOwed++
  row.cells++
  if (name === 'th') row.headerCells++
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

function addText(collector: Collector, text: string): void {
  if (collector.unshown > 0) {
    collector.head.text(text)
    return
  }
  if (collector.preformatted > 0) appendText(collector, text.replace(/\r\n?/g, '\n'))
  else appendFlowingText(collector, text)
}

/** White space collapses as CSS Text 3 §4.1 says for `white-space: normal`; a no-break space is no such space. */
function appendFlowingText(collector: Collector, text: string): void {
  const collapsed = text.replace(/[ \t\n\r\f]+/g, ' ')
  const from = collapsed.charCodeAt(0) === 32 ? 1 : 0
  if (collapsed.length === from) {
    oweSpace(collector)
    return
  }
  const to = collapsed.charCodeAt(collapsed.length - 1) === 32 ? collapsed.length - 1 : collapsed.length
  if (from > 0) oweSpace(collector)
  appendText(collector, from === 0 && to === collapsed.length ? collapsed : collapsed.slice(from, to))
  if (to < collapsed.length) oweSpace(collector)
}

function oweSpace(collector: Collector): void {
  if (collector.run.text === '') collector.spaceBetween = true
  else collector.run.spaceOwed = true
}

function appendText(collector: Collector, text: string): void {
  if (text === '') return
  const { run, current } = collector
  if (run.text === '') {
    run.element = current
    run.links = collector.anchors > 0 ? 1 : 0
  } else {
    if (run.tabsOwed > 0) run.text = run.text.trimEnd() + '\t'.repeat(run.tabsOwed)
    else if (run.spaceOwed && !run.text.endsWith('\n')) run.text += ' '
    if (run.element !== null && run.element !== current) liftRun(run, run.element, current)
  }
  run.tabsOwed = 0
  run.spaceOwed = false
  run.text += text
  if (collector.anchors > 0) run.linkCharacters += text.length
}

function liftRun(run: OpenRun, from: HtmlElement, to: HtmlElement): void {
  run.element = sharedAncestor(from, to)
  run.inlineElements++
}

function breakLine(collector: Collector): void {
  const { run } = collector
  if (run.text === '') collector.breakOwed = Math.max(collector.breakOwed, 1)
  else run.text += '\n'
  run.spaceOwed = false
}

/** A block begins or ends here. A paragraph asks for an empty line (HTML standard, `innerText` step 8). */
function breakAt(collector: Collector, name: string): void {
  endRun(collector)
  collector.breakOwed = Math.max(collector.breakOwed, name === 'p' ? 2 : 1)
}

/** Puts the open run, if it says anything, behind the others. */
function endRun(collector: Collector): void {
  const { run } = collector
  if (run.text === '') return
  const text = collector.preformatted > 0 ? run.text.replace(/^\n+/, '').trimEnd() : run.text.trim()
  collector.run = newRun()
  if (text === '') return
  collector.characters += text.length
  collector.runs.push({
    text,
    element: run.element ?? collector.current,
    separator: separatorOwed(collector),
    linkCharacters: run.linkCharacters,
    links: run.links,
    inlineElements: run.inlineElements,
    preformatted: collector.preformatted > 0,
    readable: /[\p{L}\p{N}]/u.test(text),
    dateCues: collector.dates.cues(),
  })
  collector.breakOwed = 0
  collector.spaceBetween = run.spaceOwed || /\s$/.test(run.text)
}

function separatorOwed(collector: Collector): Separator {
  if (collector.runs.length === 0) return ''
  if (collector.breakOwed === 2) return '\n\n'
  if (collector.breakOwed === 1) return '\n'
  return collector.spaceBetween ? ' ' : ''
}
