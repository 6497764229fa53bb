// The answer of a search as people see it. Titles, addresses and passages come from foreign pages: they are shown as
// text, and only http and https addresses become links.
import type { JSX } from 'preact'
import type { SearchResponse, SearchResult } from '../../contract.ts'
import { EmptyState } from '../frame/fields.tsx'
import { formatDay, formatDuration, safeLink } from '../frame/formats.ts'
import type { Frame } from '../frame/page.tsx'
import { domainOf, READ_BY, readExplanation, type ExplainedPage } from './explained-pages.ts'
import { ForeignLink } from '../frame/foreign-link.tsx'
import { SnippetItem } from './snippet-item.tsx'

export function ResultList({
  frame,
  response,
  engine,
  isExhaustive,
  isFiltered,
}: {
  frame: Frame
  response: SearchResponse
  /** Which search engine found the pages. */
  engine: string
  /** Whether a deeper search could not find more. */
  isExhaustive: boolean
  /** Whether pages were left out by what was asked. */
  isFiltered: boolean
}): JSX.Element {
  const { results } = response
  const pages = new Map(readExplanation(response.explain)?.pages.map((page) => [page.url, page]))
  const [answering, others] = [results.filter(hasSnippets), results.filter((result) => !hasSnippets(result))]
  if (results.length === 0) {
    return (
      <EmptyState title="No results">
        {isFiltered
          ? 'No search engine found a page for this query that passes your filters. Loosen the domains, the dates or the language, or ask differently.'
          : 'No search engine found a page for this query. Ask in other words.'}
      </EmptyState>
    )
  }
  const shared = warningOfAll(answering)
  const count = results.reduce((total, { snippets }) => total + snippets.length, 0)
  return (
    <>
      <p class="quiet">
        {count === 0 && `${wordsOfNone(results)} `}
        {results.length} {results.length === 1 ? 'page' : 'pages'}, {count}{' '}
        {count === 1 ? 'snippet' : 'snippets'} in {formatDuration(response.total_latency_ms)}, found by{' '}
        {engine.split('+').join(' and ')}
      </p>
      {shared !== null && <Warning text={shared} />}
      <ol class="results">
        {answering.map((result) => (
          <ResultItem
            frame={frame}
            result={shared === null ? result : { ...result, warning: null }}
            rank={result.rank}
            page={pages.get(result.url)}
          />
        ))}
      </ol>
      {others.length > 0 && (
        <PagesWithoutPassage
          results={others}
          pages={pages}
          isAll={answering.length === 0}
          isExhaustive={isExhaustive}
        />
      )}
    </>
  )
}

/** What is to be said of each of several pages is said once. */
function warningOfAll([first, ...others]: readonly SearchResult[]): string | null {
  if (first === undefined || others.length === 0) return null
  return others.every(({ warning }) => warning === first.warning) ? first.warning : null
}

const Warning = ({ text }: { text: string }) => (
  <div class="notice notice-warn">
    <p>{text}</p>
  </div>
)

/** Pages that were read and not judged in time are neither unread nor without an answer. */
function wordsOfNone(results: readonly SearchResult[]): string {
  if (results.some(isUnjudged)) return 'There was no time to score every passage.'
  const isUnread = results.every(({ warning }) => warning !== null)
  return isUnread ? 'No page could be read.' : 'No passage answers this well enough.'
}

const isUnjudged = ({ warning_code: code }: SearchResult): boolean => code === 'scores_incomplete'

const hasSnippets = ({ snippets }: SearchResult): boolean => snippets.length > 0

interface ResultProperties {
  frame: Frame
  result: SearchResult
  /** Left out while the search goes on: only its end tells the order. */
  rank?: number
  page?: ExplainedPage | undefined
}

/** One result, alone as it arrives or in the list. */
export function ResultItem({ frame, result, rank, page }: ResultProperties): JSX.Element {
  return (
    <li class="result">
      <article>
        <div class="result-head">
          <span class="rank" aria-hidden="true">
            {rank}
          </span>
          <div>
            <h3 dir="auto">
              <PageTitle result={result} />
            </h3>
            <p class="source">
              {domainOf(result.url)}
              <PageDate label="published" date={result.publish_date} />
              <PageDate label="updated" date={result.last_updated} />
              <HowRead page={page} />
            </p>
          </div>
        </div>
        {result.warning !== null && (
          <div class="inset">
            <Warning text={result.warning} />
          </div>
        )}
        {result.snippets.length > 0 && (
          <ul class="snippets inset">
            {result.snippets.map((snippet) => (
              <SnippetItem frame={frame} result={result} snippet={snippet} />
            ))}
          </ul>
        )}
        {!hasSnippets(result) && result.warning === null && <p class="quiet inset">{NO_PASSAGE}</p>}
      </article>
    </li>
  )
}

const NO_PASSAGE = 'No passage of this page is relevant enough for this depth.'

/** What gave no passage, in one line that opens: why, and the best passage that was not good enough. */
function PagesWithoutPassage(properties: {
  results: readonly SearchResult[]
  pages: ReadonlyMap<string, ExplainedPage>
  isAll: boolean
  isExhaustive: boolean
}) {
  const { results, pages, isAll, isExhaustive } = properties
  // A page can have a warning and passages, too: it was read in part.
  const isUnread = results.every(
    (result) =>
      result.warning !== null && !isUnjudged(result) && (pages.get(result.url)?.rejected.length ?? 0) === 0,
  )
  const isWorthAnother = isAll && (isUnread || results.some(isUnjudged))
  const isWorthMore = !isExhaustive && !(isAll && isUnread)
  return (
    <details class="without" open={isAll}>
      <summary>
        {results.length} {results.length === 1 ? 'page' : 'pages'}{' '}
        {isUnread ? 'that could not be read' : 'without a good passage'}
      </summary>
      {(isWorthAnother || isWorthMore) && (
        <p class="actions">
          {isWorthAnother && <SearchAgain />}
          {isWorthMore && <TryExhaustive />}
        </p>
      )}
      <ul>
        {results.map((result) => {
          const rejected = pages.get(result.url)?.rejected[0] ?? null
          return (
            <li>
              <PageTitle result={result} /> <span class="quiet small">{domainOf(result.url)}</span>
              <p>{result.warning ?? NO_PASSAGE}</p>
              {rejected !== null && (
                <blockquote dir="auto">
                  {rejected.text}{' '}
                  <span class="quiet small">
                    the best of those left out, {rejected.relevance_score.toFixed(2)}
                  </span>
                </blockquote>
              )}
            </li>
          )
        })}
      </ul>
    </details>
  )
}

/** What could not be read may be the next time, and what was read needs no time to be read again. */
function SearchAgain() {
  return (
    <button type="submit" form="ask" class="button button-plain button-small">
      Search again
    </button>
  )
}

/** Finds more in pages that were read, and has more time for them. */
function TryExhaustive() {
  return (
    <button
      type="submit"
      form="ask"
      name="try_depth"
      value="exhaustive"
      class="button button-plain button-small"
    >
      Try exhaustive
    </button>
  )
}

function PageTitle({ result: { url, title } }: { result: SearchResult }) {
  const link = safeLink(url)
  const shown = title === '' ? url : title
  return link === null ? <>{shown}</> : <ForeignLink href={link}>{shown}</ForeignLink>
}

function HowRead({ page }: { page: ExplainedPage | undefined }) {
  if (page?.read_by === undefined || page.read_by === null) return null
  return (
    <>
      {' · '}
      read {READ_BY[page.read_by]} · {formatDuration(page.elapsed_ms)}
    </>
  )
}

function PageDate({ label, date }: { label: string; date: string | null }) {
  if (date === null || Number.isNaN(Date.parse(date))) return null
  return (
    <>
      {' · '}
      {label} <time dateTime={date}>{formatDay(new Date(date))}</time>
    </>
  )
}
