// What `explain` tells of each page, as far as the playground shows it.
import { z } from 'zod'

const explainedPageSchema = z.object({
  url: z.string(),
  read_by: z.enum(['static', 'browser', 'cache']).nullable(),
  elapsed_ms: z.number(),
  best_rejected: z.object({ text: z.string(), relevance_score: z.number() }).nullable(),
})

const explainSchema = z.object({ pages: z.array(explainedPageSchema) })

export type ExplainedPage = z.output<typeof explainedPageSchema>

/** The pages of an answer's `explain` by their address; none when it was not asked for. */
export function explainedPages(explain: unknown): Map<string, ExplainedPage> {
  const { data } = explainSchema.safeParse(explain)
  return new Map((data?.pages ?? []).map((page) => [page.url, page]))
}
