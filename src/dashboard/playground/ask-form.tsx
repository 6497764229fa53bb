// The playground's form: the question, every option of the API behind it, and what can be compared.
import type { JSX } from 'preact'
import { LIMITS } from '../../contract/limits.ts'
import type { FieldIssue } from '../../contract/body.ts'
import { Field, Select } from '../frame/fields.tsx'
import { FormToken, type Frame } from '../frame/page.tsx'
import { Options } from './options-form.tsx'
import { hasOptions, type PlaygroundFields } from './playground-form.ts'

interface FormProperties {
  frame: Frame
  fields: PlaygroundFields
  issues: readonly FieldIssue[]
  /** The search engines that may be asked. */
  engines: readonly string[]
  /** Whether the question is there and was not asked yet, as an example is. */
  isReady: boolean
}

export function AskForm({ frame, fields, issues, engines, isReady }: FormProperties): JSX.Element {
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
          dir="auto"
          value={fields.query}
          maxLength={LIMITS.queryCharacters}
          required
          autofocus={fields.query === ''}
          wrong={wrong('query')}
        />
        <button type="submit" class="button" autofocus={isReady}>
          Search
        </button>
      </div>
      <p class="quiet small keys" data-needs-script>
        <kbd>/</kbd> to ask, <kbd>Ctrl</kbd> or <kbd>⌘</kbd> with <kbd>↵</kbd> to search, <kbd>Esc</kbd> to
        stop.
      </p>
      <div class="folds">
        <details class="fold" open={issues.some(({ pointer }) => pointer !== '/query') || hasOptions(fields)}>
          <summary>Options</summary>
          <div class="stack">
            <Options fields={fields} wrong={wrong} />
          </div>
        </details>
        <Comparisons engines={engines} />
        <AskedBefore person={frame.person} />
      </div>
    </form>
  )
}

/** Each of several ways to ask costs a search. */
function Comparisons({ engines }: Pick<FormProperties, 'engines'>) {
  const [first, second] = engines
  const options = engines.map((name) => [name, name] as const)
  return (
    <details class="fold">
      <summary>Compare</summary>
      <div class="stack">
        <p class="actions">
          <CompareButton by="depths">Compare the three depths</CompareButton>
          <span class="quiet small">Costs three searches.</span>
        </p>
        {first === undefined || second === undefined ? (
          <p class="quiet small">Two search engines can be compared as soon as a second one is set up.</p>
        ) : (
          <>
            <div class="fields">
              <Select name="first_engine" label="One engine" value={first} options={options} />
              <Select name="second_engine" label="Another" value={second} options={options} />
            </div>
            <p class="actions">
              <CompareButton by="engines">Compare the two engines</CompareButton>
              <span class="quiet small">Costs two searches.</span>
            </p>
          </>
        )}
      </div>
    </details>
  )
}

function CompareButton({ by, children }: { by: 'depths' | 'engines'; children: string }) {
  return (
    <button
      type="submit"
      class="button button-plain button-small"
      formAction="/playground/compare"
      name="by"
      value={by}
      data-busy="Comparing…"
    >
      {children}
    </button>
  )
}

/** What was asked in this browser before: it alone remembers, and its script fills the list. */
function AskedBefore({ person }: Pick<Frame, 'person'>) {
  return (
    <details class="fold" id="asked" data-person={person?.email} hidden>
      <summary>Asked before</summary>
      <ol />
      <p class="actions">
        <button type="button" class="button button-plain button-small" data-forget>
          Forget them
        </button>
        <span class="quiet small">Kept in this browser alone, until you sign out.</span>
      </p>
    </details>
  )
}
