// The form that adds a site: from texts to what is wished of it, or to a sentence beside each field that is wrong.
import type { SiteWish } from '../../library/crawl/site-schedule.ts'
import { CRAWL_DEFAULTS } from '../../library/crawl/crawled-sites.ts'
import { siteAddress } from '../../library/crawl/crawler.ts'

/** The fields as they were typed, to be shown again. */
export interface SiteFormFields {
  url: string
  pages: string
  depth: string
  refresh: string
}

export type SiteFormFaults = Partial<Record<keyof SiteFormFields, string>>

export type SiteForm =
  | { ok: true; url: string; wish: SiteWish }
  | { ok: false; sent: SiteFormFields; wrong: SiteFormFaults }

export const EMPTY_SITE_FORM: SiteFormFields = {
  url: '',
  pages: String(CRAWL_DEFAULTS.pageLimit),
  depth: String(CRAWL_DEFAULTS.depthLimit),
  refresh: '',
}

/** More is for the command line, where somebody waits for it. */
export const PAGES_MAX = 10_000
export const DEPTH_MAX = 100

/** How often a site is read again, in hours, by what the form says. */
const REFRESHES = [
  ['', 'never by itself', null],
  ['24', 'every day', 24],
  ['168', 'every week', 168],
  ['720', 'every 30 days', 720],
] as const

/** For a select: value and words. */
export const REFRESH_OPTIONS = REFRESHES.map(([value, words]) => [value, words] as const)

/** Hours, or null for never; undefined for what the form does not offer. */
export const readRefresh = (text: string): number | null | undefined =>
  REFRESHES.find(([value]) => value === text)?.[2]

/** An address without a scheme is one of https. */
export function readSiteForm(sent: SiteFormFields): SiteForm {
  const address = sent.url.trim()
  const url = addressOf(address.includes('://') ? address : `https://${address}`)
  const pageLimit = wholeNumber(sent.pages, 1, PAGES_MAX)
  const depthLimit = wholeNumber(sent.depth, 0, DEPTH_MAX)
  const refreshHours = readRefresh(sent.refresh)
  const wrong: SiteFormFaults = {}
  if (url === null) wrong.url = 'This is no address of a web site, such as https://docs.example.org/guide/.'
  if (pageLimit === null) wrong.pages = `A whole number from 1 to ${PAGES_MAX}.`
  if (depthLimit === null) wrong.depth = `A whole number from 0 to ${DEPTH_MAX}.`
  if (refreshHours === undefined) wrong.refresh = 'Choose one of the list.'
  if (url === null || pageLimit === null || depthLimit === null || refreshHours === undefined)
    return { ok: false, sent, wrong }
  return {
    ok: true,
    url,
    wish: { pageLimit, depthLimit, refreshHours, delayMs: CRAWL_DEFAULTS.delayMs },
  }
}

function addressOf(text: string): string | null {
  try {
    return siteAddress(text)
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

function wholeNumber(text: string, min: number, max: number): number | null {
  const value = Number(text.trim())
  return /^\d{1,7}$/u.test(text.trim()) && value >= min && value <= max ? value : null
}
