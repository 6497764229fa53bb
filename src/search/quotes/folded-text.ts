// A text as a careful reader compares it: without regard to case, to the kind of quotation marks and dashes, to spaces
// and ligatures, but with every letter, digit and sign that means something. Knows for each unit where it stood before.
import type { TextSpan } from '../../score/passage.ts'
import { signsFor, SPELT_OUT } from './typed-signs.ts'

export interface FoldedText {
  text: string
  /** The stretch of the original that `[start, end)` of the folded text was made from. */
  originalOf(start: number, end: number): TextSpan
}

/** What stands for a character when it is compared; '' where it is not compared at all. */
const SIGNS: Readonly<Record<string, string>> = {
  ...signsFor("'", '‘’‚‛′´`ʼ＇'),
  ...signsFor('"', '“”„‟«»‹›″「」『』〝〞〟＂'),
  ...signsFor('-', '‐‑‒–—―−﹣－⸺'),
  ...signsFor('', '\u00ad\u200b\u200c\u200d\u2060\ufeff\u200e\u200f'),
  ...SPELT_OUT,
  // Letters whose case is not a matter of one letter to one.
  ß: 'ss',
  ẞ: 'ss',
  ı: 'i',
  İ: 'i',
  // The dot that "İ" keeps in small letters where nobody knows that they are Turkish: it composes with no i.
  '\u0307': '',
  և: 'եւ',
  ς: 'σ',
}

/**
 * What each UTF-16 unit folds to, as far as it is known: few characters make most texts. One unit for most of them;
 * those that fold to several, or to nothing, are SEVERAL; 0 is not known yet.
 */
const known = new Uint16Array(65_536)
const SEVERAL = 0xffff
const several = new Map<number, string>()
const SPACE = 32
const DASH = 45

function learn(code: number): number {
  const fold = foldUnit(code)
  const unit = fold.length === 1 ? fold.charCodeAt(0) : SEVERAL
  if (unit === SEVERAL) several.set(code, fold)
  known[code] = unit
  return unit
}

function foldUnit(code: number): string {
  const character = String.fromCharCode(code)
  if (/\s/u.test(character)) return ' '
  const sign = SIGNS[character]
  if (sign !== undefined) return sign
  // Full-width forms of ASCII: the same characters, set wider.
  const plain = code >= 0xff01 && code <= 0xff5e ? String.fromCharCode(code - 0xfee0) : character
  return plain.toLowerCase()
}

/** Combining marks of the Latin, Greek and Cyrillic scripts: composed with their letter before they are compared. */
const isCombining = (code: number): boolean => code >= 0x300 && code <= 0x36f
const isDigit = (code: number): boolean => code >= 48 && code <= 57
/** Signs that some languages set a space before, and others none. */
const CLOSES_UP: ReadonlySet<number> = new Set(Array.from('?!:;,.)%', (sign) => sign.charCodeAt(0)))

/** The folded units of a text while they grow, and where each came from. */
interface Folding {
  units: Uint16Array
  starts: Int32Array
  ends: Int32Array
  length: number
}

const createFolding = (capacity: number): Folding => ({
  units: new Uint16Array(capacity),
  starts: new Int32Array(capacity),
  ends: new Int32Array(capacity),
  length: 0,
})

function grown({ units, starts, ends, length }: Folding): Folding {
  const larger = createFolding(length * 2)
  larger.units.set(units)
  larger.starts.set(starts)
  larger.ends.set(ends)
  return { ...larger, length }
}

function append(folding: Folding, unit: number, start: number, end: number): void {
  folding.units[folding.length] = unit
  folding.starts[folding.length] = start
  folding.ends[folding.length] = end
  folding.length += 1
}

/** Whether the space before `unit` means nothing: before a sign that closes up, or beside a dash between words. */
function closesUp({ units, length }: Folding, unit: number): boolean {
  if (length < 2 || units[length - 1] !== SPACE) return false
  const before = units[length - 2] ?? 0
  if (CLOSES_UP.has(unit) || (unit === DASH && !isDigit(before))) return true
  return before === DASH && !isDigit(unit) && !isDigit(units[length - 3] ?? 0)
}

const APOSTROPHE = 39
const QUOTATION_MARK = 34
const isWordUnit = (code: number): boolean => /[\p{L}\p{N}]/u.test(String.fromCharCode(code))

/**
 * Whether a single mark is one of quotation, which is set double or single as the quote around it wants: neither within
 * a word nor behind a number, where it is a foot or a minute.
 */
function isQuotationMark({ units, length }: Folding, next: number): boolean {
  const before = length === 0 ? SPACE : (units[length - 1] ?? SPACE)
  return !isDigit(before) && !(isWordUnit(before) && isWordUnit(next))
}

const endsWithMark = ({ units, length }: Folding): boolean => units[length - 1] === QUOTATION_MARK

/** A footnote's mark that hangs on a word: "word[12]", "word[a]". */
const FOOTNOTE_MARK = /\[(?:\d{1,3}|[a-z])\]/uy
const OPENING_BRACKET = 91

/** How long the footnote's mark at `at` is; 0 where there is none. */
function footnoteMarkAt(text: string, at: number): number {
  if (at === 0 || /\s/u.test(text[at - 1] ?? '')) return 0
  FOOTNOTE_MARK.lastIndex = at
  return FOOTNOTE_MARK.exec(text)?.[0].length ?? 0
}

/** Time and memory in proportion to the text: some ten bytes a character. */
export function foldText(original: string): FoldedText {
  let folding = createFolding(original.length + 64)
  for (let at = 0; at < original.length; at++) {
    const start = at
    let code = original.charCodeAt(at)
    if (code === OPENING_BRACKET) {
      const markLength = footnoteMarkAt(original, at)
      if (markLength > 0) {
        at += markLength - 1
        continue
      }
    }
    if (isCombining(original.charCodeAt(at + 1))) {
      const composed = original.slice(at, at + 2).normalize('NFC')
      if (composed.length === 1) [code, at] = [composed.charCodeAt(0), at + 1]
    }
    const sign = known[code] || learn(code)
    const isQuotation = sign === APOSTROPHE && isQuotationMark(folding, original.charCodeAt(at + 1))
    // Two single marks are how some keyboards write a double one.
    if (isQuotation && sign === known[original.charCodeAt(at - 1)] && endsWithMark(folding)) continue
    const unit = isQuotation ? QUOTATION_MARK : sign
    if (folding.length + 8 > folding.units.length) folding = grown(folding)
    if (unit === SPACE && folding.length > 0 && folding.units[folding.length - 1] === SPACE) continue
    const fold = unit === SEVERAL ? (several.get(code) ?? '') : ''
    if (unit === SEVERAL && fold === '') continue
    if (closesUp(folding, unit === SEVERAL ? fold.charCodeAt(0) : unit)) folding.length -= 1
    if (unit !== SEVERAL) append(folding, unit, start, at + 1)
    else
      for (let index = 0; index < fold.length; index++) append(folding, fold.charCodeAt(index), start, at + 1)
  }
  const { units, starts, ends, length } = folding
  return {
    text: new TextDecoder('utf-16le').decode(units.subarray(0, length)),
    originalOf: (start, end) => ({ start: starts[start] ?? 0, end: ends[end - 1] ?? 0 }),
  }
}
