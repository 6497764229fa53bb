// One page as the library keeps it: what searches find it by.
import type { JSX } from 'preact'
import type { KeptPage } from '../../library/page-views.ts'
import { ForeignLink } from '../frame/foreign-link.tsx'
import { formatCount, safeLink } from '../frame/formats.ts'
import { Page, PageHead, type Frame } from '../frame/page.tsx'
import { pageAddressOf, shownAddress, siteAddressOf } from './links.ts'

interface KeptPageProperties {
  frame: Frame
  page: KeptPage
  /** The characters of its text that are shown. */
  shown: { start: number; end: number }
}

export function KeptPagePage({ frame, page, shown }: KeptPageProperties): JSX.Element {
  const title = page.title === '' ? shownAddress(page.url) : page.title
  const link = safeLink(page.url)
  return (
    <Page frame={frame} style="library" title={title}>
      <PageHead title={title} above={['/library', 'Library']}>
        {link === null ? shownAddress(page.url) : <ForeignLink href={link}>{page.url}</ForeignLink>}
      </PageHead>
      <p class="quiet small">
        {formatCount(page.text.length)} characters
        {page.language !== null && ` · language ${page.language}`}
        {page.datedOn !== null && ` · dated ${page.datedOn}`} ·{' '}
        {safeLink(page.origin) === null ? (
          <code>{page.url}</code>
        ) : (
          <a href={siteAddressOf(page.origin)}>{page.origin}</a>
        )}
      </p>
      <pre class="kept-text" dir="auto" tabIndex={0} role="region" aria-label="Text">
        {page.text.slice(shown.start, shown.end)}
      </pre>
      <nav class="actions" aria-label="Parts of the text">
        {shown.start > 0 && (
          <a class="button button-plain" href={pageAddressOf(page.url)}>
            From the beginning
          </a>
        )}
        {shown.end < page.text.length && (
          <a class="button button-plain" href={pageAddressOf(page.url, shown.end)}>
            Go on from character {formatCount(shown.end)}
          </a>
        )}
      </nav>
    </Page>
  )
}
