// The playground: every option of the API as a form, the answer below it, the same request as code beside it.
import type { JSX } from 'preact'
import type { FieldIssue } from '../../contract/body.ts'
import type { SearchResponse } from '../../contract.ts'
import { AskForm } from './ask-form.tsx'
import type { CodeSample } from './code-samples.ts'
import { Explanation } from './explanation.tsx'
import { CodeBlock } from '../frame/fields.tsx'
import { FORM_MARK_FIELD, Page, PageHead, type Frame, type Notice } from '../frame/page.tsx'
import { hasFilters, type PlaygroundFields } from './playground-form.ts'
import { ResultList } from './results.tsx'
import type { ServicePart } from '../../telemetry/service-status.ts'

export interface PlaygroundAnswer {
  response: SearchResponse
  /** Milliseconds by stage. */
  stages: Readonly<Record<string, number>>
  /** The search engine that found the pages. */
  engine: string
}

interface PlaygroundProperties {
  frame: Frame
  fields: PlaygroundFields
  /** What kept the search from being answered. */
  notice: Notice | null
  issues: readonly FieldIssue[]
  answer: PlaygroundAnswer | null
  /** The search engines that do not work as they should. */
  troubledEngines: readonly ServicePart[]
  samples: readonly CodeSample[]
  /** The key in the samples; null when they read it from the environment. */
  sampleKey: string | null
  /** The search engines that may be asked. */
  engines: readonly string[]
  /** Questions that pages of the library answer. */
  examples: readonly string[]
}

/** The page around what a search changes. */
export function PlaygroundPage({ frame, content }: { frame: Frame; content: JSX.Element }): JSX.Element {
  return (
    <Page frame={frame} style="playground" script="playground" title="Playground">
      <PageHead title="Playground">
        Ask, change every option the API has, and take the request away as code.
      </PageHead>
      <div id="playground">{content}</div>
    </Page>
  )
}

/** Everything of the page that a search changes: the script puts it in place of what stands in #playground. */
export function PlaygroundContent(properties: PlaygroundProperties): JSX.Element {
  const { frame, fields, notice, issues, answer, engines, troubledEngines, samples, sampleKey, examples } =
    properties
  return (
    <div class="bench">
      <div>
        {notice !== null && (
          <div class={`notice notice-${notice.tone}`} role="alert">
            <p>{notice.text}</p>
          </div>
        )}
        <AskForm
          frame={frame}
          fields={fields}
          issues={issues}
          engines={engines}
          isReady={fields.query !== '' && answer === null && issues.length === 0}
        />
        {fields.query === '' && <Examples titles={examples} />}
        {!isAnswered(answer) && engines.every((name) => name === 'library') && <LibraryAlone />}
        <section aria-labelledby="answer" hidden={answer === null}>
          <h2 id="answer" tabIndex={-1}>
            Answer
          </h2>
          <div id="results">
            {answer !== null && (
              <ResultList
                frame={frame}
                response={answer.response}
                engine={answer.engine}
                isExhaustive={fields.search_depth === 'exhaustive'}
                isFiltered={hasFilters(fields)}
              />
            )}
          </div>
        </section>
        <TroubledEngines engines={troubledEngines} />
        {answer !== null && (
          <Explanation
            stages={answer.stages}
            totalMs={answer.response.total_latency_ms}
            explain={answer.response.explain}
            returned={answer.response.results.flatMap(({ snippets }) =>
              snippets.map(({ relevance_score: score }) => score),
            )}
            isOpen={fields.include.includes('explain')}
          />
        )}
      </div>
      <section class="samples">
        <h2>The same as code</h2>
        <SampleKey frame={frame} sampleKey={sampleKey} />
        <div id="samples">
          <Samples samples={samples} />
        </div>
      </section>
    </div>
  )
}

/** What stands for the key in the code, and the button that makes one for it. The script puts it in place. */
function SampleKey({ frame, sampleKey }: { frame: Frame; sampleKey: string | null }) {
  return (
    <div id="sample-key">
      {sampleKey === null ? (
        <p class="quiet small">
          The code reads an API key from the environment variable <code>VERBATIM_KEY</code>. Searches made
          here need none.
        </p>
      ) : (
        <p class="small">
          The code has a key that works for an hour. It is among your <a href="/keys">keys</a>, where it can
          be deleted sooner.
        </p>
      )}
      {/* Sent with the form beside it, so that what is typed there stays. */}
      <input type="hidden" form="ask" name="sample_key" value={sampleKey ?? ''} />
      <input type="hidden" form="ask" name={FORM_MARK_FIELD} value={`${frame.pageMark}.sample-key`} />
      {sampleKey === null && (
        <p>
          <button
            type="submit"
            form="ask"
            formAction="/playground/key"
            formNoValidate
            class="button button-plain button-small"
          >
            Make a key for an hour
          </button>
        </p>
      )}
    </div>
  )
}

/** The script puts these in place while the form is being filled. */
export function Samples({ samples }: { samples: readonly CodeSample[] }): JSX.Element {
  return (
    <>
      {samples.map((sample, index) => (
        <details open={index === 0} name="sample" class="fold" data-language={sample.label}>
          <summary>{sample.label}</summary>
          <CodeBlock id={sample.id} label={sample.label} language={sample.language} code={sample.code} />
        </details>
      ))}
    </>
  )
}

function Examples({ titles }: { titles: readonly string[] }) {
  if (titles.length === 0) return null
  return (
    <nav class="examples" aria-label="Examples">
      <h2>Try one</h2>
      <ul>
        {titles.map((title) => (
          <li>
            <a href={`/playground?query=${encodeURIComponent(title)}`}>{title}</a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** Whether something was found that is rather relevant than not. */
const isAnswered = (answer: PlaygroundAnswer | null): boolean =>
  answer !== null &&
  answer.response.results.some(({ snippets }) => snippets.some((one) => one.relevance_score >= 0.5))

/** Who asks about the world here should not wonder at what is found. */
function LibraryAlone() {
  return (
    <p class="quiet small only-library">
      No <a href="/docs/providers">search engine for the web</a> is set up yet: searches look through the{' '}
      <a href="/library">library</a> alone, which begins with this documentation.
    </p>
  )
}

function TroubledEngines({ engines }: { engines: readonly ServicePart[] }) {
  if (engines.length === 0) return null
  return (
    <div class="notice notice-warn troubled">
      {engines.map(({ name, detail }) => (
        <p>
          The search engine {name}: {detail}
        </p>
      ))}
    </div>
  )
}
