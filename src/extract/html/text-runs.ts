// Runs of text as they grow: white space, breaks, tabs between cells, and what a run knows of itself when it ends.
import { createDateMarks, type DateMarks } from './date-markup.ts'
import { type HtmlElement, sharedAncestor } from './element-tree.ts'

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

interface OpenRun {
  text: string
  element: HtmlElement | null
  linkCharacters: number
  links: number
  inlineElements: number
  spaceOwed: boolean
  tabsOwed: number
}

/** What is written so far, and what is owed before the next word. */
export interface RunWriter {
  runs: HtmlRun[]
  dates: DateMarks
  /** The element that text belongs to now. */
  current: HtmlElement
  /** Length of all runs that have ended. */
  characters: number
  /** Links, and preformatted elements, that are open. */
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

/** Nothing written yet, at the root of the page. */
export const createRunWriter = (root: HtmlElement): RunWriter => ({
  runs: [],
  dates: createDateMarks(),
  current: root,
  characters: 0,
  anchors: 0,
  preformatted: 0,
  breakOwed: 0,
  run: newRun(),
  spaceBetween: false,
})

/** Cells of a row stand on one line, with tabs between them. */
export function openCell(writer: RunWriter, name: string): void {
  const row = writer.current
  if (row.cells > 0 && writer.run.text !== '') writer.run.tabsOwed++
  row.cells++
  if (name === 'th') row.headerCells++
}

/** White space collapses as CSS Text 3 §4.1 says for `white-space: normal`; a no-break space is no such space. */
export function appendFlowingText(writer: RunWriter, text: string): void {
  let from = 0
  while (isSpace(text.charCodeAt(from))) from++
  if (from > 0) oweSpace(writer)
  if (from === text.length) return
  let to = text.length
  while (isSpace(text.charCodeAt(to - 1))) to--
  const inner = from === 0 && to === text.length ? text : text.slice(from, to)
  appendText(writer, isCollapsed(inner) ? inner : inner.replace(/[ \t\n\r\f]+/g, ' '))
  if (to < text.length) oweSpace(writer)
}

/** White space to HTML, by its UTF-16 unit: space, tab, line feed, form feed, carriage return. */
const isSpace = (code: number): boolean => code === 32 || (code <= 13 && code >= 9 && code !== 11)

/** Whether all white space in `text` is single spaces: no need to look for more. */
function isCollapsed(text: string): boolean {
  let wasSpace = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code > 32 || !isSpace(code)) wasSpace = false
    else if (wasSpace || code !== 32) return false
    else wasSpace = true
  }
  return true
}

function oweSpace(writer: RunWriter): void {
  if (writer.run.text === '') writer.spaceBetween = true
  else writer.run.spaceOwed = true
}

/** Adds text whose white space stands as it is, behind what is owed before it. */
export function appendText(writer: RunWriter, text: string): void {
  if (text === '') return
  const { run, current } = writer
  if (run.text === '') {
    run.element = current
    run.links = writer.anchors > 0 ? 1 : 0
  } else {
    if (run.tabsOwed > 0) run.text = run.text.trimEnd() + '\t'.repeat(run.tabsOwed)
    else if (run.spaceOwed && !run.text.endsWith('\n')) run.text += ' '
    if (run.element !== null && run.element !== current) liftRun(run, run.element, current)
  }
  run.tabsOwed = 0
  run.spaceOwed = false
  run.text += text
  if (writer.anchors > 0) run.linkCharacters += text.length
}

function liftRun(run: OpenRun, from: HtmlElement, to: HtmlElement): void {
  run.element = sharedAncestor(from, to)
  run.inlineElements++
}

/** A line ends, but not the run: `<br>`. */
export function breakLine(writer: RunWriter): void {
  const { run } = writer
  if (run.text === '') writer.breakOwed = Math.max(writer.breakOwed, 1)
  else run.text += '\n'
  run.spaceOwed = false
}

/** A block begins or ends here. A paragraph asks for an empty line (HTML standard, `innerText` step 8). */
export function breakAt(writer: RunWriter, name: string): void {
  endRun(writer)
  writer.breakOwed = Math.max(writer.breakOwed, name === 'p' ? 2 : 1)
}

/** Puts the open run, if it says anything, behind the others. */
export function endRun(writer: RunWriter): void {
  const { run } = writer
  if (run.text === '') return
  const text = writer.preformatted > 0 ? run.text.replace(/^\n+/, '').trimEnd() : run.text.trim()
  writer.run = newRun()
  if (text === '') return
  writer.characters += text.length
  writer.runs.push({
    text,
    element: run.element ?? writer.current,
    separator: separatorOwed(writer),
    linkCharacters: run.linkCharacters,
    links: run.links,
    inlineElements: run.inlineElements,
    preformatted: writer.preformatted > 0,
    readable: /[\p{L}\p{N}]/u.test(text),
    dateCues: writer.dates.cues(),
  })
  writer.breakOwed = 0
  writer.spaceBetween = run.spaceOwed || run.text.trimEnd().length < run.text.length
}

function separatorOwed(writer: RunWriter): Separator {
  if (writer.runs.length === 0) return ''
  if (writer.breakOwed === 2) return '\n\n'
  if (writer.breakOwed === 1) return '\n'
  return writer.spaceBetween ? ' ' : ''
}
