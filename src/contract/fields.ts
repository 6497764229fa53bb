// Fields that several routes have, each with the sentence that says what is allowed.
import { domainToASCII } from 'node:url'
import { z } from 'zod'
import { LIMITS } from './limits.ts'

export const NOTHING_TO_READ = /^[\s\p{Cc}\p{Cf}\p{Zl}\p{Zp}]*$/u

const queryOr = (missing: string) =>
  z
    .string({ error: missing })
    .max(LIMITS.queryCharacters, `query must be at most ${LIMITS.queryCharacters} characters long.`)
    .refine((text) => !NOTHING_TO_READ.test(text), 'query must not be empty or blank.')
    .refine(
      (text) => !/\p{Cs}/u.test(text),
      'query must be well-formed Unicode (it holds half of a surrogate pair).',
    )

/** SPEC §2.1 `query`: judged apart from the other fields, because its failure is a 400 and theirs a 422. */
export const querySchema = queryOr('query is required and must be a string.').describe(
  'The search query; snippets are extracted as relevant to it.',
)

/** Where a query may be left out. */
export const optionalQuerySchema = queryOr('query must be a string, or null.').nullish()

export const wholeNumber = (name: string, max: number, min = 1) => {
  const allowed = `${name} must be a whole number from ${min} to ${max}.`
  return z.int({ error: allowed }).min(min, allowed).max(max, allowed)
}

/** How old a kept copy of a page may be, in seconds. */
export const maxAge = wholeNumber('max_age', LIMITS.maxAgeSeconds, 0)
  .nullish()
  .describe('How old a kept copy of a page may be, in seconds; 0 reads every page anew.')

export const share = (name: string) => {
  const allowed = `${name} must be a number from 0 to 1, or null.`
  return z.number({ error: allowed }).min(0, allowed).max(1, allowed)
}

/**
 * Addresses of pages that a caller names: of the web, or of a file as a search gives it for a document of the library; which files
 * are opened is for the library to say.
 */
export const PAGE_PROTOCOL = /^(?:https?|file)$/u
/** Ends the sentence that names the field. */
export const PAGE_ADDRESS_RULE = 'must be an http://, https:// or file:// address.'

/** `name` is left out for what stands in an array: its place is told before the message. */
export const pageAddress = (name = '') =>
  z
    .url({ protocol: PAGE_PROTOCOL, error: `${name} ${PAGE_ADDRESS_RULE}`.trimStart() })
    .max(LIMITS.urlCharacters, `${name} must be at most ${LIMITS.urlCharacters} characters long.`.trimStart())

export const isPageAddress = (text: string): boolean =>
  /^(?:https?|file):\/\//iu.test(text) && URL.canParse(text)

/** Where in a document a passage begins; null for what has no pages, slides, sheets or chapters. */
export const placeSchema = z
  .object({
    kind: z.enum(['page', 'sheet', 'slide', 'chapter']),
    number: z.int().min(1).describe('From 1, as the document counts.'),
    name: z.string().nullable().describe("The sheet's name, the chapter's title."),
  })
  .nullable()

const HOST_NAME =
  /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?)*$/u

/** A bare host name in ASCII lower case without trailing dot, or null when `text` is anything else. */
export function toHostName(text: string): string | null {
  if (/[\s/:@?#%\\[\]*]/u.test(text)) return null
  const ascii = domainToASCII(text.toLowerCase().replace(/\.$/u, ''))
  return HOST_NAME.test(ascii) ? ascii : null
}
