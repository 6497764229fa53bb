// The bytes by which markup is told in any ASCII-compatible encoding.

const codeOf = (character: string): number => character.charCodeAt(0)
export const LESS = codeOf('<')
export const GREATER = codeOf('>')
export const SLASH = codeOf('/')
export const DASH = codeOf('-')
export const BANG = codeOf('!')
export const EQUALS = codeOf('=')
export const QUESTION = codeOf('?')
export const QUOTE = codeOf('"')
export const APOSTROPHE = codeOf("'")

export const isLetter = (byte: number): boolean => (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a
export const isSpace = (byte: number): boolean => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d)
/** Whether it ends the name of a tag. */
export const endsName = (byte: number): boolean => byte === GREATER || byte === SLASH || isSpace(byte)

/** Whether the end tag of raw text begins at `at`, as far as the piece goes. */
export function mayEnd(name: string, piece: Uint8Array, at: number): boolean {
  if (piece[at] !== LESS) return false
  const from = at + '</'.length
  if (from <= piece.length && piece[at + 1] !== SLASH) return false
  for (let index = 0; index < name.length && from + index < piece.length; index += 1)
    if (((piece[from + index] ?? 0) | 0x20) !== name.charCodeAt(index)) return false
  const next = piece[from + name.length]
  return next === undefined || endsName(next)
}

/** The bytes as one character each. */
export const latin1 = (piece: Uint8Array, from: number, to: number): string =>
  Buffer.from(piece.buffer, piece.byteOffset + from, to - from).toString('latin1')
