// The start page: what this is and, for those who are signed in, what it stands on, and what to run when something is
// missing. Strangers learn nothing of versions, engines and folders.
import type { JSX } from 'preact'
import { CodeBlock } from '../frame/fields.tsx'
import { formatSpan } from '../frame/formats.ts'
import { Page, type Frame } from '../frame/page.tsx'
import type { PartState, ServicePart, ServiceStatus } from '../../telemetry/service-status.ts'

const STATES: Readonly<Record<PartState, string>> = {
  ready: 'Ready',
  limited: 'Limited',
  failing: 'Failing',
  missing: 'Missing',
  untried: 'Not tried',
  off: 'Off',
}

const TO_LOOK_AFTER: ReadonlySet<PartState> = new Set(['failing', 'missing', 'limited'])

const KINDS: readonly (readonly [ServicePart['kind'], string])[] = [
  ['search engine', 'Search engines'],
  ['model', 'Models'],
  ['browser', 'Browser'],
  ['storage', 'Storage'],
]

interface StatusProperties {
  frame: Frame
  /** Null for strangers. */
  status: ServiceStatus | null
  /** The address callers use. */
  publicUrl: string
  now: Date
}

export function StatusPage({ frame, status, publicUrl, now }: StatusProperties): JSX.Element {
  return (
    <Page
      frame={frame}
      style="status"
      title="Verbatim"
      description="A self-hosted web search API that answers with passages, word for word, each with a calibrated relevance score."
    >
      <section class="hero">
        <div>
          <h1>
            Web search that answers <mark>word for word</mark>
          </h1>
          <p class="lede">
            Ask a question. Verbatim searches the web, reads the pages and returns the passages that answer
            it, exactly as they stand there, each with the probability that it is relevant.
          </p>
          <div class="actions">
            {frame.person === null ? (
              <a class="button" href="/docs/quick-start">
                Quick start
              </a>
            ) : (
              <a class="button" href="/playground">
                Try a search
              </a>
            )}
            <a class="button button-plain" href="/docs/api">
              API reference
            </a>
          </div>
        </div>
        <div>
          <CodeBlock id="first-call" label="Example request" code={exampleCall(publicUrl)} />
          {status !== null && <Facts status={status} now={now} />}
        </div>
      </section>
      {status !== null &&
        KINDS.map(([kind, title]) => (
          <PartList title={title} parts={status.parts.filter((part) => part.kind === kind)} />
        ))}
    </Page>
  )
}

function Facts({ status, now }: { status: ServiceStatus; now: Date }) {
  const open = status.parts.filter(({ state }) => TO_LOOK_AFTER.has(state)).length
  return (
    <dl class="facts">
      <div>
        <dt>Service</dt>
        <dd>Up</dd>
      </div>
      <div>
        <dt>Running for</dt>
        <dd>{formatSpan(now.getTime() - status.startedAt.getTime())}</dd>
      </div>
      <div>
        <dt>Version</dt>
        <dd>{status.version}</dd>
      </div>
      <div>
        <dt>To look after</dt>
        <dd>{open === 0 ? 'Nothing' : open}</dd>
      </div>
    </dl>
  )
}

function PartList({ title, parts }: { title: string; parts: readonly ServicePart[] }) {
  if (parts.length === 0) return null
  return (
    <section>
      <h2>{title}</h2>
      <table class="parts cards">
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">State</th>
            <th scope="col">Detail</th>
          </tr>
        </thead>
        <tbody>
          {parts.map((part) => (
            <tr>
              <th scope="row">{part.name}</th>
              <td>
                <StateLabel state={part.state} />
              </td>
              <td>
                {part.detail}
                {part.remedy !== null && (
                  <>
                    <br />
                    <code>{part.remedy}</code>
                  </>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** A state in words and shape, so that it does not depend on colour. */
function StateLabel({ state }: { state: PartState }) {
  return (
    <span class={`state state-${state}`}>
      <svg viewBox="0 0 10 10" aria-hidden="true">
        {state === 'ready' && <circle cx="5" cy="5" r="5" />}
        {state === 'limited' && <path d="M5 0 10 10H0z" />}
        {(state === 'missing' || state === 'failing') && (
          <path d="M0 2 2 0l3 3 3-3 2 2-3 3 3 3-2 2-3-3-3 3-2-2 3-3z" />
        )}
        {(state === 'off' || state === 'untried') && <path d="M0 4h10v2H0z" />}
      </svg>
      {STATES[state]}
    </span>
  )
}

const exampleCall = (publicUrl: string): string =>
  [
    `curl ${publicUrl}/v1/search \\`,
    '  -H "Authorization: Bearer $VERBATIM_KEY" \\',
    '  -H "Content-Type: application/json" \\',
    `  -d '{"query": "How do I revoke an API key?"}'`,
  ].join('\n')
