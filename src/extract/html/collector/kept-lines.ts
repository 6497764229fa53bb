// White space that a page's styles keep outside <pre>: line breaks of chat messages, of poems, of code in a <div>.
import { NAME_CUE } from '../names/class-families.ts'
import { TRAIT } from '../elements.ts'
import { keptBy } from '../visibility/element-visibility.ts'
import { appendFlowingText, appendText, breakLine, type RunWriter } from '../text-runs.ts'

/** As Tailwind names it; its style sheet is seldom read. */
const NAMED = /(?:^|\s)whitespace-(pre(?:-wrap|-line)?|break-spaces|normal|nowrap)(?=\s|$)/
const KEPT = TRAIT.keepsLines | TRAIT.keepsSpaces

/** What of it an element keeps: by its own style, by its names, else as the one around it. */
export function keptLines(layout: number, cues: number, classes: string | undefined, around: number): number {
  const named = (cues & NAME_CUE.keepsLines) === 0 ? undefined : NAMED.exec(classes ?? '')?.[1]
  const own = layout & (KEPT | TRAIT.foldsLines) || keptBy(named)
  return (own === 0 ? around : own) & KEPT
}

const LINE_BREAK = /\r\n?|\n/

/** Adds text of an element that keeps its lines. */
export function appendLines(writer: RunWriter, text: string): void {
  const isSpaced = (writer.current.traits & TRAIT.keepsSpaces) !== 0
  const lines = text.split(LINE_BREAK)
  for (const [index, line] of lines.entries()) {
    if (index > 0) breakLine(writer)
    if (!isSpaced) appendFlowingText(writer, line)
    else appendText(writer, index === lines.length - 1 ? line : line.trimEnd())
  }
}
