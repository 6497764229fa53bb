// The form that makes an API key, with its limits and what it may be used for.
import type { JSX } from 'preact'
import { KEY_NAME_MAX } from '../../accounts/keys/api-key.ts'
import { DEFAULT_PATH_SCOPES, DEFAULT_SCOPES, KEY_SCOPES } from '../../contract/key-scopes.ts'
import { Choice, Field, Select } from '../frame/fields.tsx'
import { formatCount } from '../frame/formats.ts'
import { FormMark, FormToken, type Frame } from '../frame/page.tsx'
import type { KeyFormFaults, KeyFormFields } from './key-form.ts'

export interface NewKeyProperties {
  frame: Frame
  rateLimit: { points: number; durationSeconds: number }
  /** The form as it was sent, to be shown again. */
  form: KeyFormFields
  wrong: KeyFormFaults
}

export function NewKeyForm({ frame, form, wrong, rateLimit }: NewKeyProperties): JSX.Element {
  const usual = `${formatCount(rateLimit.points)} per ${rateLimit.durationSeconds} s`
  return (
    <form method="post" action="/keys" class="stack">
      <FormToken frame={frame} />
      <FormMark frame={frame} name="key" />
      <div class="fields">
        <Field
          name="name"
          label="Name"
          value={form.name}
          maxLength={KEY_NAME_MAX}
          required
          help="Where the key will be used."
          wrong={wrong.name}
        />
        <Field
          name="expires"
          label="Expires (optional)"
          type="date"
          value={form.expires}
          help="Works until the end of that day, UTC."
          wrong={wrong.expires}
        />
        <Field
          name="points"
          label="Rate limit (optional)"
          type="number"
          min={1}
          max={1_000_000}
          value={form.points}
          placeholder={String(rateLimit.points)}
          help={`Requests per ${rateLimit.durationSeconds} s. Empty: ${usual}.`}
          wrong={wrong.points}
        />
        <Select
          name="place"
          label="Sent in"
          value={form.place}
          options={[
            ['header', 'the Authorization header'],
            ['path', 'the address'],
          ]}
          help="The address is for clients that can send no header."
        />
      </div>
      <ScopeChoices chosen={form.scopes} wrong={wrong.scopes} />
      <div class="actions">
        <button type="submit" class="button">
          Create key
        </button>
      </div>
    </form>
  )
}

interface ScopeProperties {
  chosen: KeyFormFields['scopes']
  wrong: string | undefined
}

function ScopeChoices({ chosen, wrong }: ScopeProperties) {
  return (
    <>
      <fieldset class="choices" aria-describedby="scopes-help">
        <legend>May be used for (optional)</legend>
        {KEY_SCOPES.map((scope) => (
          <Choice name="scopes" value={scope} label={scope} checked={chosen.includes(scope)} />
        ))}
      </fieldset>
      <div class="field">
        <p class="help" id="scopes-help">
          Nothing chosen: {DEFAULT_SCOPES.join(', ')}; for a key in the address,{' '}
          {DEFAULT_PATH_SCOPES.join(', ')}.
        </p>
        {wrong !== undefined && <p class="wrong">{wrong}</p>}
      </div>
    </>
  )
}
