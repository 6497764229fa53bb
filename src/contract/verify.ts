// The wire of POST /v1/verify when it is sent quotes and the page they are said to stand on.
import { z } from 'zod'
import { parseBody, type ParsedBody } from './body.ts'
import { NOTHING_TO_READ, pageAddress } from './fields.ts'
import { LIMITS } from './limits.ts'

/** Body of POST /v1/verify: quotes, and the page they are said to stand on. */
export const verifyRequestSchema = z
  .object({
    url: pageAddress('url').optional(),
    content_sha256: z
      .string({ error: 'content_sha256 must be a string.' })
      .regex(/^[0-9a-f]{64}$/u, 'content_sha256 must be 64 lower-case hexadecimal digits.')
      .optional(),
    quotes: z
      .array(
        z
          .string({ error: 'must be a string.' })
          .min(1, { error: 'must not be empty.', abort: true })
          .refine((text) => !NOTHING_TO_READ.test(text), 'must not be blank.')
          .max(LIMITS.quoteCharacters, `must be at most ${LIMITS.quoteCharacters} characters long.`),
        { error: 'quotes must be an array of strings.' },
      )
      .min(1, 'quotes must hold at least one quote.')
      .max(LIMITS.quotes, `quotes must hold at most ${LIMITS.quotes} quotes.`),
    recheck: z
      .boolean({ error: 'recheck must be true or false.' })
      .optional()
      .describe('Open the page anew and say what has become of each quote since; needs content_sha256.'),
  })
  .refine((body) => body.recheck !== true || body.content_sha256 !== undefined, {
    error: 'recheck needs content_sha256: what the page said before is known by it.',
    path: ['recheck'],
  })
  .refine((body) => (body.url === undefined) !== (body.content_sha256 === undefined), {
    error: 'Send either url or content_sha256.',
    path: ['url'],
  })

/** What has become of a quote since the page was read before. Offsets are into its text as it is now. */
const standingSchema = z.object({
  standing: z.enum(['stands', 'moved', 'changed', 'gone']),
  start: z.int().nullable(),
  end: z.int().nullable(),
  diff: z
    .array(z.object({ op: z.enum(['same', 'page', 'quote']), text: z.string() }))
    .nullable()
    .describe('Of a quote that was changed: `page` is what stands there now, `quote` what stood there.'),
})

export const verifyResponseSchema = z.object({
  url: z.string().nullable(),
  content_sha256: z.string().nullable(),
  fetched_at: z.string().nullable(),
  warning: z.string().nullable(),
  quotes: z.array(
    z.object({
      quote: z.string(),
      match: z.enum(['exact', 'normalised', 'none']),
      start: z.int().nullable(),
      end: z.int().nullable(),
      now: standingSchema
        .nullable()
        .optional()
        .describe(
          'With recheck; null when the quote did not stand there before, or the page cannot be opened.',
        ),
    }),
  ),
  recheck: z
    .object({
      url: z.string(),
      content_sha256: z.string().nullable(),
      fetched_at: z.string().nullable(),
      warning: z.string().nullable(),
    })
    .optional()
    .describe('The page as it was opened anew.'),
})

export type VerifyRequest = z.output<typeof verifyRequestSchema>
export type VerifyResponse = z.output<typeof verifyResponseSchema>

/** Judges the body of POST /v1/verify. Never throws. */
export const parseVerifyRequest = (body: Record<string, unknown>): ParsedBody<VerifyRequest> =>
  parseBody(verifyRequestSchema, body)
