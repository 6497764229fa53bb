// The characters that selectors are made of, by their codes, and where a name ends.

export const GREATER = 62
export const PLUS = 43
export const TILDE = 126
export const BACKSLASH = 92
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
    if (code === BACKSLASH) at++
    else if (!isPart) break
    at++
  }
  return Math.min(at, to)
}

/** A name as elements have it. */
export const unescaped = (name: string): string => (name.includes('\\') ? name.replace(/\\(.)/g, '$1') : name)
