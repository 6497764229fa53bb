// Characters that show nothing and say something to a machine: tags that spell hidden words, overrides that make a line
// read otherwise than it stands, marks between letters. A person does not see them, so they are no text.
import type { Block, PageText } from './document.ts'

/**
 * NUL, which no browser shows and PostgreSQL takes in no text; tags, but for those of a flag (Unicode emoji ENG, SCT,
 * WLS); what overrides or embeds directions; word joiners, invisible operators and spaces without width, joiners beside
 * one another or between Latin letters, which shape nothing there; variation selectors that follow another one, or are
 * of the ideographs' plane and follow no ideograph.
 */
const INVISIBLE =
  /\0+|[\u200B-\u200D\u2060\uFEFF]{2,}|(?<!\u{1F3F4}[\u{E0020}-\u{E007F}]{0,5})[\u{E0000}-\u{E007F}]+|[\u202A-\u202E\u2066-\u2069\u200B\u2060-\u2065\u180E\uFEFF\u{1BCA0}-\u{1BCA3}\u{1D173}-\u{1D17A}]+|(?<=[\p{Script=Latin}\d])[\u200C\u200D]+(?=[\p{Script=Latin}\d])|(?<=[\uFE00-\uFE0F\u{E0100}-\u{E01EF}])[\uFE00-\uFE0F\u{E0100}-\u{E01EF}]+|(?<!\p{Script=Han})[\u{E0100}-\u{E01EF}]+/gu

/** Half of a surrogate pair: strict readers of JSON refuse an answer that holds one, and no digest tells it from others. */
const HALF = /\p{Cs}/gu
const wholeCharacters = (text: string): string => text.replace(HALF, '\ufffd')

/** The page without them: its text, its blocks over what is left, and its title. */
export const withoutInvisible = (page: PageText): PageText => withoutUnseen(withWholeCharacters(page))

/** What scripts and data cut within a character shows as the replacement character, which is as long. */
function withWholeCharacters(page: PageText): PageText {
  const title = page.title === null ? null : wholeCharacters(page.title)
  const text = wholeCharacters(page.text)
  if (text === page.text) return title === page.title ? page : { ...page, title }
  const blocks = page.blocks.map((block) => ({ ...block, headings: block.headings.map(wholeCharacters) }))
  return { ...page, title, text, blocks }
}

function withoutUnseen(page: PageText): PageText {
  const title = page.title === null ? null : page.title.replace(INVISIBLE, '')
  const gaps = gapsIn(page.text)
  if (gaps.length === 0) return title === page.title ? page : { ...page, title }
  const moved = offsetMap(gaps)
  const blocks = spansMoved(page.blocks, moved).map((block) => withPartsMoved(block, moved))
  const places = page.places?.map((place) => ({ ...place, start: moved(place.start) }))
  const text = page.text.replace(INVISIBLE, '')
  return { ...page, title, text, blocks, ...(places === undefined ? {} : { places }) }
}

function withPartsMoved(block: Block, moved: (offset: number) => number): Block {
  const { links, table } = block
  return {
    ...block,
    ...(links === undefined ? {} : { links: spansMoved(links, moved) }),
    ...(table === undefined ? {} : { table: { ...table, cells: spansMoved(table.cells, moved) } }),
  }
}

const spansMoved = <Span extends { start: number; end: number }>(
  spans: readonly Span[],
  moved: (offset: number) => number,
): Span[] =>
  spans
    .map((span) => ({ ...span, start: moved(span.start), end: moved(span.end) }))
    .filter(({ start, end }) => end > start)

interface Gap {
  start: number
  end: number
  /** Units left out up to its end. */
  removed: number
}

/** One of these is in every match: a text without them, as most are, is seen through far more quickly so. */
const MAY_BE_INVISIBLE =
  /\0|[\uFE00-\uFE0F]|[\u180E\u200B-\u200D\u202A-\u202E\u2060-\u2069\uFEFF\uD82F\uD834\uDB40]/

function gapsIn(text: string): Gap[] {
  const gaps: Gap[] = []
  if (!MAY_BE_INVISIBLE.test(text)) return gaps
  let removed = 0
  for (const { 0: found, index } of text.matchAll(INVISIBLE)) {
    removed += found.length
    gaps.push({ start: index, end: index + found.length, removed })
  }
  return gaps
}

/** From an offset before to the one after; to be asked in any order. */
function offsetMap(gaps: readonly Gap[]): (offset: number) => number {
  return function moved(offset) {
    let [low, high] = [0, gaps.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((gaps[middle]?.end ?? 0) <= offset) low = middle + 1
      else high = middle
    }
    const inside = gaps[low]
    const within = inside === undefined ? 0 : Math.max(0, offset - inside.start)
    return offset - (gaps[low - 1]?.removed ?? 0) - within
  }
}
