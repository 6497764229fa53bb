// What Exa's requests say of the contents of pages, in a search and in /contents alike.
import { z } from 'zod'
import { LIMITS } from '../../../contract/limits.ts'
import type { TextBudget } from '../../../search/highlights/text-budget.ts'
import { nameWithin, readFields, type ForeignFields } from '../foreign-fields.ts'
import { optionalQuestion } from '../foreign-values.ts'

const HOUR_SECONDS = 3_600
const object = z.looseObject({})

export const exaTextFields = {
  honoured: { maxCharacters: z.int().min(1).nullish() },
  refused: {
    includeHtmlTags: 'text is given without tags.',
    includeSections: 'pages are read as a whole.',
    excludeSections: 'pages are read as a whole.',
  },
  // How much of a page is content is told by this service's own lights.
  harmless: ['verbosity'],
} satisfies ForeignFields

export const exaHighlightFields = {
  honoured: {
    query: optionalQuestion,
    maxCharacters: z.int().min(1).nullish(),
    highlightsPerUrl: z.int().min(1).nullish(),
  },
  refused: { numSentences: 'use maxCharacters.' },
  // Every answer here is made of what answers best in all pages together.
  harmless: ['dynamic'],
} satisfies ForeignFields

export const contentFields = {
  honoured: {
    text: z.union([z.boolean(), object]).nullish(),
    highlights: z.union([z.boolean(), object]).nullish(),
    livecrawl: z.enum(['never', 'fallback', 'auto', 'preferred', 'always']).nullish(),
    // Below nothing: a kept page will do, however old.
    maxAgeHours: z.number().min(-1).nullish(),
  },
  refused: {
    summary: 'no language model writes here; highlights are the words of the page.',
    subpages: 'ask for their addresses.',
    subpageTarget: 'ask for their addresses.',
    snapshotAsOf: 'pages are read as they are.',
  },
  harmless: ['context', 'extras', 'metadata', 'livecrawlTimeout', 'filterEmptyResults'],
} satisfies ForeignFields

export interface ContentOptions {
  /** Null where no text is asked for. */
  text: { maxCharacters: number | null } | null
  highlights: {
    /** Another question than the search's; null for that one, or for none. */
    query: string | null
    count: number
    perPage: TextBudget | null
  }
  /** How old a copy may be, in whole seconds; null where nothing is said. */
  maxAgeSeconds: number | null
}

/**
 * `body`: the object that holds them; `within`: its place in the request, for what is refused.
 * @throws {ApiError} 400 naming each field that is refused or cannot be read.
 */
export function readContentOptions(body: Readonly<Record<string, unknown>>, within = ''): ContentOptions {
  const { text, highlights, livecrawl, maxAgeHours } = readFields(contentFields, body, within)
  const { maxCharacters = null } = readFields(exaTextFields, optionsIn(text), nameWithin(within, 'text'))
  const wanted = readFields(exaHighlightFields, optionsIn(highlights), nameWithin(within, 'highlights'))
  return {
    text: isWanted(text) ? { maxCharacters } : null,
    highlights: {
      query: wanted.query ?? null,
      count: Math.min(LIMITS.snippetsMax, wanted.highlightsPerUrl ?? LIMITS.snippetsDefault),
      perPage: budgetOf(wanted.maxCharacters),
    },
    maxAgeSeconds: livecrawl === 'always' ? 0 : secondsOf(maxAgeHours),
  }
}

const isWanted = (option: unknown): boolean => option !== null && option !== undefined && option !== false

const optionsIn = (option: boolean | Record<string, unknown> | null | undefined): Record<string, unknown> =>
  typeof option === 'object' && option !== null ? option : {}

const budgetOf = (maxCharacters: number | null | undefined): TextBudget | null =>
  typeof maxCharacters === 'number' ? { maxCharacters, maxTokens: null } : null

function secondsOf(hours: number | null | undefined): number | null {
  if (typeof hours !== 'number' || hours < 0) return null
  return Math.min(LIMITS.maxAgeSeconds, Math.floor(hours * HOUR_SECONDS))
}
