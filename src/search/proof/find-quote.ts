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

/** The first place of `quote` in `text`; an exact place is preferred to an earlier normalised one. */
export function findQuote(text: string, quote: string): QuotePlace {
  const exact = text.indexOf(quote)
  if (exact !== -1) return { match: 'exact', start: exact, end: exact + quote.length }
  const wanted = normalise(quote).text.trim()
  if (wanted === '') return { match: 'none', start: null, end: null }
  const haystack = normalise(text)
  const found = haystack.text.indexOf(wanted)
  if (found === -1) return { match: 'none', start: null, end: null }
  const last = haystack.offsets[found + wanted.length - 1] ?? 0
  return { match: 'normalised', start: haystack.offsets[found] ?? 0, end: last + unitsAt(text, last) }
}

/** The text in its plainest form, and for each of its units the offset in the original. Soft hyphens vanish. */
function normalise(text: string): { text: string; offsets: number[] } {
  let plain = ''
  const offsets: number[] = []
  let offset = 0
  for (const character of text) {
    const folded = fold(character)
    if (!(folded === ' ' && plain.endsWith(' '))) {
      for (let unit = 0; unit < folded.length; unit += 1) offsets.push(offset)
      plain += folded
    }
    offset += character.length
  }
  return { text: plain, offsets }
}

function fold(character: string): string {
  if (/\s/u.test(character)) return ' '
  if (/[\u00AD\u200B-\u200D\u2060\uFEFF]/u.test(character)) return ''
  return SIGNS[character] ?? character.toLowerCase()
}

function unitsAt(text: string, offset: number): number {
  return (text.codePointAt(offset) ?? 0) > 0xffff ? 2 : 1
}
