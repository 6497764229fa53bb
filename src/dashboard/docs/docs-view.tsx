// The documentation as the service shows it: a list of pages, and one page of text with its neighbours. The text stands
// alone in <article>, so that the service's own search reads it without the navigation around it.
import type { JSX } from 'preact'
import { Page, PageHead, type Frame } from '../frame/page.tsx'
import { DocumentationSearchForm } from './docs-search-view.tsx'
import type { DocumentationTable } from './read-tables.ts'

/** One page of docs/, rendered. */
export interface DocumentationPage {
  /** Last part of its address: "api-keys". */
  slug: string
  title: string
  description: string
  /** The first one that it answers; null where none is noted. */
  question: string | null
  /** Heading under which it is listed. */
  group: string
  html: string
  tables: readonly DocumentationTable[]
  /** Its headings of the second level. */
  sections: readonly { id: string; title: string }[]
}

/** The documentation, in reading order. */
export type Documentation = readonly DocumentationPage[]

/** Every page of the documentation, by group. */
export function DocumentationIndexPage({
  frame,
  pages,
}: {
  frame: Frame
  pages: Documentation
}): JSX.Element {
  return (
    <Page frame={frame} style="docs" title="Documentation" description="How to use, run and trust Verbatim.">
      <PageHead title="Documentation">How to use, run and trust Verbatim.</PageHead>
      <DocumentationSearchForm />
      {groupsOf(pages).map(([group, members]) => (
        <section>
          <h2>{group}</h2>
          <ul class="index">
            {members.map((page) => (
              <li>
                <a href={`/docs/${page.slug}`}>{page.title}</a>
                <p>{page.description}</p>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </Page>
  )
}

interface DocumentationProperties {
  frame: Frame
  pages: Documentation
  page: DocumentationPage
}

/** One page, with the contents of it and of all around it. */
export function DocumentationPageView({ frame, pages, page }: DocumentationProperties): JSX.Element {
  const position = pages.indexOf(page)
  const previous = pages[position - 1]
  const next = pages[position + 1]
  return (
    <Page frame={frame} style="docs" script="docs" title={page.title} description={page.description}>
      <div class="reading">
        <aside>
          <DocumentationSearchForm />
          {page.sections.length > 1 && (
            <nav aria-label="On this page" class="contents">
              <p class="over">On this page</p>
              <ul>
                {page.sections.map(({ id, title }) => (
                  <li>
                    <a href={`#${id}`}>{title}</a>
                  </li>
                ))}
              </ul>
            </nav>
          )}
          <nav aria-label="Documentation">
            {/* No headings: they would stand before that of the page, and a reader of text would take them for its beginning. */}
            {groupsOf(pages).map(([group, members]) => (
              <>
                <p class="over">{group}</p>
                <ul>
                  {members.map((member) => (
                    <li>
                      <a href={`/docs/${member.slug}`} aria-current={member === page ? 'page' : undefined}>
                        {member.title}
                      </a>
                    </li>
                  ))}
                </ul>
              </>
            ))}
          </nav>
        </aside>
        <div>
          <article class="prose" dangerouslySetInnerHTML={{ __html: page.html }} />
          <nav class="turn" aria-label="Previous and next page">
            {previous === undefined ? <span /> : <a href={`/docs/${previous.slug}`}>← {previous.title}</a>}
            {next !== undefined && <a href={`/docs/${next.slug}`}>{next.title} →</a>}
          </nav>
        </div>
      </div>
    </Page>
  )
}

function groupsOf(pages: Documentation): [string, DocumentationPage[]][] {
  const groups = new Map<string, DocumentationPage[]>()
  for (const page of pages) groups.set(page.group, [...(groups.get(page.group) ?? []), page])
  return [...groups]
}
