// Values as several foreign shapes write them, in the words of our own request.
import { z } from 'zod'
import { LIMITS } from '../../contract/limits.ts'
import {
  NOTHING_TO_READ,
  optionalQuerySchema,
  PAGE_ADDRESS_RULE,
  PAGE_PROTOCOL,
} from '../../contract/fields.ts'

export const optionalText = z.string().nullish()
export const optionalList = z.array(z.string()).nullish()
/** What pages are read for, within the bounds of a search's query; a blank one is none. */
export const optionalQuestion = z
  .string()
  .nullish()
  .transform((sent) => (NOTHING_TO_READ.test(sent ?? '') ? null : sent))
  .pipe(optionalQuerySchema)
/** Query, domains and dates are judged by our own contract. */
export const anything = z.unknown().optional()

const allowed = `may be a whole number from 1 to ${LIMITS.foreignResultsMax} here.`
/** How many results; more than we give are refused, so that nobody takes what we give for all there is. */
export const resultCount = z.int(allowed).min(1, allowed).max(LIMITS.foreignResultsMax, allowed).nullish()

const NO_COUNT = 'must be a whole number above 0.'
/** A whole number, written as one or as text. */
export const writtenCount = z.coerce.number(NO_COUNT).int(NO_COUNT).min(1, NO_COUNT)

const wholeAddress = z.url({ protocol: PAGE_PROTOCOL })
/** A bare host or one with a path, as people and models write them, is an address of the web there. */
export const withScheme = (written: string): string =>
  /^[a-z][a-z\d+.-]*:\/\//iu.test(written) ? written : `https://${written}`

/** As it was written, by which clients look their pages up. */
export const address = z
  .string(PAGE_ADDRESS_RULE)
  .max(LIMITS.urlCharacters, `may be at most ${LIMITS.urlCharacters} characters long.`)
  .refine((written) => wholeAddress.safeParse(withScheme(written)).success, PAGE_ADDRESS_RULE)
export const addresses = z
  .array(address, 'must be an array of addresses.')
  .min(1, 'must hold at least one address.')
  .max(LIMITS.urls, `may hold at most ${LIMITS.urls} addresses here.`)

const NO_SELECTOR = 'may hold names of tags, classes (".ad") and ids ("#menu") here.'
/** Of elements that are to be left out of a page. */
export const simpleSelector = z
  .string(NO_SELECTOR)
  .regex(/^(?=.)[a-z0-9]*(?:[.#][\w-]+)*$/iu, NO_SELECTOR)
  .max(100, NO_SELECTOR)

/** Milliseconds or seconds that a client waits. */
export const duration = z.number().positive().nullish()

/** The day of an ISO 8601 date or date-time; what is neither is passed on as it came, and refused by the contract. */
export const dayOf = (moment: string): string =>
  /^\d{4}-\d{2}-\d{2}T/u.test(moment) ? moment.slice(0, 10) : moment

/** "2026-01-31" of "1/31/2026", as American services write it; anything else as it came. */
export function dayOfAmerican(date: string): string {
  const [, month, day, year] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/u.exec(date.trim()) ?? []
  if (month === undefined || day === undefined || year === undefined) return date
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
}

/** `{ [name]: value }`, or nothing where there is no value. */
export const given = <T>(name: string, value: T | null | undefined): Record<string, T> =>
  value === null || value === undefined ? {} : { [name]: value }
