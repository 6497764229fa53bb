// Edits planted in the HTML of saved pages, each with what has become of a quote by it: it stands, was moved, was changed or
// is gone. The same seed plants the same edits.
import { decodeHTML } from 'entities'
import { createSentenceFinder } from '../../src/extract/passages/sentences.ts'
import { foldText } from '../../src/search/quotes/folded-text.ts'
import type { Standing } from '../../src/search/quotes/standing.ts'
import { mutateText, type Mutation } from './quote-mutations.ts'

export interface SavedPage {
  html: string
  /** As it was read from the HTML. */
  text: string
  language: string
}

export interface PlantedEdit {
  kind: string
  standing: Standing['standing']
  quote: string
  /** The page after the edit. */
  html: string
}

/** A paragraph or list item in the HTML whose text stands once on the page. */
export interface TextBlock {
  start: number
  end: number
  innerStart: number
  innerEnd: number
  text: string
}

/** A page, what of it is quoted, and other pages to take strange text from. */
interface Site {
  page: SavedPage
  blocks: readonly TextBlock[]
  at: number
  block: TextBlock
  /** A sentence of the block that stands in the HTML as it does in the text; offsets into the HTML. */
  sentence: { start: number; end: number; text: string } | null
  stranger: TextBlock
  otherHtml: string
  random: () => number
}

type Plant = (site: Site) => { html: string; quote: string } | null

const BLOCK = /<(p|li)(?:\s[^<>]*)?>/giu
const NESTED = /<(?:p|li|div|ul|ol|table|section|h[1-6]|script|style|form|noscript|pre|br|svg)\b/iu
const BLOCK_CHARACTERS = { min: 80, max: 900 } as const
const SENTENCE_CHARACTERS = { min: 50, max: 500 } as const
/** How many blocks lie between what is near and what is elsewhere. */
const FAR = 2

const collapsed = (text: string): string => text.replace(/\s+/gu, ' ').trim()

/** Whether `folded` holds `part` exactly once. */
function standsOnce(folded: string, part: string): boolean {
  const wanted = foldText(part).text.trim()
  const first = folded.indexOf(wanted)
  return wanted !== '' && first !== -1 && !folded.includes(wanted, first + 1)
}

/** The paragraphs and list items of a page that can be taken out and put elsewhere, in order. */
export function textBlocksOf({ html, text }: SavedPage): TextBlock[] {
  const folded = foldText(text).text
  const blocks: TextBlock[] = []
  for (const { 0: tag, 1: name = 'p', index } of html.matchAll(BLOCK)) {
    const innerStart = index + tag.length
    const innerEnd = html.indexOf(`</${name.toLowerCase()}>`, innerStart)
    const inner = html.slice(innerStart, innerEnd)
    if (innerEnd === -1 || inner.length > 4_000 || NESTED.test(inner)) continue
    const visible = collapsed(decodeHTML(inner.replace(/<[^<>]*>/gu, '')))
    if (visible.length < BLOCK_CHARACTERS.min || visible.length > BLOCK_CHARACTERS.max) continue
    if (!standsOnce(folded, visible)) continue
    blocks.push({ start: index, end: innerEnd + name.length + 3, innerStart, innerEnd, text: visible })
  }
  return blocks
}

function sentenceOf(page: SavedPage, { innerStart, innerEnd }: TextBlock, random: () => number) {
  const inner = page.html.slice(innerStart, innerEnd)
  if (/[<&]/u.test(inner)) return null
  const folded = foldText(page.text).text
  const sentences = createSentenceFinder(page.language)(inner).filter(
    ({ start, end }) =>
      end - start >= SENTENCE_CHARACTERS.min &&
      end - start <= SENTENCE_CHARACTERS.max &&
      standsOnce(folded, inner.slice(start, end)),
  )
  const found = sentences[Math.floor(random() * sentences.length)]
  if (found === undefined) return null
  const text = inner.slice(found.start, found.end)
  return { start: innerStart + found.start, end: innerStart + found.end, text }
}

const spliced = (html: string, start: number, end: number, put: string): string =>
  `${html.slice(0, start)}${put}${html.slice(end)}`

/** Takes `[start, end)` out and puts it in at `to`. */
function carried(html: string, start: number, end: number, to: number): string {
  const piece = html.slice(start, end)
  return to >= end
    ? `${html.slice(0, start)}${html.slice(end, to)}${piece}${html.slice(to)}`
    : `${html.slice(0, to)}${piece}${html.slice(to, start)}${html.slice(end)}`
}

/** A block with FAR blocks and more text than the quoted one between them; null on a page too short for that. */
function farBlock({ blocks, at, block, random }: Site): TextBlock | null {
  const far = blocks.filter((_, index) => {
    const between = blocks.slice(Math.min(index, at) + 1, Math.max(index, at))
    const characters = between.reduce((sum, { text }) => sum + text.length, 0)
    return between.length >= FAR && characters > block.text.length
  })
  return far[Math.floor(random() * far.length)] ?? null
}

/** `change` makes the HTML; what is quoted is the block or, by turns, a sentence of it. */
const quoting =
  (change: (site: Site) => string | null): Plant =>
  (site) => {
    const html = change(site)
    if (html === null) return null
    return {
      html,
      quote: site.sentence !== null && site.random() < 0.5 ? site.sentence.text : site.block.text,
    }
  }

const STANDS: Readonly<Record<string, Plant>> = {
  'nothing changed': quoting(({ page }) => page.html),
  'a paragraph put in elsewhere': quoting((site) => {
    const far = farBlock(site)
    return far === null ? null : spliced(site.page.html, far.end, far.end, `<p>${site.stranger.text}</p>`)
  }),
  'a paragraph taken out elsewhere': quoting((site) => {
    const far = farBlock(site)
    return far === null ? null : spliced(site.page.html, far.start, far.end, '')
  }),
  'a paragraph put in right before': quoting(({ page, block, stranger }) =>
    spliced(page.html, block.start, block.start, `<p>${stranger.text}</p>`),
  ),
  'both neighbours rewritten': quoting(({ page, blocks, at, stranger }) => {
    const [before, after] = [blocks[at - 1], blocks[at + 1]]
    if (before === undefined || after === undefined) return null
    const later = spliced(page.html, after.innerStart, after.innerEnd, stranger.text)
    return spliced(later, before.innerStart, before.innerEnd, stranger.text.toLowerCase())
  }),
  'words set in bold': quoting(({ page, sentence }) =>
    sentence === null ? null : bold(page.html, sentence),
  ),
  'other typography': ({ page, sentence, random }) => {
    if (sentence === null) return null
    const set = mutateText(sentence.text, page.language, 'typography', random)
    return set === null || set === sentence.text || /[<&]/u.test(set)
      ? null
      : { html: spliced(page.html, sentence.start, sentence.end, set), quote: sentence.text }
  },
}

const bold = (html: string, { start, text }: { start: number; text: string }): string => {
  const word = /\p{L}+/u.exec(text)
  const at = start + (word?.index ?? 0)
  return spliced(html, at, at + (word?.[0].length ?? 0), `<b>${word?.[0] ?? ''}</b>`)
}

const MOVED: Readonly<Record<string, Plant>> = {
  'the paragraph moved': quoting((site) => {
    const far = farBlock(site)
    return far === null ? null : carried(site.page.html, site.block.start, site.block.end, far.end)
  }),
  'the sentence moved': (site) => {
    const far = farBlock(site)
    const { sentence, page } = site
    if (far === null || sentence === null || collapsed(sentence.text) === site.block.text) return null
    const spaced = sentence.text.startsWith(' ') ? sentence.text : ` ${sentence.text}`
    const without = (html: string): string => spliced(html, sentence.start, sentence.end, '')
    const html =
      far.innerEnd > sentence.end
        ? without(spliced(page.html, far.innerEnd, far.innerEnd, spaced))
        : spliced(without(page.html), far.innerEnd, far.innerEnd, spaced)
    return { html, quote: sentence.text }
  },
}

const changing =
  (mutation: Mutation): Plant =>
  ({ page, block, sentence, random }) => {
    if (sentence === null) return null
    const changed = mutateText(collapsed(sentence.text), page.language, mutation, random)
    if (changed === null || foldText(changed).text === foldText(collapsed(sentence.text)).text) return null
    return {
      html: spliced(page.html, sentence.start, sentence.end, changed),
      quote: random() < 0.5 ? sentence.text : block.text,
    }
  }

const CHANGED: Readonly<Record<string, Plant>> = {
  'a number changed': changing('number'),
  'a denial put in': changing('negation'),
  'a name changed': changing('name'),
  'words replaced': changing('words replaced'),
  'words left out': changing('words left out'),
  'words put in': changing('words put in'),
}

const GONE: Readonly<Record<string, Plant>> = {
  'the paragraph taken out': quoting(({ page, block }) => spliced(page.html, block.start, block.end, '')),
  'the paragraph replaced': quoting(({ page, block, stranger }) =>
    spliced(page.html, block.innerStart, block.innerEnd, stranger.text),
  ),
  'the sentence taken out': ({ page, sentence }) =>
    sentence === null
      ? null
      : { html: spliced(page.html, sentence.start, sentence.end, ''), quote: sentence.text },
  'another page at the address': quoting(({ otherHtml }) => otherHtml),
}

const CLASSES = { stands: STANDS, moved: MOVED, changed: CHANGED, gone: GONE } as const

/** Up to `count` edits, as many of each standing, and of each standing as many of each kind as the pages allow. */
export function plantEdits(
  pages: readonly SavedPage[],
  count: number,
  random: () => number,
): { page: number; edit: PlantedEdit }[] {
  const known = pages.map((page) => ({ page, blocks: textBlocksOf(page) }))
  const usable = [...known.entries()].filter(([, { blocks }]) => blocks.length > 0)
  const planted: { page: number; edit: PlantedEdit }[] = []
  const classes = Object.entries(CLASSES) as [Standing['standing'], Readonly<Record<string, Plant>>][]
  for (const [standing, kinds] of classes) {
    const names = Object.entries(kinds)
    const wanted = planted.length + Math.floor(count / classes.length)
    for (let turn = 0; planted.length < wanted && turn < count * 40; turn++) {
      const [page, { blocks }] = usable[Math.floor(random() * usable.length)] ?? [0, { blocks: [] }]
      const [kind, plant] = names[planted.length % names.length] ?? ['', () => null]
      const site = siteOf(pages, page, blocks, usable, random)
      const made = site === null ? null : plant(site)
      if (made !== null && !(standing === 'gone' && isStillThere(made)))
        planted.push({ page, edit: { kind, standing, ...made } })
    }
  }
  return planted
}

/** Whether the words are left somewhere in the HTML, where the reader may yet find them. */
const isStillThere = ({ html, quote }: { html: string; quote: string }): boolean =>
  foldText(decodeHTML(html.replace(/<[^<>]*>/gu, ''))).text.includes(foldText(quote).text.trim())

function siteOf(
  pages: readonly SavedPage[],
  at: number,
  blocks: readonly TextBlock[],
  usable: readonly (readonly [number, { page: SavedPage; blocks: readonly TextBlock[] }])[],
  random: () => number,
): Site | null {
  const drawn = Math.floor(random() * blocks.length)
  const [page, block] = [pages[at], blocks[drawn]]
  const [otherAt, other] = usable[Math.floor(random() * usable.length)] ?? []
  const stranger = other?.blocks[Math.floor(random() * other.blocks.length)]
  if (page === undefined || block === undefined || other === undefined || stranger === undefined) return null
  if (otherAt === at || page.text.includes(stranger.text) || other.page.text.includes(block.text)) return null
  const sentence = sentenceOf(page, block, random)
  return {
    page,
    blocks,
    at: drawn,
    block,
    sentence,
    stranger,
    otherHtml: other.page.html,
    random,
  }
}
