// One passage of a result: what answers in it marked, what its score means, and what a reader may do with it.
import type { JSX } from 'preact'
import { LIMITS } from '../../contract/limits.ts'
import type { SearchResult, Snippet } from '../../contract.ts'
import { formatDay, safeLink } from '../frame/formats.ts'
import { FormToken, type Frame } from '../frame/page.tsx'
import { ForeignLink } from '../frame/foreign-link.tsx'
import { surroundingsAddress, type PassagePlace } from './passage-route.tsx'

interface SnippetProperties {
  frame: Frame
  result: SearchResult
  snippet: Snippet
}

export function SnippetItem({ frame, result, snippet }: SnippetProperties): JSX.Element {
  const fragment = snippet.text_fragment_url ?? null
  const link = fragment === null ? null : safeLink(fragment)
  const place = placeOf(result, snippet)
  return (
    <li class="snippet">
      <blockquote dir="auto">
        <MarkedText text={snippet.text} marks={snippet.highlights ?? []} />
      </blockquote>
      <Score value={snippet.relevance_score} />
      <div class="actions">
        <button
          type="button"
          class="button button-plain button-small"
          data-copy-text={citationOf(result, snippet)}
          data-needs-script
        >
          Copy quote with citation
        </button>
        {place !== null && (
          <a class="button button-plain button-small" href={surroundingsAddress(place)} data-around>
            Show context
          </a>
        )}
        {link !== null && (
          <ForeignLink href={link} isButton>
            Show on page
          </ForeignLink>
        )}
        <VerifyForm frame={frame} result={result} snippet={snippet} />
      </div>
    </li>
  )
}

/** “The passage”, its page's title, domain and date, and where it stands. */
function citationOf({ title, url, publish_date: date }: SearchResult, snippet: Snippet): string {
  const isDated = date !== null && !Number.isNaN(Date.parse(date))
  const facts = [title, URL.canParse(url) ? new URL(url).host : '', isDated ? formatDay(new Date(date)) : '']
  const link = snippet.text_fragment_url ?? url
  return `“${snippet.text}”\n— ${facts.filter((fact) => fact !== '').join(', ')}\n${link}`
}

/** Null where nothing of the page is kept. */
function placeOf({ content_sha256: sha256 }: SearchResult, { start, end }: Snippet): PassagePlace | null {
  if (sha256 === null || sha256 === undefined || start === undefined || end === undefined) return null
  return { sha256, start, end }
}

/** Asks whether the passage stands in the text that was kept when it was read. */
function VerifyForm({ frame, result, snippet }: SnippetProperties) {
  const digest = result.content_sha256 ?? null
  if (digest === null || snippet.text.length > LIMITS.quoteCharacters) return null
  return (
    <form method="post" action="/playground/verify" data-inline>
      <FormToken frame={frame} />
      <input type="hidden" name="content_sha256" value={digest} />
      <input type="hidden" name="quote" value={snippet.text} />
      <button type="submit" class="button button-plain button-small">
        Verify
      </button>
    </form>
  )
}

/** A text with the sentences that answer marked; marks are in order and apart. */
export function MarkedText({
  text,
  marks,
}: {
  text: string
  marks: readonly { start: number; end: number }[]
}) {
  return (
    <>
      {marks.map(({ start, end }, index) => (
        <>
          {text.slice(marks[index - 1]?.end ?? 0, start)}
          <mark>{text.slice(start, end)}</mark>
        </>
      ))}
      {text.slice(marks.at(-1)?.end ?? 0)}
    </>
  )
}

/** The score as a bar, as a number, and as what it promises. */
function Score({ value }: { value: number }) {
  return (
    <p class="score">
      <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
        <rect class="track" width="100" height="8" />
        <rect class="value" width={Math.round(value * 100)} height="8" />
      </svg>
      <span>
        <span class="visually-hidden">Relevance </span>
        {value.toFixed(2)}{' '}
        <span class="quiet">– about {Math.round(value * 100)} of 100 such passages are relevant</span>
      </span>
    </p>
  )
}
