// Every option of the API beside the question, as fields in groups.
import type { InputHTMLAttributes, JSX } from 'preact'
import { INCLUDES, RECENCIES, SEARCH_DEPTHS } from '../../contract.ts'
import { LIMITS } from '../../contract/limits.ts'
import { Choice, Field, Select } from '../frame/fields.tsx'
import type { PlaygroundFields } from './playground-form.ts'

type TextField = Exclude<keyof PlaygroundFields, 'include'>

interface OptionProperties {
  fields: PlaygroundFields
  /** Why the value of a field is refused. */
  wrong: (name: string) => string | undefined
}

/** A field of the form: its label, what may be typed, and a word of help. */
interface Entry {
  name: TextField
  label: string
  help?: string
  input?: InputHTMLAttributes
}

const numbers = (min: number, max: number): InputHTMLAttributes => ({ type: 'number', min, max })
const shares: InputHTMLAttributes = { type: 'number', min: 0, max: 1, step: 0.01 }

const AMOUNTS: readonly Entry[] = [
  {
    name: 'num_results',
    label: 'Results',
    help: `1 to ${LIMITS.resultsMax}.`,
    input: numbers(1, LIMITS.resultsMax),
  },
  {
    name: 'max_snippets_per_result',
    label: 'Snippets per result',
    help: `1 to ${LIMITS.snippetsMax}.`,
    input: numbers(1, LIMITS.snippetsMax),
  },
  { name: 'page', label: 'Page of results', help: 'Empty: the first.', input: numbers(1, LIMITS.pageMax) },
]

const WHERE_AND_WHEN: readonly Entry[] = [
  { name: 'start_date', label: 'Published from', input: { type: 'date' } },
  { name: 'end_date', label: 'Published until', input: { type: 'date' } },
  { name: 'language', label: 'Language', help: 'Such as en, fr, de. Empty: the query’s own.' },
  { name: 'include_domains', label: 'Only these domains', help: 'Separated by spaces.' },
  { name: 'exclude_domains', label: 'Not these domains', help: 'Separated by spaces.' },
]

const BOUNDS: readonly Entry[] = [
  { name: 'min_score', label: 'Least score', help: '0 to 1. Empty: the depth’s own.', input: shares },
  { name: 'max_error', label: 'Share that may be wrong', help: '0 to 1, over many searches.', input: shares },
  {
    name: 'max_total_characters',
    label: 'Characters in all',
    help: 'Of all snippets together.',
    input: numbers(LIMITS.totalMin, LIMITS.totalCharactersMax),
  },
  {
    name: 'max_total_tokens',
    label: 'Tokens in all',
    help: 'Estimated.',
    input: numbers(LIMITS.totalMin, LIMITS.totalTokensMax),
  },
  {
    name: 'max_age',
    label: 'Age of kept pages',
    help: 'Seconds at most; 0 reads every page anew.',
    input: numbers(0, LIMITS.maxAgeSeconds),
  },
]

export function Options({ fields, wrong }: OptionProperties): JSX.Element {
  return (
    <>
      <div class="fields">
        <Select
          name="search_depth"
          label="Depth"
          value={fields.search_depth}
          options={namesOf(SEARCH_DEPTHS)}
        />
        <Entries entries={AMOUNTS} fields={fields} wrong={wrong} />
        <Select
          name="recency"
          label="Published within"
          value={fields.recency}
          options={[['', 'any time'], ...namesOf(RECENCIES)]}
        />
        <Entries entries={[...WHERE_AND_WHEN, ...BOUNDS]} fields={fields} wrong={wrong} />
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

function Entries({ entries, fields, wrong }: OptionProperties & { entries: readonly Entry[] }) {
  return (
    <>
      {entries.map(({ name, label, help, input }) => (
        <Field {...input} name={name} label={label} value={fields[name]} help={help} wrong={wrong(name)} />
      ))}
    </>
  )
}

const namesOf = (values: readonly string[]): [string, string][] => values.map((value) => [value, value])
