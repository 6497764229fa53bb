// An answer checked against its sources: the form, the answer with every quote marked in it, and what was found of each.
import type { JSX } from 'preact'
import type { AnswerCheckResponse } from '../../contract/answer-check.ts'
import type { FieldIssue } from '../../contract/body.ts'
import { EmptyState, TextArea } from '../frame/fields.tsx'
import { ForeignLink } from '../frame/foreign-link.tsx'
import { formatMoment, safeLink } from '../frame/formats.ts'
import { FormToken, Page, PageHead, type Frame } from '../frame/page.tsx'
import { ClaimItem, MATCHES, type Claim } from './claim-item.tsx'

/** The form as it was typed; the sources one a line. */
export interface CheckFields {
  answer: string
  sources: string
}

interface CheckProperties {
  frame: Frame
  fields: CheckFields
  issues: readonly FieldIssue[]
  checked: AnswerCheckResponse | null
}

export function CheckPage({ frame, fields, issues, checked }: CheckProperties): JSX.Element {
  return (
    <Page frame={frame} style="check" title="Check an answer">
      <PageHead title="Check an answer">
        Paste what a language model wrote and where it says it comes from. Every quote in it is looked up on
        those pages, word by word.
      </PageHead>
      <CheckForm frame={frame} fields={fields} issues={issues} />
      {checked !== null && (
        <>
          <section aria-labelledby="found">
            <h2 id="found">What was found</h2>
            <Findings answer={fields.answer} checked={checked} />
          </section>
          <Sources sources={checked.sources} />
        </>
      )}
    </Page>
  )
}

function CheckForm({ frame, fields, issues }: Omit<CheckProperties, 'checked'>) {
  const wrong = (name: string): string | undefined =>
    issues.find(({ pointer }) => pointer.split('/')[1] === name)?.message
  return (
    <form method="post" action="/check#found" class="stack">
      <FormToken frame={frame} />
      <TextArea
        name="answer"
        label="Answer"
        rows={8}
        required
        value={fields.answer}
        help="Plain text or Markdown. Put quotes in quotation marks, or behind > at the start of a line."
        wrong={wrong('answer')}
      />
      <TextArea
        name="sources"
        label="Sources"
        rows={3}
        required
        value={fields.sources}
        help="One address a line; [1] in the answer means the first. A result’s content_sha256 works, too."
        wrong={wrong('sources')}
      />
      <div class="actions">
        <button type="submit" class="button" data-busy="Checking…">
          Check
        </button>
      </div>
    </form>
  )
}

function Findings({ answer, checked }: { answer: string; checked: AnswerCheckResponse }) {
  const { claims } = checked
  if (claims.length === 0) {
    return (
      <EmptyState title="Nothing to look up">
        The answer quotes nothing and names no source for what it says, so there is nothing to compare.
      </EmptyState>
    )
  }
  return (
    <>
      <p>{summaryOf(claims)}</p>
      <div class="answer" dir="auto">
        <MarkedAnswer answer={answer} claims={claims} />
      </div>
      <ol class="claims">
        {claims.map((claim, index) => (
          <ClaimItem claim={claim} number={index + 1} />
        ))}
      </ol>
    </>
  )
}

/** "3 passages looked up: 2 exact, 1 absent." */
function summaryOf(claims: readonly Claim[]): string {
  const counted = Object.entries(MATCHES).flatMap(([match, { label }]) => {
    const count = claims.filter((claim) => claim.match === match).length
    return count === 0 ? [] : [`${count} ${label.toLowerCase()}`]
  })
  return `${claims.length} ${claims.length === 1 ? 'passage' : 'passages'} looked up: ${counted.join(', ')}.`
}

/** The answer as it was pasted; each claim is marked where it stands and leads to what was found of it. */
function MarkedAnswer({ answer, claims }: { answer: string; claims: readonly Claim[] }) {
  const pieces: JSX.Element[] = []
  let end = 0
  for (const [index, claim] of claims.entries()) {
    // A quote within a statement that is marked already is told in the list alone.
    if (claim.start < end) continue
    pieces.push(
      <>
        {answer.slice(end, claim.start)}
        <mark class={`match-${claim.match}`}>{answer.slice(claim.start, claim.end)}</mark>
        <sup>
          <a href={`#claim-${index + 1}`}>
            {index + 1}
            <span class="visually-hidden"> {MATCHES[claim.match].label}</span>
          </a>
        </sup>
      </>,
    )
    end = claim.end
  }
  return (
    <>
      {pieces}
      {answer.slice(end)}
    </>
  )
}

function Sources({ sources }: { sources: AnswerCheckResponse['sources'] }) {
  return (
    <section>
      <h2>Sources</h2>
      <ol class="sources">
        {sources.map(({ url, fetched_at: fetchedAt, warning }) => {
          const link = url === null ? null : safeLink(url)
          return (
            <li>
              {link === null ? (url ?? 'A kept text') : <ForeignLink href={link}>{url}</ForeignLink>}
              {fetchedAt !== null && (
                <span class="quiet small"> read {formatMoment(new Date(fetchedAt))}</span>
              )}
              {warning !== null && <p class="wrong">{warning}</p>}
            </li>
          )
        })}
      </ol>
    </section>
  )
}
