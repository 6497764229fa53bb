// What was found of one quote or statement: how it matches in words, where it stands, and every word that differs.
import type { JSX } from 'preact'
import type { AnswerCheckResponse } from '../../contract/answer-check.ts'
import { ForeignLink } from '../frame/foreign-link.tsx'
import { safeLink } from '../frame/formats.ts'

export type Claim = AnswerCheckResponse['claims'][number]

/** Each match in words. */
export const MATCHES: Readonly<Record<Claim['match'], { label: string; told: string }>> = {
  exact: { label: 'Exact', told: 'On the page, letter for letter.' },
  typographic: {
    label: 'Typographic',
    told: 'On the page; only marks, spaces or the case of letters differ.',
  },
  altered: { label: 'Altered', told: 'The page says it in other words.' },
  absent: { label: 'Absent', told: 'On none of the sources that could be read.' },
  not_a_quote: { label: 'Not quoted', told: 'Names a source without quoting it.' },
}

export function ClaimItem({ claim, number }: { claim: Claim; number: number }): JSX.Element {
  const { label, told } = MATCHES[claim.match]
  const link = claim.place?.text_fragment_url ?? null
  const safe = link === null ? null : safeLink(link)
  return (
    <li id={`claim-${number}`} class={`claim match-${claim.match}`}>
      <p class="verdict">
        <strong>{label}</strong> <span class="quiet">{told}</span>
      </p>
      <blockquote dir="auto">{claim.text}</blockquote>
      {claim.wrong_source && claim.source !== null && (
        <p class="wrong">It is in source {claim.source + 1}, which the answer does not name for it.</p>
      )}
      {claim.diff.length > 0 && claim.place !== null && (
        <p class="difference" dir="auto">
          <span class="quiet small">The page: </span>
          {claim.place.text}
        </p>
      )}
      {claim.diff.length > 0 && <Difference diff={claim.diff} />}
      {claim.nearest !== null && <Nearest nearest={claim.nearest} />}
      {safe !== null && claim.source !== null && (
        <p class="small">
          <ForeignLink href={safe}>
            Show on page<span class="visually-hidden"> what was found for passage {number}</span>
          </ForeignLink>{' '}
          <span class="quiet">source {claim.source + 1}</span>
        </p>
      )}
    </li>
  )
}

/** Words of the page alone are inserted, words of the quote alone struck; both are told to who cannot see it. */
function Difference({ diff }: { diff: Claim['diff'] }) {
  return (
    <p class="difference">
      <span class="quiet small">Word by word: </span>
      {diff.map(({ op, text }) => {
        if (op === 'same') return `${text} `
        const told =
          op === 'page' ? (
            <Told as="ins" says="on the page" text={text} />
          ) : (
            <Told as="del" says="in the quote" text={text} />
          )
        return <>{told} </>
      })}
    </p>
  )
}

function Told({ as: Tag, says, text }: { as: 'ins' | 'del'; says: string; text: string }) {
  return (
    <Tag>
      <span class="visually-hidden">[{says}: </span>
      {text}
      <span class="visually-hidden">]</span>
    </Tag>
  )
}

function Nearest({ nearest }: { nearest: NonNullable<Claim['nearest']> }) {
  return (
    <details>
      <summary>
        The passage of source {nearest.source + 1} that bears on it most ({nearest.relevance_score.toFixed(2)}
        )
      </summary>
      <blockquote dir="auto">{nearest.text}</blockquote>
    </details>
  )
}
