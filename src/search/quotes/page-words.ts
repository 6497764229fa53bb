// The words of a folded text, and where each word stands: numbers with their separators are one word, and so is every
// character of a script that is written without spaces.
import { foldText, type FoldedText } from './folded-text.ts'

export interface PageWords {
  folded: FoldedText
  count: number
  /** Offsets into the folded text. */
  starts: Int32Array
  ends: Int32Array
  /** A 32-bit hash of each word; two words that differ share one once in four thousand million pairs. */
  hashes: Int32Array
}

/** What a unit is for the cutting of words. */
const OTHER = 0
const LETTER = 1
const DIGIT = 2
const ALONE = 3

const kinds = new Uint8Array(65_536).fill(255)
const ALONE_PATTERN =
  /[\u0e00-\u0e7f\u0e80-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]/u
const LETTER_PATTERN = /[\p{L}\p{M}\p{No}]/u

function kindOf(unit: number): number {
  const known = kinds[unit] ?? OTHER
  if (known !== 255) return known
  const character = String.fromCharCode(unit)
  const isSurrogate = unit >= 0xd800 && unit <= 0xdfff
  const kind = /\p{Nd}/u.test(character)
    ? DIGIT
    : ALONE_PATTERN.test(character)
      ? ALONE
      : isSurrogate || LETTER_PATTERN.test(character)
        ? LETTER
        : OTHER
  kinds[unit] = kind
  return kind
}

/** Whether two neighbouring units stand in one word: a border between them is no border of a quote. */
export function isInsideWord(text: string, at: number): boolean {
  if (at <= 0 || at >= text.length) return false
  const [before, after] = [kindOf(text.charCodeAt(at - 1)), kindOf(text.charCodeAt(at))]
  if ((before === LETTER || before === DIGIT) && (after === LETTER || after === DIGIT)) return true
  return isInsideNumber(text, at)
}

const SEPARATORS: ReadonlySet<number> = new Set(Array.from(".,'", (sign) => sign.charCodeAt(0)))

const isDigitAt = (text: string, at: number): boolean => kindOf(text.charCodeAt(at)) === DIGIT
const isSeparatorAt = (text: string, at: number): boolean => SEPARATORS.has(text.charCodeAt(at))

/** Whether a border at `at` lies between the digits of one number: "15", "1.5" and "1,500". */
export function cutsNumber(text: string, at: number): boolean {
  const before = isSeparatorAt(text, at - 1) ? at - 2 : at - 1
  const after = isSeparatorAt(text, at) ? at + 1 : at
  return after - before <= 2 && isDigitAt(text, before) && isDigitAt(text, after)
}

/** "-5" is one number, too, unless the dash stands between two things. */
function isInsideNumber(text: string, at: number): boolean {
  if (cutsNumber(text, at)) return true
  const isMinus = text.charCodeAt(at - 1) === 45 && isDigitAt(text, at)
  return isMinus && (at < 2 || kindOf(text.charCodeAt(at - 2)) === OTHER)
}

/** FNV-1a (RFC 9923). */
function hashOf(text: string, start: number, end: number): number {
  let hash = 0x811c9dc5
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash
}

/** Where the word that begins at `at` ends. */
function wordEnd(text: string, at: number): number {
  const kind = kindOf(text.charCodeAt(at))
  let end = at + 1
  if (kind === ALONE) return end
  while (end < text.length) {
    const next = kindOf(text.charCodeAt(end))
    const isSeparated = SEPARATORS.has(text.charCodeAt(end)) && isInsideNumber(text, end)
    if (next !== LETTER && next !== DIGIT && !isSeparated) break
    end += 1
  }
  return end
}

/** Time in proportion to the text. */
export function readWords(original: string): PageWords {
  const folded = foldText(original)
  const { text } = folded
  const starts = new Int32Array(text.length)
  const ends = new Int32Array(text.length)
  const hashes = new Int32Array(text.length)
  let count = 0
  for (let at = 0; at < text.length;) {
    if (kindOf(text.charCodeAt(at)) === OTHER) {
      at += 1
      continue
    }
    const end = wordEnd(text, at)
    starts[count] = at
    ends[count] = end
    hashes[count] = hashOf(text, at, end)
    count += 1
    at = end
  }
  return {
    folded,
    count,
    starts: starts.slice(0, count),
    ends: ends.slice(0, count),
    hashes: hashes.slice(0, count),
  }
}

export const wordAt = ({ folded, starts, ends }: PageWords, index: number): string =>
  folded.text.slice(starts[index], ends[index])
