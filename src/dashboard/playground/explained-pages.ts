// What `explain` tells of an answer, as far as the playground shows it.
import { z } from 'zod'

const passageSchema = z.object({ text: z.string(), relevance_score: z.number() })

const explainedPageSchema = z.object({
  url: z.string(),
  read_by: z.enum(['static', 'browser', 'cache']).nullable(),
  started_ms: z.number(),
  load_ms: z.number(),
  elapsed_ms: z.number(),
  passages: z.number(),
  rejected: z.array(passageSchema),
})

const explainedSchema = z.object({
  pages: z.array(explainedPageSchema),
  filters: z.object({ dropped_pages: z.array(z.object({ url: z.string(), reason: z.string() })) }),
  threshold: z.number().nullable(),
})

/** How a page was opened, behind "read" and "opened". */
export const READ_BY = { static: 'by fetch', browser: 'by browser', cache: 'from the cache' } as const

export type ExplainedPage = z.output<typeof explainedPageSchema>
export type ExplainedAnswer = z.output<typeof explainedSchema>

/** Null when it was not asked for. Throws for anything but what this version of the service tells. */
export const readExplanation = (explain: unknown): ExplainedAnswer | null =>
  explain === undefined ? null : explainedSchema.parse(explain)

/** The host of an address; all of what is none. */
export const domainOf = (url: string): string => (URL.canParse(url) ? new URL(url).host || url : url)
