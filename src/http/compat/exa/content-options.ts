// What Exa's requests say of the contents of pages, in a search and in /contents alike.
import { z } from 'zod'
import { LIMITS } from '../../../contract.ts'
import type { ForeignFields, readFields } from '../foreign-fields.ts'

const HOUR_SECONDS = 3_600

export const contentOptions = {
  text: z.union([z.boolean(), z.looseObject({ maxCharacters: z.int().min(1).nullish() })]).nullish(),
  highlights: z
    .union([
      z.boolean(),
      z.looseObject({ highlightsPerUrl: z.int().min(1).nullish(), query: z.string().nullish() }),
    ])
    .nullish(),
  livecrawl: z.enum(['never', 'fallback', 'preferred', 'always']).nullish(),
  maxAgeHours: z.number().min(0).nullish(),
}

export const contentFields = {
  honoured: contentOptions,
  refused: {
    summary: 'no language model writes here; highlights are the words of the page.',
    subpages: 'ask for their addresses.',
    subpageTarget: 'ask for their addresses.',
    snapshotAsOf: 'pages are read as they are.',
  },
  harmless: ['context', 'extras', 'metadata', 'livecrawlTimeout', 'filterEmptyResults'],
} satisfies ForeignFields

export type ContentOptions = ReturnType<typeof readFields<typeof contentFields.honoured>>

/** Highlights of each page: as many as are asked for, within what an answer holds. */
export function highlightsWanted({ highlights }: ContentOptions): number {
  const asked = typeof highlights === 'object' ? highlights?.highlightsPerUrl : null
  return Math.min(LIMITS.snippetsMax, asked ?? LIMITS.snippetsDefault)
}

/** Null where no text is asked for. */
export function textLimitOf({ text }: ContentOptions): { maxCharacters: number | null } | null {
  if (text === null || text === undefined || text === false) return null
  return { maxCharacters: typeof text === 'object' ? (text.maxCharacters ?? null) : null }
}

/** How old a copy may be, in whole seconds; null where nothing is said. */
export function maxAgeSecondsOf({ livecrawl, maxAgeHours }: ContentOptions): number | null {
  if (livecrawl === 'always') return 0
  if (maxAgeHours === null || maxAgeHours === undefined) return null
  return Math.min(LIMITS.maxAgeSeconds, Math.floor(maxAgeHours * HOUR_SECONDS))
}
