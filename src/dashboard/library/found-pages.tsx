// The search among what is kept: its form, and the pages that were found.
import type { JSX } from 'preact'
import type { FoundPage } from '../../library/schema.ts'
import { EmptyState, Field } from '../frame/fields.tsx'
import { pageAddressOf, shownAddress } from './links.ts'

interface SearchFormProperties {
  /** Of the page that answers it. */
  action: string
  label: string
  query: string
  /** The site that is searched; left out for all that is kept. */
  url?: string
}

/** Asks for pages by their words; the address of the answer holds the question. */
export function PageSearch({ action, label, query, url }: SearchFormProperties): JSX.Element {
  return (
    <form method="get" action={action} class="filters" role="search">
      {url !== undefined && <input type="hidden" name="url" value={url} />}
      <Field name="q" label={label} type="search" value={query} />
      <button type="submit" class="button button-plain">
        Search
      </button>
    </form>
  )
}

/** The best first, each with what it says about the question. */
export function FoundPages({ found, where }: { found: readonly FoundPage[]; where: string }): JSX.Element {
  if (found.length === 0)
    return <EmptyState title="Nothing found">No page of {where} has enough of these words.</EmptyState>
  return (
    <ol class="page-list">
      {found.map(({ url, title, excerpt }) => (
        <li>
          <a href={pageAddressOf(url)} dir="auto">
            {title === '' ? shownAddress(url) : title}
          </a>
          <span class="quiet small">{shownAddress(url)}</span>
          <p dir="auto">{excerpt}</p>
        </li>
      ))}
    </ol>
  )
}
