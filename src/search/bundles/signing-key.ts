// An Ed25519 key as a JSON Web Key (RFC 8037), and the signatures it makes (RFC 7515).
import { createHash, createPrivateKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto'
import { z } from 'zod'
import { STATEMENT_TYPE, type KeyList, type SignedStatement, type Statement } from '../../contract/bundle.ts'

/** As it is kept. A key that was replaced has lost its private half `d`, and keeps its public one. */
export const keptKeySchema = z.object({
  kid: z.string(),
  x: z.string(),
  d: z.string().nullable(),
  /** ISO 8601. */
  madeAt: z.string(),
  replacedAt: z.string().nullable(),
})

export type KeptKey = z.output<typeof keptKeySchema>

/** Where keys are kept, newest first. */
export interface KeyStore {
  /** All keys; where there is none yet, the first is made. */
  load(): Promise<KeptKey[]>
  /** From now on a new key signs. Those before stay listed when `areTrusted`, and are forgotten when not. */
  replace(areTrusted: boolean): Promise<void>
  close(): Promise<void>
}

/** A new key, from now on. */
export function makeKey(): KeptKey {
  const { x, d } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })
  if (x === undefined || d === undefined) throw new Error('an Ed25519 key came without its halves')
  return { kid: thumbprintOf(x), x, d, madeAt: new Date().toISOString(), replacedAt: null }
}

/** RFC 7638: the required members in the order of their names. */
const thumbprintOf = (x: string): string =>
  createHash('sha256')
    .update(JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x }))
    .digest('base64url')

/**
 * `keys` with a new one that signs from now on; those before keep their public half, unless they are not to be trusted.
 */
export function replaceKeys(keys: readonly KeptKey[], areTrusted: boolean): KeptKey[] {
  const replacedAt = new Date().toISOString()
  const before = areTrusted
    ? keys.map((key) => ({ ...key, d: null, replacedAt: key.replacedAt ?? replacedAt }))
    : []
  return [makeKey(), ...before]
}

/** A JWK set (RFC 7517 §5), newest first, without anything private. */
export const publicKeyList = (keys: readonly KeptKey[]): KeyList => ({
  keys: keys.map(({ kid, x, madeAt, replacedAt }) => ({
    kty: 'OKP',
    crv: 'Ed25519',
    x,
    kid,
    use: 'sig',
    alg: 'EdDSA',
    iat: seconds(madeAt),
    ...(replacedAt === null ? {} : { exp: seconds(replacedAt) }),
  })),
})

const seconds = (iso: string): number => Math.floor(Date.parse(iso) / 1_000)

/** Makes the function that signs statements with the key that has not been replaced. */
export function createSigner(keys: readonly KeptKey[]): (statement: Statement) => SignedStatement {
  const current = keys.find((key) => key.d !== null && key.replacedAt === null)
  if (current?.d === undefined || current.d === null) throw new Error('there is no key to sign with')
  const { kid, x, d } = current
  const key = createPrivateKey({ key: { kty: 'OKP', crv: 'Ed25519', x, d }, format: 'jwk' })
  const header = encode({ alg: 'EdDSA', kid, typ: STATEMENT_TYPE })
  return (statement) => signed(header, encode(statement), key)
}

function signed(header: string, payload: string, key: KeyObject): SignedStatement {
  const signature = sign(null, Buffer.from(`${header}.${payload}`, 'ascii'), key).toString('base64url')
  return { payload, protected: header, signature }
}

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value), 'utf8').toString('base64url')
