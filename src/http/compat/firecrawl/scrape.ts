// Firecrawl's scrape, versions 1 and 2: one page in the formats that were asked for. A page that failed is never a
// success with a challenge for its text, and never a 5xx, which its clients would ask again.
import { z } from 'zod'
import { ApiError } from '../../../errors.ts'
import type { AdmittedReadPages } from '../../../search/given/admitted-work.ts'
import type { PageFormat, ReadFailure, ReadPage } from '../../../search/given/read-pages.ts'
import { parseJsonObject } from '../../request/json-body.ts'
import type { ErrorShape, Route } from '../../route.ts'
import { readFields, type ForeignFields } from '../foreign-fields.ts'
import { runForeignRead } from '../foreign-pages.ts'
import { patienceOf } from '../foreign-search.ts'
import { address, duration, given, simpleSelector } from '../foreign-values.ts'

/** LibreChat gives its scraper 7.5 s and says so to nobody. */
const PATIENCE_MS = 7_000

const FORMATS = ['markdown', 'html', 'rawHtml'] as const
type ScrapeFormat = (typeof FORMATS)[number]
const formatName = z.enum(FORMATS, `may be ${FORMATS.join(', ')} here.`)
const format = z.union([formatName, z.object({ type: formatName }).transform(({ type }) => type)], {
  error: `may be ${FORMATS.join(', ')} here.`,
})

/** What a scrape can be told, alone or for the results of a search. */
export const scrapeOptions = {
  formats: z.array(format).nullish(),
  timeout: duration,
  maxAge: z.number().min(0).nullish(),
  excludeTags: z.array(simpleSelector).max(100, 'may hold at most 100 of them.').nullish(),
}

/** What may be sent because pages are rendered, read and cleaned by this service's own lights. */
export const HARMLESS_SCRAPE_OPTIONS = [
  'onlyMainContent',
  'onlyCleanContent',
  'waitFor',
  'mobile',
  'skipTlsVerification',
  'removeBase64Images',
  'parsers',
  'parsePDF',
  'location',
  'proxy',
  'blockAds',
  'fastMode',
  'storeInCache',
  'zeroDataRetention',
  'auditMetadata',
  'domainTools',
  'toolDetail',
  'integration',
  'origin',
] as const

export const REFUSED_SCRAPE_OPTIONS = {
  includeTags: 'pages are read as a whole.',
  headers: 'pages are asked for as this service, without credentials.',
  profile: 'pages are asked for as this service, without credentials.',
  actions: 'pages are read, not operated.',
  minAge: 'use maxAge.',
  changeTrackingOptions: 'pages are read once.',
  jsonOptions: 'no language model writes here.',
  extract: 'no language model writes here.',
  agent: 'no language model writes here.',
  redactPII: 'texts are given word for word.',
  lockdown: 'pages that are not kept are fetched.',
  threatProtection: 'which addresses may be asked is a setting of this service.',
  checkPromptInjection: 'POST /v1/search flags such passages.',
  useMock: 'pages are read as they are.',
} as const

export const firecrawlScrapeFields = {
  honoured: { url: address, ...scrapeOptions },
  refused: REFUSED_SCRAPE_OPTIONS,
  harmless: HARMLESS_SCRAPE_OPTIONS,
} satisfies ForeignFields

export const firecrawlErrors: ErrorShape = {
  prefix: '/compat/firecrawl/',
  spell: ({ status, detail }) => ({
    status: status === 422 ? 400 : status,
    body: { success: false, error: detail },
  }),
}

/** Where the Python client of version 2 asks: it drops the path of the address that it was given. */
export const firecrawlRootErrors: ErrorShape = { ...firecrawlErrors, prefix: '/v2/' }

const scrapeRoute = (path: string): Route<{ readPages: AdmittedReadPages }> => ({
  method: 'post',
  path,
  door: 'key',
  scope: 'read',
  operation: null,
  createHandler: ({ readPages }) =>
    async function answerScrape(context) {
      const sent = readFields(firecrawlScrapeFields, parseJsonObject(context))
      const formats = formatsOf(sent.formats)
      const [page] = await runForeignRead(context, readPages, [sent.url], {
        format: writtenFormat(formats),
        maxAgeMs: sent.maxAge ?? null,
        without: sent.excludeTags ?? [],
        patienceMs: PATIENCE_MS,
        ...patienceOf(sent.timeout),
      })
      if (page === undefined) throw new Error('no page for an address')
      if (page.failure !== null) throw scrapeFailed(page.failure)
      context.body = { success: true, data: toDocument(page, formats) }
    },
})

export const firecrawlScrapeRoutes = [
  scrapeRoute('/compat/firecrawl/v2/scrape'),
  scrapeRoute('/compat/firecrawl/v1/scrape'),
  scrapeRoute('/v2/scrape'),
]

export const formatsOf = (sent: readonly ScrapeFormat[] | null | undefined): ReadonlySet<ScrapeFormat> =>
  new Set(sent === null || sent === undefined || sent.length === 0 ? (['markdown'] as const) : sent)

/** Markdown wins where both are asked for, since one reading writes one format: then `html` is the page as it came. */
export const writtenFormat = (formats: ReadonlySet<ScrapeFormat>): PageFormat =>
  formats.has('html') && !formats.has('markdown') ? 'html' : 'markdown'

/** A page as Firecrawl's documents are. */
export function toDocument(page: ReadPage, formats: ReadonlySet<ScrapeFormat>) {
  const { content, source } = page
  const html = writtenFormat(formats) === 'html' ? content : source
  return {
    ...(formats.has('markdown') ? { markdown: content } : {}),
    ...(formats.has('html') ? { html: html ?? '' } : {}),
    ...(formats.has('rawHtml') ? { rawHtml: source ?? '' } : {}),
    metadata: {
      title: page.title ?? '',
      ...given('language', page.language),
      ...given('publishedTime', page.publishDate),
      ...given('modifiedTime', page.lastUpdated),
      sourceURL: page.askedUrl,
      url: page.url,
      statusCode: 200,
      ...given('contentType', page.mediaType),
    },
    ...given('warning', page.warning),
  }
}

/** 408 for what was too slow, as its SDKs know; else 422, spelled 400: asking again at once would not help. */
function scrapeFailed({ code, message }: ReadFailure): ApiError {
  const isSlow = code === 'timeout' || code === 'out_of_time'
  return isSlow
    ? new ApiError({ status: 408, code, title: 'Request Timeout', detail: message })
    : new ApiError({ status: 422, code, title: 'Unprocessable Entity', detail: message })
}
