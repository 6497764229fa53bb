// The wire of portable proof: a signed bundle, the statement inside it, and the list of keys it can be checked with.
import { z } from 'zod'

/** Says which shape a statement has; packages/verify refuses those it does not know. */
export const STATEMENT_VERSION = 1
/** RFC 7515 §4.1.9: what a bundle's signature is made over, so that no other signature of ours passes for one. */
export const STATEMENT_TYPE = 'verbatim-proof+jws'

const NO_SHA256 = 'sha256 must be 64 lower-case hexadecimal digits.'
const sha256 = z.string({ error: NO_SHA256 }).regex(/^[0-9a-f]{64}$/u, NO_SHA256)

/** What the service says, and signs: the payload of a bundle's signature, as JSON in UTF-8. */
export const statementSchema = z.object({
  version: z.literal(STATEMENT_VERSION),
  issuer: z.string().describe('The address of the service.'),
  signed_at: z.string(),
  url: z.string().describe('The address that was asked for.'),
  final_url: z.string().describe('Where the page was found in the end.'),
  fetched_at: z.string(),
  capture: z
    .object({ sha256, bytes: z.int().min(0), media_type: z.string() })
    .describe('What the page was read from: a document as it came, everything else decoded and in UTF-8.'),
  reader: z.string().describe('The version of the service that read the page.'),
  text: z
    .object({ sha256, length: z.int().min(0) })
    .describe('The text of the page; its length in UTF-16 code units, its digest over UTF-8.'),
  snippets: z
    .array(z.object({ start: z.int().min(0), end: z.int().min(0), sha256 }))
    .describe('Where in the text each snippet stands, and its digest over UTF-8.'),
})

export type Statement = z.output<typeof statementSchema>

const base64url = z.string().regex(/^[\w-]+$/u)

/** RFC 7515 §7.2.2, signed as RFC 8037 says. */
const signedStatementSchema = z
  .object({ payload: base64url, protected: base64url, signature: base64url })
  .describe('A flattened JWS; its payload is the statement.')

export type SignedStatement = z.output<typeof signedStatementSchema>

export const bundleSchema = z
  .object({
    jws: signedStatementSchema,
    snippets: z.array(z.string()).describe("In the statement's order."),
    text: z.string().optional().describe('The whole text of the page; not in the answer of a search.'),
  })
  .describe('Proof that can be handed on: checked without this service by packages/verify.')

export type Bundle = z.output<typeof bundleSchema>

/** RFC 7517, RFC 8037; `iat` and `exp` (seconds since 1970) tell between which times a key signed. */
export const keyListSchema = z.object({
  keys: z.array(
    z.object({
      kty: z.literal('OKP'),
      crv: z.literal('Ed25519'),
      x: z.string(),
      kid: z.string().describe('The thumbprint of the key (RFC 7638).'),
      use: z.literal('sig'),
      alg: z.literal('EdDSA'),
      iat: z.int(),
      exp: z.int().optional().describe('When another key took its place.'),
    }),
  ),
})

export type KeyList = z.output<typeof keyListSchema>

const SPANS_MAX = 50
const NO_SPANS = `spans must be up to ${SPANS_MAX} pairs of offsets such as 120-480,900-1200.`

/** Path and query of GET /v1/proofs/{sha256}. */
export const proofParametersSchema = z.object({
  sha256: sha256.describe('The content_sha256 of a result.'),
  spans: z
    .string({ error: NO_SPANS })
    .regex(/^\d{1,7}-\d{1,7}(?:,\d{1,7}-\d{1,7})*$/u, NO_SPANS)
    .transform((list) =>
      list.split(',').map((pair) => {
        const [start, end] = pair.split('-').map(Number)
        return { start: start ?? 0, end: end ?? 0 }
      }),
    )
    .refine((spans) => spans.length <= SPANS_MAX && spans.every(({ start, end }) => start < end), NO_SPANS)
    .optional()
    .describe('The passages of the text to sign: start-end in UTF-16 code units, with commas between.'),
})
