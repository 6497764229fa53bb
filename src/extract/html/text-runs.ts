// Runs of text as they grow: white space, breaks, tabs between cells, and what a run knows of itself when it ends.
import { createDateMarks, type DateMarks } from './date-markup.ts'
import { type HtmlElement, isInside, sharedAncestor } from './element-tree.ts'
import { TRAIT } from './elements.ts'
import { type Anchor, grow, newRun, type OpenRun, type RunPart, shifted, trimEndOf } from './open-run.ts'
import { isSeam } from './seams.ts'

/** What stands between a run and the one before it: as `innerText` has it. */
export type Separator = '' | ' ' | '\t' | '\n' | '\n\n'

export interface HtmlRun {
  readonly text: string
  /** The lowest element that holds all of the text. */
  readonly element: HtmlElement
  readonly separator: Separator
  readonly linkCharacters: number
  readonly links: number
  /** Where links stand in the text, in order. */
  readonly linkParts: readonly RunPart<Anchor>[]
  /** Where cells of a table stand in the text, in order; none outside tables. */
  readonly cellParts: readonly RunPart<HtmlElement>[]
  readonly inlineElements: number
  readonly preformatted: boolean
  /** False for a run without letter or digit: it is part of the page's text, but never of a passage's beginning. */
  readonly readable: boolean
  /** Bits of `date-marks.ts`: what the elements around say about a date in this text. */
  readonly dateCues: number
}

/** What is written so far, and what is owed before the next word. */
export interface RunWriter {
  runs: HtmlRun[]
  dates: DateMarks
  /** The element that text belongs to now. */
  current: HtmlElement
  /** Length of all runs that have ended. */
  characters: number
  /** Links that are open, and how many preformatted elements are. */
  anchors: Anchor[]
  preformatted: number
  /** The cells that are open, innermost last. */
  cells: HtmlElement[]
  /** The strongest break since the last run: 0 none, 1 line, 2 paragraph. */
  breakOwed: number
  run: OpenRun
  spaceBetween: boolean
}

/** Nothing written yet, at the root of the page. */
export const createRunWriter = (root: HtmlElement): RunWriter => ({
  runs: [],
  dates: createDateMarks(),
  current: root,
  characters: 0,
  anchors: [],
  preformatted: 0,
  cells: [],
  breakOwed: 0,
  run: newRun(),
  spaceBetween: false,
})

/** The element that the text written last stands in. */
export const lastElement = ({ run, runs }: RunWriter): HtmlElement | null =>
  run.innermost ?? runs.at(-1)?.element ?? null

/** Cells of a row stand on one line, with tabs between them. */
export function openCell(writer: RunWriter, row: HtmlElement): void {
  if (row.cells > 0 && writer.run.length > 0) writer.run.tabsOwed++
  row.cells++
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
  if (writer.run.length === 0) writer.spaceBetween = true
  else writer.run.spaceOwed = true
}

/** Adds text whose white space stands as it is, behind what is owed before it. */
export function appendText(writer: RunWriter, text: string): void {
  if (text === '') return
  const { run, current } = writer
  if (run.length === 0) {
    run.element = current
    run.links = writer.anchors.length > 0 ? 1 : 0
  } else {
    if (meetsWithoutSpace(run) && writer.preformatted === 0) oweSpaceAtSeam(run, current, text)
    payWhatIsOwed(run)
    if (run.element !== null && run.element !== current) liftRun(run, run.element, current)
  }
  run.tabsOwed = 0
  run.spaceOwed = false
  run.innermost = current
  grow(run, text)
  notePart(run.cellParts, writer.cells.at(-1), run, text.length)
  if (writer.anchors.length === 0) return
  run.linkCharacters += text.length
  notePart(run.linkParts, writer.anchors.at(-1), run, text.length)
}

const meetsWithoutSpace = (run: OpenRun): boolean =>
  !run.spaceOwed && run.tabsOwed === 0 && !run.endsWithNewline

function oweSpaceAtSeam(run: OpenRun, element: HtmlElement, text: string): void {
  const { innermost } = run
  if (innermost === null || innermost === element) return
  run.spaceOwed = isSeam({ element: innermost, text: run.pieces.at(-1) ?? '' }, { element, text })
}

function payWhatIsOwed(run: OpenRun): void {
  if (run.tabsOwed > 0) {
    trimEndOf(run)
    grow(run, '\t'.repeat(run.tabsOwed))
  } else if (run.spaceOwed && !run.endsWithNewline) grow(run, ' ')
}

/** The last `characters` of the run belong to `owner`, and so, if it had the part before them, does what is between. */
function notePart<Owner>(
  parts: RunPart<Owner>[],
  owner: Owner | undefined,
  run: OpenRun,
  characters: number,
): void {
  if (owner === undefined) return
  const last = parts.at(-1)
  if (last?.owner === owner) last.end = run.length
  else parts.push({ owner, start: run.length - characters, end: run.length })
}

function liftRun(run: OpenRun, from: HtmlElement, to: HtmlElement): void {
  run.element = sharedAncestor(from, to)
  run.inlineElements++
}

/** A line ends, but not the run: `<br>`. */
export function breakLine(writer: RunWriter): void {
  const { run } = writer
  if (run.length === 0) writer.breakOwed = Math.max(writer.breakOwed, 1)
  else grow(run, '\n')
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
  if (run.length === 0) return
  const whole = run.pieces.join('')
  const isPreformatted = writer.preformatted > 0
  const text = isPreformatted ? whole.replace(/^\n+/, '').trimEnd() : whole.trim()
  writer.run = newRun()
  if (text === '' && isPreformatted && isEmptyLine(run, writer.runs.at(-1))) writer.breakOwed = 2
  if (text === '') return
  const cutBefore = isPreformatted
    ? (/^\n*/.exec(whole)?.[0].length ?? 0)
    : whole.length - whole.trimStart().length
  writer.characters += text.length
  writer.runs.push({
    text,
    element: run.element ?? writer.current,
    separator: separatorOwed(writer),
    linkCharacters: run.linkCharacters,
    links: run.links,
    linkParts: shifted(run.linkParts, cutBefore, text.length),
    cellParts: shifted(run.cellParts, cutBefore, text.length),
    inlineElements: run.inlineElements,
    preformatted: isPreformatted,
    readable: /[\p{L}\p{N}]/u.test(text),
    dateCues: writer.dates.cues(),
  })
  writer.breakOwed = 0
  writer.spaceBetween = run.spaceOwed || cutBefore + text.length < whole.length
}

/**
 * A line break in code whose lines are boxes is an empty line, but between boxes side by side, and where the code begins:
 * there HTML drops it.
 */
function isEmptyLine({ element, pieces }: OpenRun, last: HtmlRun | undefined): boolean {
  if (element === null || (element.traits & TRAIT.boxes) !== 0) return false
  if (element.name === 'pre' && (last === undefined || !isInside(last.element, element))) return false
  return pieces.some((piece) => piece.includes('\n'))
}

function separatorOwed(writer: RunWriter): Separator {
  if (writer.runs.length === 0) return ''
  if (writer.breakOwed === 2) return '\n\n'
  if (writer.breakOwed === 1) return '\n'
  return writer.spaceBetween ? ' ' : ''
}
