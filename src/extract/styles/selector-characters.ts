// The characters that selectors are made of, by their codes, where a name ends, and what escapes in it mean.

export const GREATER = 62
export const PLUS = 43
export const TILDE = 126
const BACKSLASH = 92
export const DOT = 46
export const HASH = 35
export const STAR = 42
export const COMMA = 44
export const COLON = 58
export const PARENTHESIS = 40
export const BRACKET = 91

/** Letters, digits, hyphens, underscores, escapes and all beyond ASCII. */
export function endOfName(text: string, from: number, to: number): number {
  let at = from
  while (at < to) {
    const code = text.charCodeAt(at)
    const lower = code | 32
    const isPart =
      (lower >= 97 && lower <= 122) || (code >= 48 && code <= 57) || code === 45 || code === 95 || code > 127
    if (code === BACKSLASH) at = endOfEscape(text, at)
    else if (isPart) at++
    else break
  }
  return Math.min(at, to)
}

/** A sign by its code, with one white space behind it, or a sign that is to mean itself (CSS Syntax 3, §4.3.7). */
const ESCAPE = /\\(?:([\da-f]{1,6})\s?|([^]))/gi
const ESCAPE_HERE = new RegExp(ESCAPE, 'iy')

function endOfEscape(text: string, at: number): number {
  ESCAPE_HERE.lastIndex = at
  return ESCAPE_HERE.test(text) ? ESCAPE_HERE.lastIndex : at + 1
}

function escapedSign(hex: string | undefined, sign: string): string {
  if (hex === undefined) return sign
  const code = parseInt(hex, 16)
  const isNone = code === 0 || code > 0x10_ffff || (code >= 0xd800 && code < 0xe000)
  return isNone ? '\ufffd' : String.fromCodePoint(code)
}

/** A name as elements have it. */
export const unescaped = (name: string): string =>
  name.includes('\\')
    ? name.replace(ESCAPE, (_escape, hex: string | undefined, sign: string) => escapedSign(hex, sign))
    : name

/** Where signs of ASCII that are no part of a name lie while they are one: private characters, which names may hold. */
const APART = 0xe000

/** A selector whose escapes are undone; signs that would mean something in it are put apart. */
export const escapesApart = (selector: string): string =>
  selector.includes('\\')
    ? selector.replace(ESCAPE, (_escape, hex: string | undefined, sign: string) =>
        escapedSign(hex, sign).replace(/[^\w\u{80}-\u{10ffff}-]/gu, (plain) =>
          String.fromCharCode(APART + plain.charCodeAt(0)),
        ),
      )
    : selector

/** A name of a selector whose escapes were put apart, as elements have it. */
export const nameOf = (name: string): string =>
  name.replace(/[\ue000-\ue07f]/g, (apart) => String.fromCharCode(apart.charCodeAt(0) - APART))
