// The search of the documentation: its form, which stands on every page of it, and what it finds.
import type { JSX } from 'preact'
import { EmptyState } from '../frame/fields.tsx'
import { Page, PageHead, type Frame, type Notice } from '../frame/page.tsx'
import type { FoundPage } from './docs-search.ts'

/** Characters of a question. */
export const QUESTION_MAX = 300
/** Words of a passage by which a browser finds it on its page. */
const FRAGMENT_WORDS = 8

/** Stands on every page of the documentation. */
export function DocumentationSearchForm({ query = '' }: { query?: string }): JSX.Element {
  return (
    <form method="get" action="/docs/search" role="search" class="docs-search">
      <label for="docs-search">
        Search the documentation{' '}
        <span data-needs-script aria-hidden="true">
          <kbd>Ctrl</kbd>/<kbd>⌘</kbd> <kbd>K</kbd>
        </span>
      </label>
      <div class="ask">
        <input
          id="docs-search"
          name="q"
          type="search"
          value={query}
          maxLength={QUESTION_MAX}
          required
          aria-keyshortcuts="Control+K Meta+K"
        />
        <button type="submit" class="button button-plain" data-busy="Searching…">
          Search
        </button>
      </div>
    </form>
  )
}

interface DocumentationSearchProperties {
  frame: Frame
  query: string
  /** Null while nothing was asked. */
  found: readonly FoundPage[] | null
  /** What kept it from being answered. */
  notice: Notice | null
}

/** The form with what it has found. */
export function DocumentationSearchPage({
  frame,
  query,
  found,
  notice,
}: DocumentationSearchProperties): JSX.Element {
  return (
    <Page frame={{ ...frame, notice }} style="docs" title="Search the documentation">
      <PageHead title="Search the documentation">
        Ask in your own words: the service reads its documentation as it reads any page, and shows the
        passages that answer, word for word.
      </PageHead>
      <DocumentationSearchForm query={query} />
      {found !== null && <FoundPages found={found} />}
    </Page>
  )
}

function FoundPages({ found }: { found: readonly FoundPage[] }) {
  if (found.length === 0)
    return (
      <section aria-label="Found">
        <EmptyStateOfSearch />
      </section>
    )
  return (
    <section aria-label="Found">
      <ol class="found">
        {found.map(({ slug, title, passages }) => (
          <li>
            <h2>
              <a href={`/docs/${slug}`}>{title}</a>
            </h2>
            {passages.map(({ text, heading }) => (
              <blockquote>
                {heading !== null && heading !== title && <p class="quiet small">{heading}</p>}
                <p>
                  <a href={`/docs/${slug}#:~:text=${fragmentOf(text)}`}>{text}</a>
                </p>
              </blockquote>
            ))}
          </li>
        ))}
      </ol>
    </section>
  )
}

function EmptyStateOfSearch() {
  return (
    <>
      <h2 class="visually-hidden">Found</h2>
      <EmptyState title="Nothing answers that">
        Try other words, or look through <a href="/docs">all pages</a>.
      </EmptyState>
    </>
  )
}

/** The first words of the first line, as a text directive takes them (WICG Scroll to Text Fragment §3.1). */
const fragmentOf = (text: string): string =>
  encodeURIComponent((text.split('\n')[0] ?? '').split(' ').slice(0, FRAGMENT_WORDS).join(' ')).replace(
    /-/gu,
    '%2D',
  )
