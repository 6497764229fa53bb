// Jina's reader: `GET /compat/jina/r/URL` answers with the page as Markdown under a short head, or as JSON for whoever
// accepts nothing else.
import type { ParameterizedContext } from 'koa'
import { ApiError, badRequest } from '../../errors.ts'
import type { AdmittedReadPages } from '../../search/given/admitted-work.ts'
import type { PageFormat, ReadPage } from '../../search/given/read-pages.ts'
import type { CallerState } from '../request/authenticate.ts'
import type { Route } from '../route.ts'
import { patienceOfSeconds, runForeignRead } from './foreign-search.ts'
import { address, given } from './foreign-values.ts'

const PREFIX = '/compat/jina/r/'
const FORMAT_OF: Readonly<Record<string, PageFormat>> = {
  '': 'markdown',
  markdown: 'markdown',
  text: 'text',
  html: 'html',
}

type Context = ParameterizedContext<CallerState>

export const jinaReaderRoute: Route<{ readPages: AdmittedReadPages }> = {
  method: 'get',
  path: `${PREFIX}*address`,
  door: 'key',
  scope: 'read',
  operation: null,
  createHandler: ({ readPages }) =>
    async function answerReader(context) {
      const format = FORMAT_OF[context.get('X-Return-Format').toLowerCase()]
      if (format === undefined) throw badRequest('X-Return-Format may be markdown, text or html here.')
      if (context.get('X-Target-Selector') !== '' || context.get('X-Remove-Selector') !== '')
        throw badRequest('Selectors are not supported here; pages are read as a whole.')
      const timeoutSeconds = numberIn(context, 'X-Timeout')
      const [page] = await runForeignRead(context, readPages, [addressIn(context)], {
        format,
        maxTokens: numberIn(context, 'X-Token-Budget'),
        maxAgeMs: context.get('X-No-Cache') === 'true' ? 0 : null,
        ...patienceOfSeconds(timeoutSeconds),
      })
      if (page === undefined) throw new Error('no page for an address')
      if (page.failure !== null) throw unreadable(page.failure.message)
      answer(context, page)
    },
}

function answer(context: Context, page: ReadPage): void {
  if (context.accepts(['text/plain', 'application/json']) === 'application/json') {
    const data = {
      title: page.title ?? '',
      url: page.url,
      content: page.content,
      ...given('publishedTime', page.publishDate),
      ...given('warning', page.warning),
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

/** What follows the prefix, with the query, which belongs to the page; bare hosts are taken for https. */
function addressIn(context: Context): string {
  const written = `${context.path.slice(PREFIX.length)}${context.search}`
  const decoded = /^https?%3a/iu.test(written) ? decodeURIComponent(written) : written
  const parsed = address.safeParse(/^[a-z][a-z\d+.-]*:\/\//iu.test(decoded) ? decoded : `https://${decoded}`)
  if (!parsed.success) throw badRequest('What follows /r/ must be the address of a page.')
  return parsed.data
}

function numberIn(context: Context, header: string): number | null {
  const text = context.get(header)
  if (text === '') return null
  if (!/^\d{1,6}$/u.test(text) || Number(text) === 0)
    throw badRequest(`${header} must be a whole number above 0.`)
  return Number(text)
}

/** 422, as Jina answers for a page that cannot be had. */
const unreadable = (detail: string): ApiError =>
  new ApiError({ status: 422, code: 'unreadable_page', title: 'Unprocessable Entity', detail })
