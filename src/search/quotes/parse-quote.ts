// A quote as whoever wrote it may have changed it by the rules of quoting: words left out are marked […], words put in
// stand in brackets, and the first letter may be "[T]he".
import type { TextSpan } from '../../score/passage.ts'
import { cutFromEnd } from './answer-text.ts'

/** A run of words that is said to stand on the page as it is. Offsets into the quote. */
export interface QuotePiece extends TextSpan {
  /** How it is parted from the piece before: null for the first. */
  gap: 'elision' | 'insertion' | null
}

export interface ParsedQuote {
  /** The quote with "[T]he" as "The", and without the marks that it ends or begins with for words left out. */
  text: string
  /** Of `text`; one alone where nothing was left out or put in. */
  pieces: readonly QuotePiece[]
  /** What was put in would change a number or deny the sentence. */
  changesMeaning: boolean
}

const CHANGED_CASE = /\[([\p{Lu}\p{Ll}]\p{M}?)\]/gu
const ELISION_SIGN = String.raw`(?:…|\.{3,4}|\.\s\.\s\.)`
const ELISION_ALONE = new RegExp(String.raw`^[[(]?\s*${ELISION_SIGN}\s*[\])]?$`, 'u')
const GAP = new RegExp(String.raw`\[[^\][\n]{1,100}\]|\(\s*${ELISION_SIGN}\s*\)|${ELISION_SIGN}`, 'gu')
const ELISION_IN_BRACKETS = String.raw`[[(]\s*${ELISION_SIGN}\s*[\])]`
const FIRST_ELISIONS = new RegExp(String.raw`^(?:\s|${ELISION_IN_BRACKETS}|${ELISION_SIGN})+`, 'u')
const LAST_ELISIONS = new RegExp(ELISION_IN_BRACKETS, 'gu')
const REMARK = /^\[\s*(?:sic!?|emphasis (?:added|mine)|hervorhebung .{1,40}|sic erat)\s*\]$/iu

/** Words that deny, in the languages that search covers best; also as parts of words where they are written together. */
const DENIES =
  /(?<![\p{L}\p{N}])(?:not|no|never|none|nor|neither|without|cannot|nicht|nichts|kein(?:e[nmrs]?)?|nie|niemals|ohne|pas|jamais|aucune?|sans|nunca|jam[aá]s|ning[uú]n[ao]?|tampoco|sin|non|mai|nessun[ao]?|senza|n[aã]o|nenhum[a]?|sem|niet|geen|nooit|zonder|inte|aldrig|ikke|aldri|nie|bez|не|нет|никогда|без|ليس|لا|لم|لن|नहीं|değil)(?![\p{L}\p{N}])|n['’]t(?!\p{L})|[不没沒未無无非]|ない|ません|않|아니|못/iu

export const deniesSomething = (text: string): boolean => DENIES.test(text)

/** Time in proportion to the quote. */
export function parseQuote(quote: string): ParsedQuote {
  const text = cutFromEnd(quote.replace(CHANGED_CASE, '$1').replace(FIRST_ELISIONS, ''), LAST_ELISIONS)
  const pieces: QuotePiece[] = []
  let changesMeaning = false
  let at = 0
  let gap: QuotePiece['gap'] = null
  const close = (end: number): void => {
    const slice = text.slice(at, end)
    const start = at + slice.length - slice.trimStart().length
    const trimmed = slice.trim()
    if (/[\p{L}\p{N}]/u.test(trimmed))
      pieces.push({ start, end: start + trimmed.length, gap: pieces.length === 0 ? null : gap })
  }
  for (const { 0: mark, index } of text.matchAll(GAP)) {
    if (REMARK.test(mark)) continue
    close(index)
    const isElision = ELISION_ALONE.test(mark)
    gap = isElision ? 'elision' : 'insertion'
    changesMeaning ||= !isElision && (/\p{Nd}/u.test(mark) || deniesSomething(mark))
    at = index + mark.length
  }
  close(text.length)
  return { text, pieces, changesMeaning }
}
