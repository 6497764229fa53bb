// Jina's reader: `GET /compat/jina/r/URL` answers with the page as Markdown under a short head, or as JSON for whoever
// accepts nothing else. What else it can be told stands in headers.
import { z } from 'zod'
import { ApiError, badRequest } from '../../errors.ts'
import type { AdmittedReadPages } from '../../search/given/admitted-work.ts'
import type { PageFormat, ReadPage } from '../../search/given/read-pages.ts'
import { estimateTokens } from '../../search/highlights/text-budget.ts'
import type { ErrorShape, Route } from '../route.ts'
import { readFields, type ForeignFields } from './foreign-fields.ts'
import { runForeignRead } from './foreign-pages.ts'
import { patienceOfSeconds, type ForeignContext } from './foreign-search.ts'
import { address, given, simpleSelector, writtenCount } from './foreign-values.ts'

const PREFIX = '/compat/jina/r/'
/** Agno gives the reader five seconds and says so to nobody; who waits longer sends X-Timeout. */
const PATIENCE_MS = 4_500
const FORMAT_OF: Readonly<Record<string, PageFormat>> = { text: 'text', html: 'html' }

const format = z
  .enum(['markdown', 'content', 'text', 'html'], 'may be markdown, text or html here.')
  .optional()
const count = writtenCount.optional()
const STRANGER = 'pages are asked for as this service, without credentials.'
const NO_MODEL = 'no language model writes here.'

export const jinaReaderFields = {
  honoured: {
    'X-Return-Format': format,
    'X-Respond-With': format,
    'X-Timeout': count,
    'X-Token-Budget': count,
    'X-Max-Tokens': count,
    'X-No-Cache': z.string().optional(),
    'X-Cache-Tolerance': z.coerce.number('must be a number of seconds.').min(0).optional(),
    'X-Remove-Selector': z
      .string()
      .transform((list) => list.split(',').map((selector) => selector.trim()))
      .pipe(z.array(simpleSelector))
      .optional(),
  },
  refused: {
    'X-Target-Selector': 'pages are read as a whole.',
    'X-Set-Cookie': STRANGER,
    'X-Proxy-Url': STRANGER,
    'X-Instruction': NO_MODEL,
    'X-Json-Schema': NO_MODEL,
  },
  // How a page is opened and written is this service's own affair; what asks for more than its text gets its text.
  harmless: [
    'X-Engine',
    'X-Locale',
    'X-Proxy',
    'X-User-Agent',
    'X-Referer',
    'X-Viewport',
    'X-Wait-For-Selector',
    'X-With-Iframe',
    'X-With-Shadow-Dom',
    'X-With-Links-Summary',
    'X-With-Images-Summary',
    'X-With-Generated-Alt',
    'X-Retain-Images',
    'X-Retain-Links',
    'X-Keep-Img-Data-Url',
    'X-Base',
    'X-Robots-Txt',
    'X-Preset',
    'DNT',
  ],
} satisfies ForeignFields

const ERROR_NAMES: Readonly<Record<number, string>> = {
  400: 'ParamValidationError',
  401: 'AuthenticationFailedError',
  403: 'InsufficientPermissionError',
  422: 'AssertionFailureError',
  429: 'RateLimitTriggeredError',
}

export const jinaReaderErrors: ErrorShape = {
  prefix: PREFIX,
  spell({ status, detail }) {
    const name = ERROR_NAMES[status] ?? 'ServiceError'
    const body = { data: null, code: status, status: status * 100, name, message: detail }
    return { status, body: { ...body, readableMessage: `${name}: ${detail}` } }
  },
}

export const jinaReaderRoute: Route<{ readPages: AdmittedReadPages }> = {
  method: 'get',
  path: `${PREFIX}*address`,
  door: 'key',
  scope: 'read',
  operation: null,
  createHandler: ({ readPages }) =>
    async function answerReader(context) {
      const sent = readFields(jinaReaderFields, headersOf(context))
      const written = FORMAT_OF[sent['X-Return-Format'] ?? sent['X-Respond-With'] ?? ''] ?? 'markdown'
      const maxTokens = sent['X-Max-Tokens'] ?? sent['X-Token-Budget'] ?? null
      if (written === 'html' && maxTokens !== null)
        throw badRequest('X-Token-Budget: HTML is given whole; ask for markdown or text.')
      const [page] = await runForeignRead(context, readPages, [addressIn(context)], {
        format: written,
        maxTokens,
        maxAgeMs: maxAgeOf(sent['X-No-Cache'], sent['X-Cache-Tolerance']),
        without: sent['X-Remove-Selector'] ?? [],
        patienceMs: PATIENCE_MS,
        ...patienceOfSeconds(sent['X-Timeout']),
      })
      if (page === undefined) throw new Error('no page for an address')
      if (page.failure !== null) throw unreadable(page.failure.message)
      answer(context, page)
    },
}

/** Those that the table knows, and were sent. */
function headersOf(context: ForeignContext): Record<string, string> {
  const { honoured, refused } = jinaReaderFields
  const names = [...Object.keys(honoured), ...Object.keys(refused)]
  return Object.fromEntries(
    names.map((name) => [name, context.get(name)]).filter(([, value]) => value !== ''),
  )
}

const maxAgeOf = (noCache: string | undefined, toleranceSeconds: number | undefined): number | null =>
  noCache === 'true' ? 0 : toleranceSeconds === undefined ? null : toleranceSeconds * 1_000

function answer(context: ForeignContext, page: ReadPage): void {
  if (context.accepts(['text/plain', 'application/json']) === 'application/json') {
    const data = {
      title: page.title ?? '',
      url: page.url,
      content: page.content,
      ...given('publishedTime', page.publishDate),
      ...given('warning', page.warning),
      usage: { tokens: estimateTokens(page.content) },
    }
    context.body = { code: 200, status: 20_000, data }
    return
  }
  context.type = 'text/plain; charset=utf-8'
  context.body = [
    `Title: ${page.title ?? ''}`,
    `URL Source: ${page.url}`,
    ...(page.publishDate === null ? [] : [`Published Time: ${page.publishDate}`]),
    ...(page.warning === null ? [] : [`Warning: ${page.warning}`]),
    `Markdown Content:\n${page.content}`,
  ].join('\n\n')
}

/** What follows the prefix, with the query, which belongs to the page. */
function addressIn(context: ForeignContext): string {
  const written = `${context.path.slice(PREFIX.length)}${context.search}`
  const whole = /^https?%3a/iu.test(written) ? unescaped(written) : written
  // Proxies that tidy paths leave one slash of two.
  const decoded = whole.replace(/^(https?):\/+/iu, '$1://')
  const parsed = address.safeParse(decoded)
  if (!parsed.success) throw badRequest('What follows /r/ must be the address of a page.')
  return parsed.data
}

/** Without its escapes; '', which is no address, where some of them are none. */
function unescaped(written: string): string {
  try {
    return decodeURIComponent(written)
  } catch {
    return ''
  }
}

/** 422, as Jina answers for a page that cannot be had. */
const unreadable = (detail: string): ApiError =>
  new ApiError({ status: 422, code: 'unreadable_page', title: 'Unprocessable Entity', detail })
