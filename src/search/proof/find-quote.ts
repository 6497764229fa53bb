// Whether and where a quote stands in a text: to the letter, or but for spacing, case and typographic signs. Pure.

export interface QuotePlace {
  match: 'exact' | 'normalised' | 'none'
  /** UTF-16 offsets into the text; null when the quote does not stand there. */
  start: number | null
  end: number | null
}

const SIGNS: Readonly<Record<string, string>> = {
  '‘': "'",
  '’': "'",
  '‚': "'",
  '“': '"',
  '”': '"',
  '„': '"',
  '«': '"',
  '»': '"',
  '‐': '-',
  '‑': '-',
  '–': '-',
  '—': '-',
  '…': '.',
}

/** A text in its plainest form, and for each of its units the offset in the original. */
interface PlainText {
  text: string
  offsets: readonly number[]
}

/**
 * Finds quotes in one text, whose plain form is made once: the first place of a quote; an exact place is preferred to an
 * earlier normalised one. Takes time in proportion to the text, and to the text for each quote.
 */
export function createQuoteFinder(text: string): (quote: string) => QuotePlace {
  let plain: PlainText | null = null
  return function find(quote) {
    const exact = text.indexOf(quote)
    if (exact !== -1) return { match: 'exact', start: exact, end: exact + quote.length }
    const wanted = normalise(quote).text.trim()
    if (wanted === '') return { match: 'none', start: null, end: null }
    plain ??= normalise(text)
    const found = plain.text.indexOf(wanted)
    if (found === -1) return { match: 'none', start: null, end: null }
    const last = plain.offsets[found + wanted.length - 1] ?? 0
    return { match: 'normalised', start: plain.offsets[found] ?? 0, end: last + unitsAt(text, last) }
  }
}

/** Soft hyphens and the like vanish, white space is one space. */
function normalise(text: string): PlainText {
  // Pieces, joined at the end: a string that is looked at while it grows is copied each time.
  const pieces: string[] = []
  const offsets: number[] = []
  let isAfterSpace = false
  let offset = 0
  for (const character of text) {
    const folded = fold(character)
    if (folded !== '' && !(folded === ' ' && isAfterSpace)) {
      for (let unit = 0; unit < folded.length; unit += 1) offsets.push(offset)
      pieces.push(folded)
      isAfterSpace = folded === ' '
    }
    offset += character.length
  }
  return { text: pieces.join(''), offsets }
}

function fold(character: string): string {
  if (/\s/u.test(character)) return ' '
  if (/[\u00AD\u200B-\u200D\u2060\uFEFF]/u.test(character)) return ''
  return SIGNS[character] ?? character.toLowerCase()
}

function unitsAt(text: string, offset: number): number {
  return (text.codePointAt(offset) ?? 0) > 0xffff ? 2 : 1
}
