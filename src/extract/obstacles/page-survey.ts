// What of a page is looked at to tell whether it is one: its headlines, the sentences it opens with, how much there is
// to read, and the beginning of its markup.
import { isUnspacedScript } from '../classify/text-statistics.ts'
import type { Block, PageText } from '../document.ts'

/** Walls say what they want at once; articles of this length are read no further. */
const MOST_PROSE = 6_000
const MOST_SENTENCES = 300
const MOST_TEXT_CHARACTERS = 12_000
const MOST_MARKUP_CHARACTERS = 400_000
const LONGEST_LINE = 90
const LONGEST_TITLE = 300
const SHORT_BLOCK = 30
const UNSPACED_CHARACTER_COUNTS = 3
/** What stands between a page's title and its site's name. */
const TITLE_PARTS = / [|\-–—·•:»«]{1,3} |\|/u
const SENTENCE_ENDS = /(?<=[.!?…。！？]["'”’»)]?)\s+|(?<=[。！？])|[\n|·•]+/u

export interface PageSurvey {
  /** The title, whole and in the parts between its separators. */
  titles: readonly string[]
  headings: readonly string[]
  /** Headings, and short lines that stand by themselves and are no links. */
  lines: readonly string[]
  sentences: readonly string[]
  /** Longer blocks that are no links, folded. */
  paragraphs: readonly string[]
  /** The visible text, folded. */
  text: string
  /** Characters beside links; letters of scripts without spaces count three. At most a little over 6,000. */
  prose: number
  /** Lower case. */
  markup: string
}

/** As signs are written: lower case, straight quotation marks, single spaces. */
export const foldForSigns = (text: string): string =>
  text
    .normalize('NFC')
    .toLowerCase()
    .replace(/[\u2018\u2019\u02bc]/gu, "'")
    .replace(/[\u201c\u201d\u201e]/gu, '"')
    .replaceAll('…', '...')
    .replace(/[^\S\n]+/gu, ' ')

/**
 * Looks at a page of any size; takes time in proportion to what it looks at, which is bounded. Null for a page with so
 * much to read that it stands in nobody's way. `html` is '' for what is no markup.
 */
export function surveyPage({ title, text, blocks }: PageText, html: string): PageSurvey | null {
  let prose = 0
  for (const block of blocks) {
    prose += proseOf(text, block)
    if (prose > MOST_PROSE) return null
  }
  const shown = foldForSigns(text.slice(0, MOST_TEXT_CHARACTERS))
  const markup = html.slice(0, MOST_MARKUP_CHARACTERS).toLowerCase()
  return {
    titles: titlesOf(title, markup),
    headings: linesOf(text, blocks.filter(isHeading)),
    lines: linesOf(text, blocks),
    sentences: shown
      .split(SENTENCE_ENDS, MOST_SENTENCES)
      .map((sentence) => sentence.trim())
      .filter((sentence) => sentence !== ''),
    text: shown,
    paragraphs: paragraphsOf(text, blocks),
    prose,
    markup,
  }
}

/** The text of the first `<title>`; '' for none. */
function titleIn(markup: string): string {
  const tag = markup.indexOf('<title')
  if (tag === -1) return ''
  const start = markup.indexOf('>', tag) + 1
  const end = markup.indexOf('<', start)
  return start === 0 || end === -1 ? '' : markup.slice(start, Math.min(end, start + LONGEST_TITLE))
}

function titlesOf(title: string | null, markup: string): string[] {
  const titles = new Set<string>()
  for (const given of [title ?? '', titleIn(markup)]) {
    const whole = foldForSigns(given).trim()
    titles.add(whole)
    for (const part of whole.split(TITLE_PARTS)) titles.add(part.trim())
  }
  titles.delete('')
  return [...titles]
}

const isHeading = ({ kind }: Block): boolean => kind === 'heading'

function linesOf(text: string, blocks: readonly Block[]): string[] {
  const lines: string[] = []
  for (const block of blocks) {
    const { start, end } = block
    if (isHeading(block) || (end - start <= LONGEST_LINE && block.links === undefined))
      lines.push(foldForSigns(text.slice(start, Math.min(end, start + LONGEST_LINE))).trim())
  }
  return lines
}

const paragraphsOf = (text: string, blocks: readonly Block[]): string[] =>
  blocks
    .filter(
      (block) =>
        block.kind !== 'heading' &&
        block.end - block.start > SHORT_BLOCK &&
        proseOf(text, block) > SHORT_BLOCK,
    )
    .map(({ start, end }) => foldForSigns(text.slice(start, end)))

function proseOf(text: string, { start, end, links = [] }: Block): number {
  let prose = 0
  let at = start
  for (const link of [...links, { start: end, end }]) {
    for (; at < Math.min(link.start, start + MOST_PROSE); at++)
      prose += isUnspacedScript(text.charCodeAt(at)) ? UNSPACED_CHARACTER_COUNTS : 1
    at = Math.max(at, link.end)
  }
  return prose
}
