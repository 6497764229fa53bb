// Where spans of a search begin and end, beside those of its stages.
import { UnreadableError } from '../../extract/document.ts'
import { PageError } from '../../pages/capture.ts'
import type { Trace, TraceSpan } from '../../telemetry/trace.ts'
import { hostOf } from '../answer.ts'
import type { PipelineParts } from '../search-context.ts'
import type { Search } from '../search.ts'

/** `search`, as a span with its depth and, when it is answered, what it was answered from. */
export function traceSearch(search: Search, trace: Trace): Search {
  return function tracedSearch(request, context, signal) {
    return trace('search', { 'verbatim.depth': request.search_depth }, async (span) => {
      const outcome = await search(request, context, signal)
      const { provider, model, pages, snippets } = outcome.facts
      span.add({
        'verbatim.provider': provider,
        'verbatim.model': model,
        'verbatim.pages': pages.length,
        'verbatim.snippets': snippets,
      })
      return outcome
    })
  }
}

/** `parts`, where opening and reading each page is a span with the page's host, never its path, query or content. */
export function tracePages<P extends Pick<PipelineParts, 'loadPage' | 'readPage'>>(
  parts: P,
  trace: Trace,
): P {
  const { loadPage, readPage } = parts
  const tracedParts: Pick<PipelineParts, 'loadPage' | 'readPage'> = {
    loadPage: (url, options, signal) =>
      trace('page.load', { 'server.address': hostOf(url) }, async (span) => {
        const capture = await naming(span, loadPage(url, options, signal))
        span.add({ 'verbatim.read_by': capture.readBy })
        return capture
      }),
    readPage: (capture, options, signal) =>
      trace('page.read', { 'server.address': hostOf(capture.url) }, async (span) => {
        const read = await naming(span, readPage(capture, options, signal))
        span.add({ 'verbatim.passages': read.passages.length })
        return read
      }),
  }
  return { ...parts, ...tracedParts }
}

/** A page that fails says how in one of our own words. */
async function naming<T>(span: TraceSpan, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof PageError) span.fail(error.warning.code)
    if (error instanceof UnreadableError) span.fail(error.code)
    throw error
  }
}
