// The answers to one question side by side, by depth or by search engine: which pages, which passages, in what time.
import type { JSX } from 'preact'
import type { SearchResponse, SearchResult } from '../../contract.ts'
import { EmptyState } from '../frame/fields.tsx'
import { formatCount, formatDuration, safeLink } from '../frame/formats.ts'
import { FormToken, Page, PageHead, type Frame } from '../frame/page.tsx'
import { domainOf } from '../playground/explained-pages.ts'
import { ForeignLink } from '../frame/foreign-link.tsx'
import type { PlaygroundFields } from '../playground/playground-form.ts'
import { MarkedText } from '../playground/snippet-item.tsx'

export interface ComparedAnswer {
  /** Of the depth or the engine. */
  name: string
  response: SearchResponse | null
  /** Why there is no response. */
  failure: string | null
}

interface CompareProperties {
  frame: Frame
  by: 'depths' | 'engines'
  fields: PlaygroundFields
  answers: readonly ComparedAnswer[]
}

const TITLES = { depths: 'Compare depths', engines: 'Compare engines' } as const

export function ComparePage({ frame, by, fields, answers }: CompareProperties): JSX.Element {
  return (
    <Page frame={frame} style="playground" title={TITLES[by]}>
      <PageHead title={TITLES[by]} above={[playgroundAddress(fields), 'Playground']}>
        {fields.query}
      </PageHead>
      {answers.length < 2 ? (
        <EmptyState title="Nothing to compare">
          Choose two different search engines that are set up.
        </EmptyState>
      ) : (
        <>
          <p class="quiet small">
            {pagesInCommon(answers)} They were asked one after the other, so the later ones may have had pages
            from the cache.
          </p>
          <div class={`compare compare-${answers.length}`}>
            {answers.map((answer) => (
              <AnswerColumn frame={frame} by={by} fields={fields} answer={answer} />
            ))}
          </div>
        </>
      )}
    </Page>
  )
}

/** The whole request, as the playground writes it into its address. */
function playgroundAddress({ include, ...single }: PlaygroundFields): string {
  const fields = Object.entries(single).filter(([, value]) => value !== '')
  const names = include.map((name) => ['include', name])
  return `/playground#${new URLSearchParams([...fields, ...names]).toString()}`
}

/** What answers have in common can be told of two at least; an answer that failed has no pages to share. */
function pagesInCommon(answers: readonly ComparedAnswer[]): string {
  const lists = answers.flatMap(({ response }) =>
    response === null ? [] : [new Set(response.results.map(({ url }) => url))],
  )
  if (lists.length < 2) return ''
  const [first = new Set<string>(), ...others] = lists
  const count = [...first].filter((url) => others.every((list) => list.has(url))).length
  const where = lists.length < answers.length ? 'in every answer that there is' : 'in every answer'
  return `${formatCount(count)} ${count === 1 ? 'page is' : 'pages are'} ${where}.`
}

function AnswerColumn({
  frame,
  by,
  fields,
  answer: { name, response, failure },
}: Omit<CompareProperties, 'answers'> & { answer: ComparedAnswer }) {
  return (
    <section aria-labelledby={`way-${name}`}>
      <h2 id={`way-${name}`}>{name}</h2>
      {response === null ? (
        <div class="notice notice-bad">
          <p>{failure}</p>
        </div>
      ) : (
        <>
          <Figures response={response} />
          {by === 'depths' && <SearchAtDepth frame={frame} fields={fields} depth={name} />}
          <ComparedResults results={response.results} />
        </>
      )}
    </section>
  )
}

function Figures({ response: { results, total_latency_ms: totalMs } }: { response: SearchResponse }) {
  const snippets = results.flatMap((result) => result.snippets)
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
        {results.filter(hasPassage).length} of {results.length} pages have a good passage.
      </p>
    </>
  )
}

const hasPassage = ({ snippets }: SearchResult): boolean => snippets.length > 0

function ComparedResults({ results }: { results: readonly SearchResult[] }) {
  return (
    <ol class="results">
      {results.filter(hasPassage).map((result) => (
        <ComparedResult result={result} />
      ))}
    </ol>
  )
}

function ComparedResult({ result }: { result: SearchResult }) {
  const link = safeLink(result.url)
  const title = result.title === '' ? result.url : result.title
  return (
    <li class="result">
      <h3 dir="auto">{link === null ? title : <ForeignLink href={link}>{title}</ForeignLink>}</h3>
      <p class="source">{domainOf(result.url)}</p>
      <ul class="snippets">
        {result.snippets.map(({ text, highlights, relevance_score: score }) => (
          <li class="snippet">
            <blockquote dir="auto">
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
}: Pick<CompareProperties, 'frame' | 'fields'> & { depth: string }) {
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
