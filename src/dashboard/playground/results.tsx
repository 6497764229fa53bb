// The answer of a search as people see it. Titles, addresses and passages come from foreign pages: they are shown as
// text, and only http and https addresses become links.
import type { JSX } from 'preact'
import type { SearchResponse, SearchResult, Snippet } from '../../contract.ts'
import { EmptyState } from '../frame/fields.tsx'
import { formatDay, formatDuration, safeLink } from '../frame/formats.ts'

export function ResultList({
  response,
  engine,
}: {
  response: SearchResponse
  /** Which search engine found the pages. */
  engine: string
}): JSX.Element {
  const { results } = response
  if (results.length === 0) {
    return (
      <EmptyState title="No results">
        No search engine found a page for this query that passes your filters. Loosen the domains or the
        recency, or ask differently.
      </EmptyState>
    )
  }
  const count = results.reduce((total, { snippets }) => total + snippets.length, 0)
  return (
    <>
      <p class="quiet">
        {results.length} {results.length === 1 ? 'page' : 'pages'}, {count}{' '}
        {count === 1 ? 'snippet' : 'snippets'} in {formatDuration(response.total_latency_ms)}, found by{' '}
        {engine.split('+').join(' and ')}
      </p>
      <ol class="results">
        {results.map((result) => (
          <ResultItem result={result} />
        ))}
      </ol>
    </>
  )
}

/** One result, alone or in the list. */
export function ResultItem({ result }: { result: SearchResult }): JSX.Element {
  const link = safeLink(result.url)
  const title = result.title === '' ? result.url : result.title
  return (
    <li class="result">
      <article>
        <div class="result-head">
          <span class="rank" aria-hidden="true">
            {result.rank}
          </span>
          <div>
            <h3>{link === null ? title : <ForeignLink href={link}>{title}</ForeignLink>}</h3>
            <p class="source">
              {result.url}
              <PageDate label="published" date={result.publish_date} />
              <PageDate label="updated" date={result.last_updated} />
            </p>
          </div>
        </div>
        {result.warning !== null && (
          <div class="inset">
            <div class="notice notice-warn">
              <p>{result.warning}</p>
            </div>
          </div>
        )}
        {result.snippets.length > 0 && (
          <ul class="snippets inset">
            {result.snippets.map((snippet) => (
              <SnippetItem snippet={snippet} />
            ))}
          </ul>
        )}
        {result.snippets.length === 0 && result.warning === null && (
          <p class="quiet inset">No passage of this page is relevant enough for this depth.</p>
        )}
      </article>
    </li>
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

function SnippetItem({ snippet }: { snippet: Snippet }) {
  const fragment = snippet.text_fragment_url ?? null
  const link = fragment === null ? null : safeLink(fragment)
  return (
    <li class="snippet">
      <blockquote>
        <MarkedText text={snippet.text} marks={snippet.highlights ?? []} />
      </blockquote>
      <footer>
        <Score value={snippet.relevance_score} />
        {link !== null && <ForeignLink href={link}>Show on the page</ForeignLink>}
      </footer>
    </li>
  )
}

/** A text with the sentences that answer marked; marks are in order and apart. */
function MarkedText({ text, marks }: { text: string; marks: readonly { start: number; end: number }[] }) {
  return (
    <>
      {marks.map(({ start, end }, index) => (
        <>
          {text.slice(marks[index - 1]?.end ?? 0, start)}
          <mark>{text.slice(start, end)}</mark>
        </>
      ))}
      {text.slice(marks.at(-1)?.end ?? 0)}
    </>
  )
}

/** The score as a bar and as a number. */
function Score({ value }: { value: number }) {
  return (
    <span class="score">
      <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
        <rect class="track" width="100" height="8" />
        <rect class="value" width={Math.round(value * 100)} height="8" />
      </svg>
      <span>
        <span class="visually-hidden">Relevance </span>
        {value.toFixed(2)}
      </span>
    </span>
  )
}

/** A link to a foreign page: it learns neither where the reader comes from nor gets hold of this window. */
function ForeignLink({ href, children }: { href: string; children: string }) {
  return (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  )
}
