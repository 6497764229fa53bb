// The pages about one API key: a new one, shown its only time; another name for it; the question before it is deleted.
import type { JSX } from 'preact'
import { hasExpired, KEY_NAME_MAX, type ApiKey } from '../../accounts/keys/api-key.ts'
import { CodeBlock, CopyButton, Field, RemovalForm, Select } from '../frame/fields.tsx'
import { formatMoment } from '../frame/formats.ts'
import { FormMark, FormToken, Page, PageHead, type Frame } from '../frame/page.tsx'
import { clientAddresses, firstUse } from './first-use.ts'
import { GRACES } from './key-form.ts'
import { KeyHint } from './key-hint.tsx'

interface KeyCreatedProperties {
  frame: Frame
  record: ApiKey
  /** The whole key, this once. */
  secret: string
  publicUrl: string
  /** The key whose place it takes. */
  replaced: ApiKey | null
}

/** The answer to the form that made a key, with the key, where clients find it, and a call to try it. */
export function KeyCreatedPage(properties: KeyCreatedProperties): JSX.Element {
  const { frame, record, secret, publicUrl, replaced } = properties
  const { label, code } = firstUse(record, publicUrl, secret)
  const addresses = clientAddresses(record, publicUrl, secret)
  return (
    <Page frame={frame} title="Your new key">
      <PageHead title="Your new key">
        This is the only time the key “{record.name}” is shown. Copy it now, and keep it out of source code,
        browsers and logs.
      </PageHead>
      <section>
        <div class="secret">
          <code id="new-key">{secret}</code>
          <CopyButton source="new-key" label="the key" isFirst />
        </div>
        {replaced !== null && <OldKey apiKey={replaced} />}
      </section>
      {addresses.length > 0 && (
        <section>
          <h2>Addresses for clients</h2>
          {addresses.map(({ id, client, use, address }) => (
            <div class="address">
              <h3>{client}</h3>
              <p class="quiet small">{use}</p>
              <CodeBlock id={id} label={`the address for ${client}`} language="bash" code={address} />
            </div>
          ))}
        </section>
      )}
      <section>
        <h2>Try it</h2>
        <CodeBlock id="new-key-call" label={label} language="bash" code={code} />
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

/** How long the key still works that was replaced. */
function OldKey({ apiKey }: { apiKey: ApiKey }) {
  const { name, expiresAt } = apiKey
  return (
    <p>
      The old key <KeyHint apiKey={apiKey} />{' '}
      {expiresAt === null || hasExpired(apiKey, new Date()) ? (
        'is refused from now on.'
      ) : (
        <>
          goes on working until <time dateTime={expiresAt.toISOString()}>{formatMoment(expiresAt)}</time>; it
          is listed as “{name}”.
        </>
      )}
    </p>
  )
}

interface KeyRenamingProperties {
  frame: Frame
  apiKey: ApiKey
  /** As it was typed, or as it is. */
  name: string
  wrong?: string | undefined
}

/** Another name for a key. */
export function KeyRenamingPage({ frame, apiKey, name, wrong }: KeyRenamingProperties): JSX.Element {
  return (
    <Page frame={frame} title="Rename key">
      <PageHead title={`Rename “${apiKey.name}”`} above={['/keys', 'Keys']}>
        Only the name changes: applications that use <KeyHint apiKey={apiKey} /> notice nothing.
      </PageHead>
      <form method="post" class="stack narrow">
        <FormToken frame={frame} />
        <Field name="name" label="Name" value={name} maxLength={KEY_NAME_MAX} required wrong={wrong} />
        <div class="actions">
          <button type="submit" class="button">
            Rename key
          </button>
          <a class="button button-plain" href="/keys">
            Leave it
          </a>
        </div>
      </form>
    </Page>
  )
}

/** A key in the place of another, and how long that one lives on. */
export function KeyRotationPage({ frame, apiKey }: { frame: Frame; apiKey: ApiKey }): JSX.Element {
  return (
    <Page frame={frame} title="Rotate key">
      <PageHead title={`Rotate “${apiKey.name}”`} above={['/keys', 'Keys']}>
        A new key takes its name, limit and scopes. <KeyHint apiKey={apiKey} /> goes on working until the time
        you choose, so that applications can change over.
      </PageHead>
      <form method="post" class="stack narrow">
        <FormToken frame={frame} />
        <FormMark frame={frame} name="rotation" />
        <Select
          name="grace"
          label="The old key stops working"
          value="1d"
          options={GRACES.map(([value, label]) => [value, label] as const)}
        />
        <div class="actions">
          <button type="submit" class="button">
            Rotate key
          </button>
          <a class="button button-plain" href="/keys">
            Leave it
          </a>
        </div>
      </form>
    </Page>
  )
}

/** The question before a key is deleted. */
export function KeyDeletionPage({ frame, apiKey }: { frame: Frame; apiKey: ApiKey }): JSX.Element {
  return (
    <Page frame={frame} title="Delete key">
      <PageHead title={`Delete “${apiKey.name}”?`} above={['/keys', 'Keys']}>
        Requests that use <KeyHint apiKey={apiKey} /> are refused with status 401 within a second, everywhere.
        This cannot be undone.
      </PageHead>
      <RemovalForm frame={frame} does="Delete key" leave={['/keys', 'Keep it']} />
    </Page>
  )
}
