// The wire of POST /v1/read: pages as text, and with a query their best passages.
import { z } from 'zod'
import { LIMITS } from './limits.ts'
import { maxAge, optionalQuerySchema, pageAddress, placeSchema, wholeNumber } from './fields.ts'
import { parseBody, type ParsedBody } from './body.ts'
import { bundleSchema } from './bundle.ts'
import { WARNING_CODES } from './warning-codes.ts'

const READ_FORMATS = ['text', 'markdown', 'html'] as const
const READ_INCLUDES = ['proof', 'bundle', 'warning_code'] as const
const READ_INCLUDE_NAMES = READ_INCLUDES.map((name) => `"${name}"`).join(', ')

/** Body of POST /v1/read. */
export const readRequestSchema = z
  .object({
    url: pageAddress('url').optional().describe('The page to read; or several as `urls`.'),
    urls: z
      .array(pageAddress(), { error: 'urls must be an array of addresses.' })
      .min(1, 'urls must hold at least one address.')
      .max(LIMITS.urls, `urls must hold at most ${LIMITS.urls} addresses.`)
      .optional()
      .describe('The pages to read.'),
    query: optionalQuerySchema.describe('Return the passages that answer it, the best first.'),
    format: z
      .enum(READ_FORMATS, { error: `format must be one of ${READ_FORMATS.map((f) => `"${f}"`).join(', ')}.` })
      .default('text')
      .describe('How `content` is written.'),
    max_characters: wholeNumber('max_characters', LIMITS.contentCharacters)
      .nullish()
      .describe('Of snippets and content of a page together; the snippets come first.'),
    max_tokens: wholeNumber('max_tokens', LIMITS.contentCharacters)
      .nullish()
      .describe('The same in tokens of a language model, estimated on the high side.'),
    max_age: maxAge,
    include: z
      .array(z.enum(READ_INCLUDES, { error: `must be one of ${READ_INCLUDE_NAMES}.` }), {
        error: `include must be an array of ${READ_INCLUDE_NAMES}.`,
      })
      .default([])
      .describe(`Extra fields to add to the answer: ${READ_INCLUDE_NAMES}.`),
  })
  .refine((body) => (body.url === undefined) !== (body.urls === undefined), {
    error: 'Send either url or urls.',
    path: ['url'],
  })
  .refine(
    (body) => body.format !== 'html' || !(typeof (body.max_characters ?? body.max_tokens) === 'number'),
    {
      error: 'format "html" is given whole; max_characters and max_tokens go with "text" and "markdown".',
      path: ['format'],
    },
  )

const failureSchema = z.object({
  code: z.enum(WARNING_CODES).describe('What kept the page from being read.'),
  message: z.string(),
  retryable: z.boolean().describe('Whether asking again later may succeed.'),
})

const snippetSchema = z.object({ text: z.string(), relevance_score: z.number().min(0).max(1) })

export const readResponseSchema = z.object({
  results: z.array(
    z.object({
      url: z.string().describe('The address that was asked for.'),
      final_url: z.string().describe('Where the page was found in the end.'),
      title: z.string().nullable(),
      snippets: z.array(
        z.intersection(
          snippetSchema,
          z.object({ start: z.int(), end: z.int(), place: placeSchema }).partial(),
        ),
      ),
      content: z
        .string()
        .describe('The page in the format that was asked for; empty when it could not be read.'),
      is_cut: z.boolean().describe('Whether the page holds more than `content` does.'),
      publish_date: z.string().nullable(),
      last_updated: z.string().nullable(),
      language: z.string().nullable(),
      fetched_at: z.string().nullable(),
      warning: z.string().nullable(),
      warning_code: z.enum(WARNING_CODES).nullable().optional(),
      failure: failureSchema.nullable(),
      content_sha256: z.string().nullable().optional(),
      bundle: bundleSchema.nullable().optional(),
    }),
  ),
  total_latency_ms: z.int().min(0),
})

export type ReadRequest = z.output<typeof readRequestSchema>
export type ReadResponse = z.output<typeof readResponseSchema>

/** Judges the body of POST /v1/read. Never throws. */
export const parseReadRequest = (body: Record<string, unknown>): ParsedBody<ReadRequest> =>
  parseBody(readRequestSchema, body)
