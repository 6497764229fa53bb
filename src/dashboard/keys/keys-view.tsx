// API keys: the list with the form that makes one, the page that shows a new key its only time, and the question before
// one is deleted.
import type { JSX } from 'preact'
import type { ApiKey, KeyEvent } from '../../accounts/keys/keys.ts'
import { DEFAULT_SCOPES } from '../../contract/key-scopes.ts'
import { CodeBlock, CopyButton, EmptyState, Field } from '../frame/fields.tsx'
import { formatAge, formatCount, formatDay, formatMoment } from '../frame/formats.ts'
import { FormMark, FormToken, Page, PageHead, type Frame } from '../frame/page.tsx'

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
  form: { name: string; expires: string; points: string }
  wrong: { name?: string; expires?: string; points?: string }
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
          maxLength={100}
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
      </div>
      <div class="actions">
        <button type="submit" class="button">
          Create key
        </button>
      </div>
    </form>
  )
}

function KeyTable({ keys, requestsToday, owners, rateLimit, now }: KeysProperties) {
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
            <span class="visually-hidden">Delete</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {keys.map((key) => (
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
                <time dateTime={key.lastUsedAt.toISOString()}>{formatAge(key.lastUsedAt, now)}</time>
              )}
            </td>
            <td data-label="Requests today" class="number">
              {formatCount(requestsToday.get(key.id) ?? 0)}
            </td>
            <td>
              <a class="button button-plain button-small" href={`/keys/${key.id}/delete`}>
                Delete<span class="visually-hidden"> key {key.name}</span>
              </a>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** What is particular about a key: its end, its own limit. */
function KeyTerms({ apiKey, durationSeconds, now }: { apiKey: ApiKey; durationSeconds: number; now: Date }) {
  const terms: string[] = []
  if (apiKey.expiresAt !== null) {
    terms.push(`${apiKey.expiresAt <= now ? 'expired' : 'expires'} ${formatDay(apiKey.expiresAt)}`)
  }
  if (apiKey.rateLimitPoints !== null) {
    terms.push(`${formatCount(apiKey.rateLimitPoints)} requests per ${durationSeconds} s`)
  }
  if (apiKey.isPathToken) terms.push('stands in an address')
  if (apiKey.scopes.join() !== DEFAULT_SCOPES.join()) terms.push(`for ${apiKey.scopes.join(', ')}`)
  if (terms.length === 0) return null
  return (
    <>
      <br />
      <span class="quiet small">{terms.join(' · ')}</span>
    </>
  )
}

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

interface KeyCreatedProperties {
  frame: Frame
  record: ApiKey
  /** The whole key, this once. */
  secret: string
  publicUrl: string
}

export function KeyCreatedPage({ frame, record, secret, publicUrl }: KeyCreatedProperties): JSX.Element {
  return (
    <Page frame={frame} title="Your new key">
      <PageHead title="Your new key">
        This is the only time the key “{record.name}” is shown. Copy it now, and keep it out of source code,
        browsers and logs.
      </PageHead>
      <section>
        <div class="secret">
          <code id="new-key">{secret}</code>
          <CopyButton source="new-key" label="the key" />
        </div>
      </section>
      <section>
        <h2>Try it</h2>
        <CodeBlock
          id="new-key-call"
          label="A search with the new key"
          code={[
            `curl ${publicUrl}/v1/search \\`,
            `  -H "Authorization: Bearer ${secret}" \\`,
            '  -H "Content-Type: application/json" \\',
            `  -d '{"query": "How do I revoke an API key?"}'`,
          ].join('\n')}
        />
      </section>
      <section class="actions">
        <a class="button" href="/keys">
          I have copied it
        </a>
        <a href="/docs/api-keys">How to handle keys</a>
      </section>
    </Page>
  )
}

export function KeyDeletionPage({ frame, apiKey }: { frame: Frame; apiKey: ApiKey }): JSX.Element {
  return (
    <Page frame={frame} title="Delete key">
      <PageHead title={`Delete “${apiKey.name}”?`}>
        Requests that use{' '}
        <code>
          {apiKey.prefix}…{apiKey.lastFour}
        </code>{' '}
        are refused with status 401 within a second, everywhere. This cannot be undone.
      </PageHead>
      <form method="post" class="actions">
        <FormToken frame={frame} />
        <button type="submit" class="button button-danger">
          Delete key
        </button>
        <a class="button button-plain" href="/keys">
          Keep it
        </a>
      </form>
    </Page>
  )
}
