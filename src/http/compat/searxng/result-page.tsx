// The page of results that SearXNG shows a browser, for clients that read it instead of the JSON: its elements and
// classes, and nothing of its looks.
import { renderToString } from 'preact-render-to-string'
import type { SearchResult } from '../../../contract.ts'
import { passagesOf } from '../foreign-search.ts'

/** What stands at the root where nothing is asked. */
export const renderEmptyPage = (): string => renderResultPage('Verbatim', [])

/** As a whole HTML document; everything in it is escaped. */
export const renderResultPage = (query: string, results: readonly SearchResult[]): string =>
  `<!DOCTYPE html>${renderToString(<ResultPage query={query} results={results} />)}`

const ResultPage = ({ query, results }: { query: string; results: readonly SearchResult[] }) => (
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <title>{query}</title>
    </head>
    <body>
      <main id="results">
        <div id="urls" role="main">
          {results.map((result) => (
            <Result key={result.url} result={result} />
          ))}
        </div>
      </main>
    </body>
  </html>
)

const Result = ({ result }: { result: SearchResult }) => (
  <article class="result result-default category-general">
    <h3>
      <a href={result.url} rel="noreferrer">
        {result.title}
      </a>
    </h3>
    <a class="url_header" href={result.url}>
      {result.url}
    </a>
    {result.publish_date === null ? null : (
      <time class="published_date" dateTime={result.publish_date}>
        {result.publish_date}
      </time>
    )}
    <p class="content">{passagesOf(result)}</p>
  </article>
)
