// API keys: the form that makes one, the list of those there are, and who made and deleted them.
import type { JSX } from 'preact'
import { KEY_NAME_MAX, type ApiKey, type KeyEvent } from '../../accounts/keys/keys.ts'
import { DEFAULT_PATH_SCOPES, DEFAULT_SCOPES, KEY_SCOPES } from '../../contract/key-scopes.ts'
import { Choice, EmptyState, Field, Select } from '../frame/fields.tsx'
import { formatAge, formatCount, formatDay, formatMoment } from '../frame/formats.ts'
import { FormMark, FormToken, Page, PageHead, type Frame } from '../frame/page.tsx'
import type { KeyFormFaults, KeyFormFields } from './key-form.ts'

interface KeysProperties {
  frame: Frame
  /** Newest first. */
  keys: readonly ApiKey[]
  requestsToday: ReadonlyMap<string, number>
  events: readonly KeyEvent[]
  /** E-mail addresses by user id for administrators, who see everyone's keys; null for everybody else. */
  owners: ReadonlyMap<string, string> | null
  rateLimit: { points: number; durationSeconds: number }
  /** The form as it was sent, to be shown again. */
  form: KeyFormFields
  wrong: KeyFormFaults
  now: Date
}

export function KeysPage(properties: KeysProperties): JSX.Element {
  const { frame, keys, owners } = properties
  return (
    <Page frame={frame} title="Keys">
      <PageHead title="Keys">
        Every search carries an API key. Use one per application or environment, so that you can delete one
        without stopping the others.
      </PageHead>
      <section>
        <h2>New key</h2>
        <KeyForm {...properties} />
      </section>
      <section>
        <h2>{owners === null ? 'Your keys' : 'All keys'}</h2>
        {keys.length === 0 ? (
          <EmptyState title="No keys yet">
            Name the place that will use the key above, such as “Website” or “Notebook”, and create it.
          </EmptyState>
        ) : (
          <KeyTable {...properties} />
        )}
      </section>
      {properties.events.length > 0 && <KeyHistory events={properties.events} />}
    </Page>
  )
}

function KeyForm({ frame, form, wrong, rateLimit }: KeysProperties) {
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
          label="Requests (optional)"
          type="number"
          min={1}
          max={1_000_000}
          value={form.points}
          placeholder={String(rateLimit.points)}
          help={`Rate limit per ${rateLimit.durationSeconds} s. Empty: ${usual}.`}
          wrong={wrong.points}
        />
        <Select
          name="place"
          label="Stands in"
          value={form.place}
          options={[
            ['header', 'the Authorization header'],
            ['path', 'the address'],
          ]}
          help="The address is for clients that can send no header."
        />
      </div>
      <fieldset class="choices" aria-describedby="scopes-help">
        <legend>May be used for (optional)</legend>
        {KEY_SCOPES.map((scope) => (
          <Choice name="scopes" value={scope} label={scope} checked={form.scopes.includes(scope)} />
        ))}
      </fieldset>
      <div class="field">
        <p class="help" id="scopes-help">
          Nothing chosen: {DEFAULT_SCOPES.join(', ')}; for a key that stands in the address,{' '}
          {DEFAULT_PATH_SCOPES.join(', ')}.
        </p>
        {wrong.scopes !== undefined && <p class="wrong">{wrong.scopes}</p>}
      </div>
      <div class="actions">
        <button type="submit" class="button">
          Create key
        </button>
      </div>
    </form>
  )
}

function KeyTable(properties: KeysProperties) {
  const { keys, owners } = properties
  return (
    <table class="cards">
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Key</th>
          {owners !== null && <th scope="col">Owner</th>}
          <th scope="col">Created</th>
          <th scope="col">Last used</th>
          <th scope="col" class="number">
            Requests today
          </th>
          <th scope="col">
            <span class="visually-hidden">Rename, rotate or delete</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {keys.map((key) => (
          <KeyRow {...properties} apiKey={key} />
        ))}
      </tbody>
    </table>
  )
}

function KeyRow({ apiKey: key, requestsToday, owners, rateLimit, now }: KeysProperties & { apiKey: ApiKey }) {
  return (
    <tr>
      <th scope="row">
        {key.name}
        <KeyTerms apiKey={key} durationSeconds={rateLimit.durationSeconds} now={now} />
      </th>
      <td data-label="Key">
        <code class="nowrap">
          {key.prefix}…{key.lastFour}
        </code>
      </td>
      {owners !== null && <td data-label="Owner">{ownerLabel(key, owners)}</td>}
      <td data-label="Created" class="nowrap">
        <time dateTime={key.createdAt.toISOString()}>{formatDay(key.createdAt)}</time>
      </td>
      <td data-label="Last used" class="nowrap">
        {key.lastUsedAt === null ? (
          'never'
        ) : (
          <span>
            <time dateTime={key.lastUsedAt.toISOString()}>{formatAge(key.lastUsedAt, now)}</time>
            {key.lastUsedClient !== null && (
              <>
                <br />
                <span class="quiet small">by {key.lastUsedClient}</span>
              </>
            )}
          </span>
        )}
      </td>
      <td data-label="Requests today" class="number">
        <a href={`/usage?key=${key.id}`}>
          {formatCount(requestsToday.get(key.id) ?? 0)}
          <span class="visually-hidden"> requests of {key.name} today: usage</span>
        </a>
      </td>
      <td>
        <div class="actions">
          <a class="button button-plain button-small" href={`/keys/${key.id}/rename`}>
            Rename<span class="visually-hidden"> key {key.name}</span>
          </a>
          <a class="button button-plain button-small" href={`/keys/${key.id}/rotate`}>
            Rotate<span class="visually-hidden"> key {key.name}</span>
          </a>
          <a class="button button-plain button-small" href={`/keys/${key.id}/delete`}>
            Delete<span class="visually-hidden"> key {key.name}</span>
          </a>
        </div>
      </td>
    </tr>
  )
}

/** The terms of a key: its end, its own limit, where it stands, and what it may be used for. */
function KeyTerms({ apiKey, durationSeconds, now }: { apiKey: ApiKey; durationSeconds: number; now: Date }) {
  const terms: string[] = []
  if (apiKey.expiresAt !== null) {
    terms.push(`${apiKey.expiresAt <= now ? 'expired' : 'expires'} ${endLabel(apiKey.expiresAt)}`)
  }
  if (apiKey.rateLimitPoints !== null) {
    terms.push(`${formatCount(apiKey.rateLimitPoints)} requests per ${durationSeconds} s`)
  }
  if (apiKey.isPathToken) terms.push('stands in an address')
  terms.push(`for ${apiKey.scopes.join(', ')}`)
  return (
    <>
      <br />
      <span class="quiet small">{terms.join(' · ')}</span>
    </>
  )
}

/** A key ends with a day, or by rotation at some moment of one. */
const endLabel = (end: Date): string =>
  end.toISOString().endsWith('T23:59:59.999Z') ? formatDay(end) : formatMoment(end)

const ownerLabel = (key: ApiKey, owners: ReadonlyMap<string, string>): string =>
  key.ownerId === null ? 'Command line' : (owners.get(key.ownerId) ?? 'Closed account')

function KeyHistory({ events }: { events: readonly KeyEvent[] }) {
  return (
    <section>
      <h2>History</h2>
      <details>
        <summary>Who made and deleted keys</summary>
        <table class="cards">
          <thead>
            <tr>
              <th scope="col">When</th>
              <th scope="col">What</th>
              <th scope="col">Key</th>
              <th scope="col">By</th>
            </tr>
          </thead>
          <tbody>
            {events.map((event) => (
              <tr>
                <td data-label="When" class="nowrap">
                  <time dateTime={event.occurredAt.toISOString()}>{formatMoment(event.occurredAt)}</time>
                </td>
                <td data-label="What">{event.event === 'created' ? 'Created' : 'Deleted'}</td>
                <td data-label="Key">{event.keyName}</td>
                <td data-label="By">{event.byEmail ?? 'Command line'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </section>
  )
}
