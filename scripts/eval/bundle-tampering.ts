// Bundles made from pages, and what somebody might do to one: each way leaves something that must not be accepted. The same
// seed tampers in the same way.
import { createHash, createHmac, generateKeyPairSync, sign, type KeyObject } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { BundleError, checkBundle } from '../../packages/verify/check-bundle.mjs'
import type { Bundle, KeyList } from '../../src/contract/bundle.ts'
import { createBundleSigning } from '../../src/search/bundles/sign-bundle.ts'
import { createSigner, makeKey, publicKeyList } from '../../src/search/bundles/signing-key.ts'
import { contentSha256 } from '../../src/search/proof/proof-store.ts'
import { createLogger } from '../../src/telemetry/log.ts'

type Random = () => number
/** The tampered bundle as it would be handed on: JSON, or what is left of it. Null where there is nothing to tamper with. */
type Tamper = (bundle: Bundle, other: Bundle, random: Random) => string | null

const SNIPPETS_MAX = 3
const SNIPPET_CHARACTERS = 420

/** Signs `count` bundles over `texts` with one key, as the service does. */
export async function makeBundles(
  texts: readonly string[],
  count: number,
  random: Random,
): Promise<{ bundles: Bundle[]; keys: KeyList }> {
  const key = makeKey()
  const signer = createSigner([key])
  const signBundle = createBundleSigning({
    sign: async (statement) => signer(statement),
    issuer: 'https://search.example',
    log: createLogger('silent'),
  })
  const bundles: Bundle[] = []
  for (let turn = 0; bundles.length < count; turn++) {
    const text = texts[turn % texts.length] ?? ''
    const url = `https://pages.example/${turn}`
    const page = { url, title: null, text, fetchedAt: new Date().toISOString(), origin: originOf(url, text) }
    const signed = await signBundle(page, contentSha256(text), spansOf(text, random))
    if (signed === null) throw new Error('a page was not signed')
    bundles.push({ ...signed, text })
  }
  return { bundles, keys: publicKeyList([key]) }
}

const originOf = (url: string, text: string) => ({
  askedUrl: `${url}?from=search`,
  capture: { sha256: contentSha256(`<p>${text}</p>`), bytes: Buffer.byteLength(text) + 7 },
  mediaType: 'text/html',
  reader: '0.2.0',
})

function spansOf(text: string, random: Random): { start: number; end: number }[] {
  const count = 1 + Math.floor(random() * SNIPPETS_MAX)
  return Array.from({ length: count }, () => {
    const start = Math.floor(random() * Math.max(1, text.length - SNIPPET_CHARACTERS))
    return { start, end: Math.min(text.length, start + 20 + Math.floor(random() * SNIPPET_CHARACTERS)) }
  }).filter(({ start, end }) => !/\p{Cs}/u.test(text.slice(start, end)))
}

const json = JSON.stringify
const encode = (value: unknown, space?: number): string =>
  Buffer.from(json(value, null, space)).toString('base64url')
const decode = (text: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(text, 'base64url').toString()) as Record<string, unknown>
const pick = <T>(list: readonly T[], random: Random): T | undefined =>
  list[Math.floor(random() * list.length)]
const withJws = (bundle: Bundle, part: Partial<Bundle['jws']>): string =>
  json({ ...bundle, jws: { ...bundle.jws, ...part } })

/** One bit of the JSON as it is sent. */
const flipBit: Tamper = (bundle, _other, random) => {
  const bytes = Buffer.from(json(bundle))
  const at = Math.floor(random() * bytes.length)
  bytes[at] = (bytes[at] ?? 0) ^ (1 << Math.floor(random() * 8))
  return bytes.toString()
}

/** One bit of what is signed, of the header, or of the signature, and not of its spelling. */
const flipSignedBit: Tamper = (bundle, _other, random) => {
  const name = pick(['payload', 'protected', 'signature'] as const, random) ?? 'payload'
  const bytes = Buffer.from(bundle.jws[name], 'base64url')
  const at = Math.floor(random() * bytes.length)
  bytes[at] = (bytes[at] ?? 0) ^ (1 << Math.floor(random() * 8))
  return withJws(bundle, { [name]: bytes.toString('base64url') })
}

const swapPart: Tamper = (bundle, other, random) => {
  const name = pick(['payload', 'signature', 'jws', 'snippets', 'text'] as const, random) ?? 'payload'
  if (name === 'payload' || name === 'signature') return withJws(bundle, { [name]: other.jws[name] })
  return json({ ...bundle, [name]: other[name] })
}

const FIELDS = {
  issuer: 'https://elsewhere.example',
  url: 'https://elsewhere.example/',
  final_url: 'https://elsewhere.example/',
  fetched_at: '2020-01-01T00:00:00.000Z',
  signed_at: '2020-01-01T00:00:00.000Z',
  reader: '9.9.9',
  version: 0,
  snippets: [],
  capture: { sha256: '0'.repeat(64), bytes: 1, media_type: 'text/html' },
  text: { sha256: '0'.repeat(64), length: 1 },
} as const

const changeField: Tamper = (bundle, _other, random) => {
  const [name, value] = pick(Object.entries(FIELDS), random) ?? ['url', '']
  return withJws(bundle, { payload: encode({ ...decode(bundle.jws.payload), [name]: value }) })
}

const moveOffsets: Tamper = (bundle, _other, random) => {
  const statement = decode(bundle.jws.payload)
  const places = statement['snippets'] as { start: number; end: number }[]
  const place = pick(places, random)
  if (place === undefined) return null
  const by = 1 + Math.floor(random() * 50)
  place.start += by
  place.end += by
  return withJws(bundle, { payload: encode(statement) })
}

/** Snippet and text changed alike, as somebody would who wants to be believed. */
const rewriteQuote: Tamper = (bundle, _other, random) => {
  const snippet = pick(bundle.snippets, random)
  if (snippet === undefined) return null
  const at = Math.floor(random() * snippet.length)
  const rewritten = `${snippet.slice(0, at)}${snippet[at] === 'x' ? 'y' : 'x'}${snippet.slice(at + 1)}`
  return json({
    ...bundle,
    snippets: bundle.snippets.map((one) => (one === snippet ? rewritten : one)),
    text: bundle.text?.replace(snippet, () => rewritten),
  })
}

const signInput = ({ payload, protected: header }: Bundle['jws']): Buffer =>
  Buffer.from(`${header}.${payload}`, 'ascii')
const stranger: KeyObject = generateKeyPairSync('ed25519').privateKey

/** Signed anew with another key: under the name of ours, under its own, or as if no key were needed. */
const signAnew: Tamper = (bundle, _other, random) => {
  const header = decode(bundle.jws.protected)
  const statement = { ...decode(bundle.jws.payload), url: 'https://elsewhere.example/' }
  const { x } = stranger.export({ format: 'jwk' })
  const thumbprint = createHash('sha256')
    .update(json({ crv: 'Ed25519', kty: 'OKP', x }))
    .digest('base64url')
  const headers = [
    header,
    { ...header, kid: thumbprint },
    { ...header, jwk: { kty: 'OKP', crv: 'Ed25519', x } },
    { ...header, alg: 'none' },
    { ...header, alg: 'HS256' },
  ]
  const used = pick(headers, random) ?? header
  const jws = { payload: encode(statement), protected: encode(used), signature: '' }
  const input = signInput(jws)
  const signature =
    used['alg'] === 'HS256'
      ? createHmac('sha256', String(header['kid'])).update(input).digest()
      : sign(null, input, stranger)
  return json({ ...bundle, jws: { ...jws, signature: signature.toString('base64url') } })
}

/** The same statement written differently, or the same bytes spelled differently. */
const serialiseAnew: Tamper = (bundle, _other, random) => {
  const { payload, protected: header, signature } = bundle.jws
  const ways: (() => Partial<Bundle['jws']>)[] = [
    () => ({ payload: encode(decode(payload), 1) }),
    () => ({ payload: encode(Object.fromEntries(Object.entries(decode(payload)).toReversed())) }),
    () => ({ protected: encode(decode(header), 1) }),
    () => ({ payload: `${payload}=` }),
    () => ({ signature: `${signature}==` }),
    () => ({ signature: `${signature.slice(0, 40)} ${signature.slice(40)}` }),
    () => ({ payload: Buffer.from(payload, 'base64url').toString('base64') }),
    () => ({ signature: respelled(signature) }),
  ]
  return withJws(bundle, pick(ways, random)?.() ?? {})
}

/** The last character of 64 bytes in base64url holds four bits that mean nothing. */
function respelled(text: string): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  return `${text.slice(0, -1)}${letters[letters.indexOf(text.at(-1) ?? 'A') + 1] ?? 'A'}`
}

const truncate: Tamper = (bundle, _other, random) => {
  const cut = (text: string): string => text.slice(0, Math.floor(random() * text.length))
  const ways = [
    () => cut(json(bundle)),
    () => withJws(bundle, { payload: cut(bundle.jws.payload) }),
    () => withJws(bundle, { signature: cut(bundle.jws.signature) }),
    () => json({ ...bundle, text: cut(bundle.text ?? '') }),
    () => json({ ...bundle, text: undefined }),
    () => json({ ...bundle, snippets: bundle.snippets.slice(1) }),
  ]
  return pick(ways, random)?.() ?? null
}

const TAMPERS: Readonly<Record<string, Tamper>> = {
  'bit flipped': flipBit,
  'signed bit flipped': flipSignedBit,
  'part of another bundle': swapPart,
  'field changed': changeField,
  'offsets moved': moveOffsets,
  'quote and text rewritten': rewriteQuote,
  'other key': signAnew,
  'written anew': serialiseAnew,
  'cut off': truncate,
}

export interface TamperTally {
  tried: number
  accepted: number
}

/** Tampers `count` times, in every way by turns. What says the same as before, bit for bit, is no tampering. */
export function tallyTamperings(
  bundles: readonly Bundle[],
  keys: KeyList,
  count: number,
  random: Random,
): Map<string, TamperTally> {
  const kinds = Object.entries(TAMPERS)
  const tallies = new Map(kinds.map(([kind]): [string, TamperTally] => [kind, { tried: 0, accepted: 0 }]))
  for (let turn = 0, tried = 0; tried < count; turn++) {
    const [kind, tamper] = kinds[turn % kinds.length] ?? ['', flipBit]
    const [bundle, other] = [pick(bundles, random), pick(bundles, random)]
    const tally = tallies.get(kind)
    if (bundle === undefined || other === undefined || tally === undefined) throw new Error('no bundles')
    const sent = tamper(bundle, other, random)
    const received = sent === null ? bundle : parsed(sent)
    if (isDeepStrictEqual(received, bundle) || isDeepStrictEqual(received, other)) continue
    tried += 1
    tally.tried += 1
    if (isAccepted(received, keys)) tally.accepted += 1
  }
  return tallies
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Accepted as a whole: `verbatim-verify` ends with 0. */
export function isAccepted(bundle: unknown, keys: KeyList): boolean {
  try {
    return checkBundle(bundle, keys).isTextChecked
  } catch (error) {
    if (error instanceof BundleError) return false
    throw error
  }
}
