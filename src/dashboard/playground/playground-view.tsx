// The playground: every option of the API as a form, the answer below it, the same request as code beside it.
import type { JSX } from 'preact'
import {
  INCLUDES,
  LIMITS,
  RECENCIES,
  SEARCH_DEPTHS,
  type FieldIssue,
  type SearchResponse,
} from '../../contract.ts'
import type { CodeSample } from './code-samples.ts'
import { Explanation } from './explanation.tsx'
import { Choice, CodeBlock, Field, Select } from '../frame/fields.tsx'
import { FormToken, Page, PageHead, type Frame, type Notice } from '../frame/page.tsx'
import { ResultList } from './results.tsx'
import type { ServicePart } from '../../telemetry/service-status.ts'

/** The form as it was typed. */
export interface PlaygroundFields {
  query: string
  num_results: string
  max_snippets_per_result: string
  search_depth: string
  recency: string
  language: string
  include_domains: string
  exclude_domains: string
  include: readonly string[]
}

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
}

export function PlaygroundPage({ frame, content }: { frame: Frame; content: JSX.Element }): JSX.Element {
  return (
    <Page frame={frame} style="playground" title="Playground">
      <PageHead title="Playground">
        Ask, change every option the API has, and take the request away as code.
      </PageHead>
      <div id="playground">{content}</div>
    </Page>
  )
}

/** Everything of the page that a search changes: the script puts it in place of what stands in #playground. */
export function PlaygroundContent(properties: PlaygroundProperties): JSX.Element {
  const { frame, fields, notice, issues, answer, troubledEngines, samples } = properties
  return (
    <div class="bench">
      <div>
        {notice !== null && (
          <div class={`notice notice-${notice.tone}`} role="alert">
            <p>{notice.text}</p>
          </div>
        )}
        <PlaygroundForm frame={frame} fields={fields} issues={issues} />
        <section aria-labelledby="answer" hidden={answer === null}>
          <h2 id="answer" tabIndex={-1}>
            Answer
          </h2>
          <div id="results">
            {answer !== null && <ResultList response={answer.response} engine={answer.engine} />}
          </div>
        </section>
        <TroubledEngines engines={troubledEngines} />
        {answer !== null && fields.include.includes('explain') && (
          <Explanation
            stages={answer.stages}
            totalMs={answer.response.total_latency_ms}
            explain={answer.response.explain}
          />
        )}
      </div>
      <section class="samples">
        <h2>The same as code</h2>
        <p class="quiet small">
          Put an API key into the environment variable <code>VERBATIM_KEY</code>; searches made here need
          none.
        </p>
        {samples.map((sample, index) => (
          <details open={index === 0} name="sample">
            <summary>{sample.language}</summary>
            <CodeBlock id={sample.id} label={sample.language} code={sample.code} />
          </details>
        ))}
      </section>
    </div>
  )
}

function TroubledEngines({ engines }: { engines: readonly ServicePart[] }) {
  if (engines.length === 0) return null
  return (
    <div class="notice notice-warn">
      {engines.map(({ name, detail }) => (
        <p>
          The search engine {name}: {detail}
        </p>
      ))}
    </div>
  )
}

interface FormProperties {
  frame: Frame
  fields: PlaygroundFields
  issues: readonly FieldIssue[]
}

function PlaygroundForm({ frame, fields, issues }: FormProperties) {
  const wrong = (name: string): string | undefined =>
    issues.find(({ pointer }) => pointer.split('/')[1] === name)?.message
  return (
    <form method="post" action="/playground#answer" class="stack" data-stream="/playground/stream">
      <FormToken frame={frame} />
      <div class="ask">
        <Field
          name="query"
          label="Query"
          value={fields.query}
          maxLength={LIMITS.queryCharacters}
          required
          autofocus={fields.query === ''}
          wrong={wrong('query')}
        />
        <button type="submit" class="button">
          Search
        </button>
      </div>
      <details open={issues.some(({ pointer }) => pointer !== '/query') || hasOptions(fields)}>
        <summary>Options</summary>
        <div class="stack">
          <Options fields={fields} wrong={wrong} />
        </div>
      </details>
    </form>
  )
}

function Options({
  fields,
  wrong,
}: {
  fields: PlaygroundFields
  wrong: (name: string) => string | undefined
}) {
  return (
    <>
      <div class="fields">
        <Select
          name="search_depth"
          label="Depth"
          value={fields.search_depth}
          options={namesOf(SEARCH_DEPTHS)}
        />
        <NumberField
          name="num_results"
          label="Results"
          max={LIMITS.resultsMax}
          fields={fields}
          wrong={wrong}
        />
        <NumberField
          name="max_snippets_per_result"
          label="Snippets per result"
          max={LIMITS.snippetsMax}
          fields={fields}
          wrong={wrong}
        />
        <Select
          name="recency"
          label="Published within"
          value={fields.recency}
          options={[['', 'any time'], ...namesOf(RECENCIES)]}
        />
        <Field
          name="language"
          label="Language"
          value={fields.language}
          help="Such as en, fr, de. Empty: the query's own."
          wrong={wrong('language')}
        />
      </div>
      <div class="fields">
        <Field
          name="include_domains"
          label="Only these domains"
          value={fields.include_domains}
          help="Separated by spaces."
          wrong={wrong('include_domains')}
        />
        <Field
          name="exclude_domains"
          label="Not these domains"
          value={fields.exclude_domains}
          help="Separated by spaces."
          wrong={wrong('exclude_domains')}
        />
      </div>
      <fieldset class="choices">
        <legend>Include</legend>
        {INCLUDES.map((value) => (
          <Choice name="include" value={value} label={value} checked={fields.include.includes(value)} />
        ))}
      </fieldset>
    </>
  )
}

interface NumberProperties {
  name: 'num_results' | 'max_snippets_per_result'
  label: string
  max: number
  fields: PlaygroundFields
  wrong: (name: string) => string | undefined
}

function NumberField({ name, label, max, fields, wrong }: NumberProperties) {
  return (
    <Field
      name={name}
      label={label}
      type="number"
      min={1}
      max={max}
      value={fields[name]}
      help={`1 to ${max}.`}
      wrong={wrong(name)}
    />
  )
}

const namesOf = (values: readonly string[]): [string, string][] => values.map((value) => [value, value])

/** Whether anything but the query differs from its default, so that the options stay in sight. */
function hasOptions(fields: PlaygroundFields): boolean {
  return (
    fields.num_results !== String(LIMITS.resultsDefault) ||
    fields.max_snippets_per_result !== String(LIMITS.snippetsDefault) ||
    fields.search_depth !== 'balanced' ||
    fields.language + fields.recency + fields.include_domains + fields.exclude_domains !== '' ||
    fields.include.length > 0
  )
}
