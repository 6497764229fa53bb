// The text of secrets: minting, shape, checksum, hash.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { crc32 } from 'node:zlib'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** A path token has a prefix of its own, so that whoever sees one in an address knows that it belongs there. */
const KEY_PREFIXES = { header: 'vbt_', path: 'vbp_' } as const
export type KeyPlace = keyof typeof KEY_PREFIXES
const PREFIX_LENGTH = 4
const RANDOM_LENGTH = 30
const CHECKSUM_LENGTH = 6
const KEY_SHAPE = /^vb[tp]_[0-9A-Za-z]{36}$/u
const KEY_IN_ADDRESS = /^vb[tp]_[0-9A-Za-z]+$/u

/** Prefixes of the secrets other than keys. All match the log's scrubber (`vb` and one letter). */
const TOKEN_PREFIXES = { invitation: 'vbi_', session: 'vbs_', reset: 'vbr_' } as const
export type TokenKind = keyof typeof TOKEN_PREFIXES

/**
 * A new API key, for the header or the path: `vbt_` or `vbp_`, 30 base62 characters (178 bits) from the system's
 * generator, 6 of CRC-32 over the rest.
 */
export function mintKey(place: KeyPlace = 'header'): string {
  const body = KEY_PREFIXES[place] + randomBase62(RANDOM_LENGTH)
  return body + checksum(body)
}

/** Whether `text` has a key's shape and its checksum fits. Says nothing about whether the key exists. */
export function isWellFormedKey(text: string): boolean {
  if (!KEY_SHAPE.test(text)) return false
  const body = text.slice(0, PREFIX_LENGTH + RANDOM_LENGTH)
  return isSameText(checksum(body), text.slice(body.length))
}

/** Whether a part of an address is meant to be a key, well-formed or not: a path token, or a key in the wrong place. */
export const isKeyInAddress = (text: string): boolean => KEY_IN_ADDRESS.test(text)

/** Whether what is meant to be a key belongs in a header. */
export const isForHeader = (text: string): boolean => text.startsWith(KEY_PREFIXES.header)

/** What may be shown of a key after its creation: the first 8 characters and the last 4. */
export function displayParts(key: string): { prefix: string; lastFour: string } {
  return { prefix: key.slice(0, PREFIX_LENGTH + 4), lastFour: key.slice(-4) }
}

/** A new secret for a link or a cookie: 43 base62 characters (256 bits) behind the prefix of its kind. */
export function mintToken(kind: TokenKind): string {
  return TOKEN_PREFIXES[kind] + randomBase62(43)
}

/**
 * SHA-256 of a secret in hexadecimal: the only form that is stored. A plain hash is enough, because the secrets
 * carry 178 bits and more; slow hashes protect guessable passwords.
 */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}

/** A new row id such as `key_4fK…`: 16 base62 characters (95 bits). Ids are no secrets. */
export function mintId(prefix: 'key' | 'user' | 'invitation' | 'event'): string {
  return `${prefix}_${randomBase62(16)}`
}

/** Compares two texts in time that depends on their length alone. */
export function isSameText(left: string, right: string): boolean {
  const leftBytes = Buffer.from(left)
  const rightBytes = Buffer.from(right)
  return leftBytes.length === rightBytes.length && timingSafeEqual(leftBytes, rightBytes)
}

/** Uniform base62: bytes of 248 and above are thrown away, since 248 is the largest multiple of 62 in a byte. */
function randomBase62(length: number): string {
  let text = ''
  while (text.length < length) {
    for (const byte of randomBytes(length * 2)) {
      if (byte < 248 && text.length < length) text += ALPHABET.charAt(byte % 62)
    }
  }
  return text
}

/** CRC-32 (IEEE 802.3) of `body` in base62, padded to six characters (62^6 > 2^32). */
function checksum(body: string): string {
  let rest = crc32(body)
  let text = ''
  for (let index = 0; index < CHECKSUM_LENGTH; index += 1) {
    text = ALPHABET.charAt(rest % 62) + text
    rest = Math.floor(rest / 62)
  }
  return text
}
