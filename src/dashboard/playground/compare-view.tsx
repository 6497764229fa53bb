// The answers of the three depths side by side: which pages, which passages, in what time.
import type { JSX } from 'preact'
import type { SearchDepth, SearchResponse, SearchResult } from '../../contract.ts'
import { formatCount, formatDuration, safeLink } from '../frame/formats.ts'
import { FormToken, Page, PageHead, type Frame } from '../frame/page.tsx'
import type { PlaygroundFields } from './ask-form.tsx'
import { ForeignLink } from './foreign-link.tsx'
import { MarkedText } from './snippet-item.tsx'

export interface ComparedAnswer {
  depth: SearchDepth
  response: SearchResponse | null
  /** Why there is no response. */
  failure: string | null
}

interface CompareProperties {
  frame: Frame
  fields: PlaygroundFields
  /** One a depth. */
  answers: readonly ComparedAnswer[]
}

export function ComparePage({ frame, fields, answers }: CompareProperties): JSX.Element {
  return (
    <Page frame={frame} style="playground" title="Compare depths">
      <PageHead title="Compare depths">{fields.query}</PageHead>
      <p class="quiet small">
        Asked one after the other: what the first one fetched, the others may have had from the cache.
      </p>
      <div class="compare">
        {answers.map((answer) => (
          <section aria-labelledby={`depth-${answer.depth}`}>
            <h2 id={`depth-${answer.depth}`}>{answer.depth}</h2>
            {answer.response === null ? (
              <div class="notice notice-bad">
                <p>{answer.failure}</p>
              </div>
            ) : (
              <DepthAnswer frame={frame} fields={fields} depth={answer.depth} response={answer.response} />
            )}
          </section>
        ))}
      </div>
      <p class="actions">
        <a
          class="button button-plain"
          href={`/playground#${new URLSearchParams({ query: fields.query }).toString()}`}
        >
          Back to the playground
        </a>
      </p>
    </Page>
  )
}

function DepthAnswer({
  frame,
  fields,
  depth,
  response,
}: Pick<CompareProperties, 'frame' | 'fields'> & { depth: SearchDepth; response: SearchResponse }) {
  const { results, total_latency_ms: totalMs } = response
  const answering = results.filter(({ snippets }) => snippets.length > 0)
  const snippets = answering.flatMap((result) => result.snippets)
  const characters = snippets.reduce((sum, { text }) => sum + text.length, 0)
  return (
    <>
      <dl class="facts">
        <div>
          <dt>Time</dt>
          <dd>{formatDuration(totalMs)}</dd>
        </div>
        <div>
          <dt>Snippets</dt>
          <dd>{formatCount(snippets.length)}</dd>
        </div>
        <div>
          <dt>Characters</dt>
          <dd>{formatCount(characters)}</dd>
        </div>
      </dl>
      <p class="quiet small">
        {answering.length} of {results.length} pages have a good passage.
      </p>
      <ol class="results">
        {answering.map((result) => (
          <ComparedResult result={result} />
        ))}
      </ol>
      <SearchAtDepth frame={frame} fields={fields} depth={depth} />
    </>
  )
}

function ComparedResult({ result }: { result: SearchResult }) {
  const link = safeLink(result.url)
  const title = result.title === '' ? result.url : result.title
  return (
    <li class="result">
      <h3>{link === null ? title : <ForeignLink href={link}>{title}</ForeignLink>}</h3>
      <ul class="snippets">
        {result.snippets.map(({ text, highlights, relevance_score: score }) => (
          <li class="snippet">
            <blockquote>
              <MarkedText text={text} marks={highlights ?? []} />
            </blockquote>
            <p class="quiet small">relevance {score.toFixed(2)}</p>
          </li>
        ))}
      </ul>
    </li>
  )
}

/** The whole answer of this depth, with everything the playground does with a result. */
function SearchAtDepth({
  frame,
  fields,
  depth,
}: Pick<CompareProperties, 'frame' | 'fields'> & { depth: SearchDepth }) {
  const { include, ...single } = { ...fields, search_depth: depth }
  return (
    <form method="post" action="/playground#answer">
      <FormToken frame={frame} />
      {Object.entries(single).map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      {include.map((value) => (
        <input type="hidden" name="include" value={value} />
      ))}
      <button type="submit" class="button button-plain button-small">
        Search at this depth<span class="visually-hidden">: {depth}</span>
      </button>
    </form>
  )
}
