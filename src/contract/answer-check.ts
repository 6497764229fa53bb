// The wire of POST /v1/verify when it is sent an answer and its sources: what the answer claims, and what the sources
// say.
import { z } from 'zod'
import { parseBody, type ParsedBody } from './body.ts'
import { isPageAddress } from './fields.ts'

export const ANSWER_LIMITS = {
  characters: 20_000,
  sources: 20,
  /** Quotes and cited sentences of an answer that are looked up; what comes after them is left out. */
  claims: 100,
} as const

const SOURCE_RULE =
  'must be an http://, https:// or file:// address, or a content_sha256 of 64 lower-case digits.'

const sourceSchema = z
  .string({ error: SOURCE_RULE })
  .max(4_096, SOURCE_RULE)
  .refine((source) => isDigest(source) || isPageAddress(source), SOURCE_RULE)

/** Whether a source is named by the digest of its text. */
export const isDigest = (source: string): boolean => /^[0-9a-f]{64}$/u.test(source)

export const answerCheckRequestSchema = z.object({
  answer: z
    .string({ error: 'answer must be a string.' })
    .min(1, 'answer must not be empty.')
    .max(ANSWER_LIMITS.characters, `answer must be at most ${ANSWER_LIMITS.characters} characters long.`)
    .describe('The text to check, plain or Markdown.'),
  sources: z
    .array(sourceSchema, { error: 'sources must be an array of addresses and digests.' })
    .min(1, 'sources must hold at least one source.')
    .max(ANSWER_LIMITS.sources, `sources must hold at most ${ANSWER_LIMITS.sources} sources.`)
    .describe(
      'Addresses of pages, or the content_sha256 of texts lately quoted from; [1] in the answer is the first.',
    ),
})

const spanFields = { start: z.int().min(0), end: z.int().min(0) }

const claimSchema = z.object({
  kind: z
    .enum(['quotation', 'block_quote', 'statement'])
    .describe('A statement names a source without quoting it.'),
  ...spanFields,
  text: z.string().describe('What is said to stand on the page, without marks and markup.'),
  cited: z.array(z.int().min(0)).describe('Indexes of the sources that the answer names for it.'),
  match: z.enum(['exact', 'typographic', 'altered', 'absent', 'not_a_quote']),
  source: z.int().min(0).nullable().describe('Index of the source it was found in.'),
  wrong_source: z.boolean().describe('Found, but not in the source that the answer names.'),
  place: z
    .object({ ...spanFields, text: z.string(), text_fragment_url: z.string().nullable() })
    .nullable()
    .describe('Where it stands in the text of the source, and what stands there.'),
  diff: z
    .array(z.object({ op: z.enum(['same', 'page', 'quote']), text: z.string() }))
    .describe(
      'Of an altered quote, in order: words of both, of the page alone, of the quote alone; else empty.',
    ),
  nearest: z
    .object({
      source: z.int().min(0),
      ...spanFields,
      text: z.string(),
      relevance_score: z.number().min(0).max(1),
    })
    .nullable()
    .describe('Of what is no quote, the passage of its sources that bears on it most.'),
})

export const answerCheckResponseSchema = z.object({
  sources: z.array(
    z.object({
      url: z.string().nullable(),
      content_sha256: z.string().nullable(),
      fetched_at: z.string().nullable(),
      warning: z.string().nullable(),
    }),
  ),
  claims: z.array(claimSchema),
})

export type AnswerCheckRequest = z.output<typeof answerCheckRequestSchema>
export type AnswerCheckResponse = z.output<typeof answerCheckResponseSchema>

/** Judges a body that holds an answer. Never throws. */
export const parseAnswerCheckRequest = (body: Record<string, unknown>): ParsedBody<AnswerCheckRequest> =>
  parseBody(answerCheckRequestSchema, body)
