// What `include` adds to results and snippets beside their proof.
import { z } from 'zod'
import { WARNING_CODES } from './warning-codes.ts'

const SNIPPET_FLAGS = ['addresses_model'] as const

/** Added to a snippet by `include: ["highlights"]`. */
export const snippetHighlightsSchema = z.object({
  highlights: z
    .array(z.object({ start: z.int(), end: z.int(), score: z.number().min(0).max(1) }))
    .describe(
      'The sentences, list items, rows or lines of the text that answer: offsets into `text`, and how likely each does.',
    ),
})

/** Added to a snippet by `include: ["flags"]`. */
export const snippetFlagsSchema = z.object({
  flags: z
    .array(z.enum(SNIPPET_FLAGS))
    .describe(
      'What a reader of the text should know: "addresses_model", it gives orders to a language model.',
    ),
})

/** Added to a result by `include: ["warning_code"]`. */
export const resultWarningCodeSchema = z.object({
  warning_code: z
    .enum(WARNING_CODES)
    .nullable()
    .describe('What `warning` says, as a name for programs; null when there is no warning.'),
})
