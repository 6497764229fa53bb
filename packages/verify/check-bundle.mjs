// Checks a signed bundle of Verbatim without the service: the signature (RFC 7515, RFC 8037), the digest of the text, and
// that every snippet is the slice of the text that it is said to be. Pure, no dependencies, to be read in one sitting.
// @ts-check
import { createHash, createPublicKey, verify } from 'node:crypto'

const TYPE = 'verbatim-proof+jws'
const VERSION = 1
/** Replicas look for a new key once a minute, and clocks differ. */
const CLOCK_SECONDS = 600
const BUNDLE_MEMBERS = ['jws', 'snippets', 'text']
const JWS_MEMBERS = ['payload', 'protected', 'signature']
const DIGEST = /^[0-9a-f]{64}$/u

/**
 * @typedef {{ version: 1, issuer: string, signed_at: string, url: string, final_url: string, fetched_at: string,
 *   capture: { sha256: string, bytes: number, media_type: string }, reader: string,
 *   text: { sha256: string, length: number }, snippets: { start: number, end: number, sha256: string }[] }} Statement
 * @typedef {{ kid: string, x: string, issued: number, expired: number }} Key
 * @typedef {{ statement: Statement, keyId: string, snippets: string[], isTextChecked: boolean,
 *   isCaptureChecked: boolean }} Checked `isTextChecked`: whether the text was there, so that every snippet was cut out of it
 *   anew; `isCaptureChecked`: whether somebody kept what the page was read from, and it is the same
 * @typedef {{ text?: string, capture?: Uint8Array }} Kept what is kept beside the bundle
 */

/** Why a bundle is refused, in a sentence. */
export class BundleError extends Error {}

/**
 * Checks a bundle, parsed from JSON, against a JWK set that whoever checks trusts. Nothing is fetched.
 * @param {unknown} bundle @param {unknown} keyList @param {Kept} [kept]
 * @returns {Checked}
 * @throws {BundleError} when anything does not hold
 */
export function checkBundle(bundle, keyList, kept = {}) {
  const { jws, snippets, text } = membersOf(bundle, 'the bundle', BUNDLE_MEMBERS)
  const { statement, keyId } = checkSignature(jws, keysOf(keyList))
  const signed = checkSnippets(snippets, statement)
  const texts = [text, kept.text].filter((one) => one !== undefined)
  for (const one of texts) checkText(one, statement, signed)
  if (kept.capture !== undefined && sha256Of(kept.capture) !== statement.capture.sha256)
    throw new BundleError('What is kept of the page is not what it was read from.')
  const isCaptureChecked = kept.capture !== undefined
  return { statement, keyId, snippets: signed, isTextChecked: texts.length > 0, isCaptureChecked }
}

/**
 * Holds what an answer shows beside a bundle to what was signed: its addresses, its digest and its time, and every snippet,
 * which must be one of the bundle's and stand where it is said to. Titles, dates, scores and content nobody signed.
 * @param {unknown} result of /v1/search or /v1/read
 * @param {Checked} checked its bundle
 * @throws {BundleError} when anything does not hold
 */
export function checkResult(result, { statement, snippets: signed }) {
  if (!isObject(result)) throw new BundleError('There is no object where a result should be.')
  const { url, final_url: finalUrl, text, fetched_at: fetchedAt } = statement
  if (!isSame(result.url, url, finalUrl) || !isSame(result.final_url, finalUrl))
    throw new BundleError('The result names another page than its bundle.')
  if (!isSame(result.content_sha256, text.sha256) || !isSame(result.fetched_at, fetchedAt))
    throw new BundleError('The result names another text or time than its bundle.')
  const shown = result.snippets ?? []
  if (!Array.isArray(shown)) throw new BundleError('The snippets of the result are no list.')
  for (const [at, snippet] of shown.entries()) checkShown(snippet, at + 1, statement, signed)
}

/** Whether what is shown, if anything is, is one of what was signed. @param {unknown} shown @param {string[]} said */
const isSame = (shown, ...said) => shown === undefined || shown === null || said.some((one) => one === shown)

/** @param {any} snippet @param {number} number @param {Statement} statement @param {string[]} signed */
function checkShown(snippet, number, { snippets: places }, signed) {
  // As the service signs half a surrogate pair, which has no UTF-8 of its own.
  const text = Buffer.from(isString(snippet?.text) ? snippet.text : '').toString()
  const own = places.filter((_place, at) => signed[at] === text)
  if (own.length === 0) throw new BundleError(`Snippet ${number} of the result is none of its bundle's.`)
  const { start = own[0]?.start, end = own[0]?.end } = snippet
  if (!own.some((place) => place.start === start && place.end === end))
    throw new BundleError(`Snippet ${number} of the result does not stand where the result says.`)
}

/** @param {unknown} jws @param {Key[]} keys */
function checkSignature(jws, keys) {
  const parts = membersOf(jws, 'the signature', JWS_MEMBERS)
  const header = parseJson(bytesOf(parts.protected, 'protected header'), 'protected header')
  const { alg, typ, kid } = membersOf(header, 'the protected header', ['alg', 'kid', 'typ'])
  if (alg !== 'EdDSA' || typ !== TYPE) throw new BundleError('This is no signature of a Verbatim bundle.')
  const key = keys.find((one) => one.kid === kid)
  if (key === undefined) throw new BundleError('It is signed with a key that is not in the list of keys.')
  const payload = bytesOf(parts.payload, 'payload')
  const signed = Buffer.from(`${parts.protected}.${parts.payload}`, 'ascii')
  const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: key.x }, format: 'jwk' })
  if (!verify(null, signed, publicKey, bytesOf(parts.signature, 'signature')))
    throw new BundleError('The signature does not fit: the statement was changed, or another key made it.')
  const statement = statementOf(parseJson(payload, 'statement'))
  checkTime(statement, key)
  return { statement, keyId: key.kid }
}

/** A key that was replaced must not have signed later. @param {Statement} statement @param {Key} key */
function checkTime({ signed_at: signedAt }, { issued, expired }) {
  const seconds = Date.parse(signedAt) / 1_000
  if (!(seconds >= issued - CLOCK_SECONDS && seconds <= expired + CLOCK_SECONDS))
    throw new BundleError('It is said to be signed at a time at which this key did not sign.')
}

/** @param {unknown} snippets @param {Statement} statement @returns {string[]} */
function checkSnippets(snippets, { snippets: places, text: { length } }) {
  if (!Array.isArray(snippets) || snippets.length !== places.length)
    throw new BundleError('There are more or fewer snippets than the statement names.')
  return places.map(({ start, end, sha256 }, at) => {
    const snippet = wellFormed(snippets[at], `Snippet ${at + 1}`)
    if (sha256Of(snippet) !== sha256)
      throw new BundleError(`Snippet ${at + 1} is not the one that was signed.`)
    if (end > length || end - start !== snippet.length)
      throw new BundleError(`The offsets of snippet ${at + 1} do not fit it.`)
    return snippet
  })
}

/** Cuts every snippet out of the text anew. @param {unknown} text @param {Statement} statement @param {string[]} snippets */
function checkText(text, { text: { sha256, length }, snippets: places }, snippets) {
  const whole = wellFormed(text, 'The text')
  if (whole.length !== length || sha256Of(whole) !== sha256)
    throw new BundleError('The text is not the one that was signed.')
  for (const [at, { start, end }] of places.entries())
    if (whole.slice(start, end) !== snippets[at])
      throw new BundleError(`Snippet ${at + 1} is not what stands at ${start}-${end} of the text.`)
}

/** Half a surrogate pair has no UTF-8 of its own: another could stand in its place. @param {unknown} text @param {string} what */
function wellFormed(text, what) {
  if (typeof text !== 'string' || /\p{Cs}/u.test(text))
    throw new BundleError(`${what} is no well-formed text.`)
  return text
}

/** @param {unknown} value @returns {Statement} */
function statementOf(value) {
  if (isObject(value) && Number.isInteger(value.version) && value.version > VERSION)
    throw new BundleError(
      `Its statement has version ${value.version}; this program knows version ${VERSION}.`,
    )
  if (!isStatement(value)) throw new BundleError('What is signed is no statement of a bundle.')
  return value
}

/** @param {unknown} said @returns {said is Statement} */
const isStatement = (said) =>
  isObject(said) &&
  said.version === VERSION &&
  [said.issuer, said.signed_at, said.url, said.final_url, said.fetched_at, said.reader].every(isString) &&
  isDigested(said.capture, 'bytes') &&
  isString(said.capture.media_type) &&
  isDigested(said.text, 'length') &&
  Array.isArray(said.snippets) &&
  said.snippets.every((one) => isDigested(one, 'start') && isDigested(one, 'end') && one.start < one.end)

/** @param {unknown} value */
const isString = (value) => typeof value === 'string'

/** @param {any} value @param {string} count */
const isDigested = (value, count) =>
  isObject(value) && DIGEST.test(value.sha256) && Number.isSafeInteger(value[count]) && value[count] >= 0

/** The Ed25519 keys of a JWK set, each held to its thumbprint (RFC 7638). @param {unknown} list @returns {Key[]} */
function keysOf(list) {
  const keys = isObject(list) ? list.keys : undefined
  if (!Array.isArray(keys)) throw new BundleError('The list of keys is no JWK set.')
  return keys.filter(isOurs).map(({ kid, x, iat, exp }) => {
    if (bytesOf(x, 'key').length !== 32 || kid !== thumbprintOf(x))
      throw new BundleError('A key of the list is not the one that it is named.')
    return { kid, x, issued: secondsOr(iat, -Infinity), expired: secondsOr(exp, Infinity) }
  })
}

/** @param {unknown} seconds @param {number} otherwise */
const secondsOr = (seconds, otherwise) => (typeof seconds === 'number' ? seconds : otherwise)

/** @param {any} key */
const isOurs = (key) =>
  isObject(key) && key.kty === 'OKP' && key.crv === 'Ed25519' && typeof key.x === 'string'

/** @param {string} x */
const thumbprintOf = (x) =>
  createHash('sha256')
    .update(JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x }))
    .digest('base64url')

/** @param {string | Uint8Array} data a text counts in UTF-8 */
const sha256Of = (data) => createHash('sha256').update(data).digest('hex')

/** Every member must be known: what is not looked at must not look as if it were proven. @param {unknown} value @param {string} what @param {string[]} names */
function membersOf(value, what, names) {
  if (!isObject(value)) throw new BundleError(`There is no object where ${what} should be.`)
  const stranger = Object.keys(value).find((name) => !names.includes(name))
  if (stranger !== undefined) throw new BundleError(`Nobody knows what "${stranger}" means in ${what}.`)
  return value
}

/** @param {unknown} value @returns {value is Record<string, any>} */
const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Base64url in its only spelling, so that no two texts say the same. @param {unknown} text @param {string} what */
function bytesOf(text, what) {
  const bytes = Buffer.from(typeof text === 'string' ? text : '', 'base64url')
  if (bytes.length === 0 || bytes.toString('base64url') !== text)
    throw new BundleError(`The ${what} is not in base64url.`)
  return bytes
}

/** @param {Buffer} bytes @param {string} what @returns {unknown} */
function parseJson(bytes, what) {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw new BundleError(`The ${what} is no JSON.`)
  }
}
