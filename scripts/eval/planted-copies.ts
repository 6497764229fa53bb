// Texts of saved pages printed again by other sites, edited as partners of a network edit them, and pages that only look so.
// A copy stands in the HTML of another saved page, in place of that page's own text. The same seed plants the same copies.
import { textBlocksOf, type SavedPage, type TextBlock } from './planted-edits.ts'

export interface PlantedPage {
  html: string
  /** Pages of one text share its number. */
  text: number
  /** What was done to the text; `ORIGINAL` for nothing. */
  kind: string
}

export const ORIGINAL = 'the original'

interface Source {
  html: string
  blocks: readonly TextBlock[]
  /** Inner HTML of its blocks, in order. */
  paragraphs: readonly string[]
}

const BLOCKS_MIN = 6
const CHARACTERS_MIN = 1_500
/** Of a page's text that must be blocks: of other pages too much of their own would stay beside a copy. */
const COVERED_SHARE_MIN = 0.7
const KNOWN_SHARE_MAX = 0.1

function sourceOf(page: SavedPage): Source | null {
  const blocks = textBlocksOf(page)
  const characters = blocks.reduce((sum, { text }) => sum + text.length, 0)
  const isCovered = characters >= page.text.length * COVERED_SHARE_MIN
  if (blocks.length < BLOCKS_MIN || characters < CHARACTERS_MIN || !isCovered) return null
  const paragraphs = blocks.map(({ innerStart, innerEnd }) => page.html.slice(innerStart, innerEnd))
  return { html: page.html, blocks, paragraphs }
}

/** The pages that can be used, without those that print an earlier one's text as they were saved. */
export function sourcesOf(pages: readonly SavedPage[]): Source[] {
  const seen = new Set<string>()
  return pages.flatMap((page) => {
    const source = sourceOf(page)
    if (source === null) return []
    const isKnown =
      source.blocks.filter(({ text }) => seen.has(text)).length > source.blocks.length * KNOWN_SHARE_MAX
    for (const { text } of source.blocks) seen.add(text)
    return isKnown ? [] : [source]
  })
}

/** The page with these paragraphs in place of its own, where its longest one stood. */
function framed({ html, blocks }: Source, paragraphs: readonly string[]): string {
  const longest = blocks.reduce((best, one) => (one.text.length > best.text.length ? one : best))
  let [out, at] = ['', 0]
  for (const block of blocks) {
    out += html.slice(at, block.start)
    if (block === longest) out += paragraphs.map((paragraph) => `<p>${paragraph}</p>`).join('\n')
    at = block.end
  }
  return out + html.slice(at)
}

type Edit = (paragraphs: readonly string[], stranger: readonly string[], random: () => number) => string[]

const share = <T>(list: readonly T[], of: number): T[] => list.slice(0, Math.ceil(list.length * of))

/** Each word outside of tags, one in `every`, becomes another. */
function reworded(paragraph: string, every: number, random: () => number): string {
  return paragraph.replace(/(<[^<>]*>)|[\p{L}]{3,}/gu, (word, tag: string | undefined) =>
    tag === undefined && random() < 1 / every ? `${word.slice(1)}${word.slice(0, 1)}` : word,
  )
}

const COPIES: Readonly<Record<string, Edit>> = {
  'as it was': (paragraphs) => [...paragraphs],
  'a notice before and after it': (paragraphs, stranger) => [
    ...stranger.slice(0, 1),
    ...paragraphs,
    ...stranger.slice(1, 2),
  ],
  'one paragraph in five left out': (paragraphs) => paragraphs.filter((_, at) => at % 5 !== 2),
  'cut off after three quarters': (paragraphs) => share(paragraphs, 0.75),
  'one word in thirty changed': (paragraphs, _, random) =>
    paragraphs.map((paragraph) => reworded(paragraph, 30, random)),
  'its beginning rewritten': (paragraphs, stranger) => [...stranger.slice(0, 1), ...paragraphs.slice(1)],
  'a fifth of other text put in': (paragraphs, stranger) => [
    ...share(paragraphs, 0.5),
    ...shorterThan(stranger, paragraphs.join('').length / 5),
    ...paragraphs.slice(Math.ceil(paragraphs.length / 2)),
  ],
  'its paragraphs in another order': (paragraphs) => [
    ...paragraphs.slice(Math.ceil(paragraphs.length / 2)),
    ...share(paragraphs, 0.5),
  ],
}

/** Another page, which quotes: it prints its own text. */
const QUOTING: Readonly<Record<string, Edit>> = {
  'quotes two paragraphs': (paragraphs, stranger) => [
    ...share(stranger, 0.5),
    ...shorterThan(paragraphs, Math.min(2, paragraphs.length / 5) * averageLength(paragraphs)),
    ...stranger.slice(Math.ceil(stranger.length / 2)),
  ],
  'a digest that takes a quarter': (paragraphs, stranger) => [
    ...shorterThan(paragraphs, stranger.join('').length / 4),
    ...stranger,
  ],
}

const averageLength = (paragraphs: readonly string[]): number =>
  paragraphs.join('').length / Math.max(1, paragraphs.length)

/** The first paragraphs, as long as they are together no longer than this; at least one. */
function shorterThan(paragraphs: readonly string[], characters: number): string[] {
  let sum = 0
  return paragraphs.filter((paragraph, at) => (sum += paragraph.length) <= characters || at === 0)
}

function turn(edits: Readonly<Record<string, Edit>>, at: number): [string, Edit] {
  const all = Object.entries(edits)
  return all[at % all.length] ?? ['', (paragraphs) => [...paragraphs]]
}

/**
 * Each usable page as it is, twice as a copy in the frame of another page, and every second time quoted by a page that is
 * itself one text more. Frames are used again, so that many pages share a frame and not a text.
 */
export function plantCopies(sources: readonly Source[], random: () => number): PlantedPage[] {
  const planted: PlantedPage[] = []
  const drawOther = (than: number): number =>
    (than + 1 + Math.floor(random() * (sources.length - 1))) % sources.length
  const plant = (text: number, [kind, edit]: [string, Edit], isQuoted: boolean) => {
    const [own, frame, other] = [text, drawOther(text), drawOther(text)].map((at) => sources[at])
    if (own === undefined || frame === undefined || other === undefined) return
    const html = framed(frame, edit(own.paragraphs, other.paragraphs, random))
    planted.push({ html, text: isQuoted ? sources.indexOf(other) : text, kind })
  }
  for (const [text, { html }] of sources.entries()) {
    planted.push({ html, text, kind: ORIGINAL })
    plant(text, turn(COPIES, text), false)
    plant(text, turn(COPIES, text * 3 + 1), false)
    if (text % 2 === 0) plant(text, turn(QUOTING, text / 2), true)
  }
  return planted
}
