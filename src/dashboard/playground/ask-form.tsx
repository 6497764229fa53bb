// The playground's form: the question, and every option of the API behind it.
import type { JSX } from 'preact'
import { INCLUDES, LIMITS, RECENCIES, SEARCH_DEPTHS, type FieldIssue } from '../../contract.ts'
import { Choice, Field, Select } from '../frame/fields.tsx'
import { FormToken, type Frame } from '../frame/page.tsx'

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

interface FormProperties {
  frame: Frame
  fields: PlaygroundFields
  issues: readonly FieldIssue[]
}

export function AskForm({ frame, fields, issues }: FormProperties): JSX.Element {
  const wrong = (name: string): string | undefined =>
    issues.find(({ pointer }) => pointer.split('/')[1] === name)?.message
  return (
    <form
      method="post"
      action="/playground#answer"
      id="ask"
      class="stack"
      data-stream="/playground/stream"
      data-code="/playground/code"
    >
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
      <p class="quiet small keys" data-needs-script>
        <kbd>/</kbd> to ask, <kbd>Ctrl</kbd> or <kbd>⌘</kbd> with <kbd>↵</kbd> to search, <kbd>Esc</kbd> to
        stop.
      </p>
      <p class="actions">
        <button type="submit" class="button button-plain button-small" formAction="/playground/compare">
          Compare the three depths
        </button>
        <span class="quiet small">Costs three searches.</span>
      </p>
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
