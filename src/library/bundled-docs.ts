// Our own documentation as pages of the embedded engine, so that a fresh installation has something to find.
import { decodeHTML } from 'entities'
import type { LibraryPage } from './page-index.ts'

export interface DocumentationSource {
  /** Last part of its address: `<base>/docs/<slug>`. */
  slug: string
  title: string
  html: string
}

/** `baseUrl` is where this service answers, without a trailing slash. */
export const documentationPages = (pages: readonly DocumentationSource[], baseUrl: string): LibraryPage[] =>
  pages.map(({ slug, title, html }) => ({
    url: `${baseUrl}/docs/${slug}`,
    title,
    text: textOf(html),
    language: 'en',
    publishedAt: null,
    updatedAt: null,
  }))

/** Words for the index, not for quoting: every tag ends a word, and what a snippet shows is read from the page itself. */
const textOf = (html: string): string =>
  decodeHTML(html.replace(/<[^<>]*>/gu, ' '))
    .replace(/\s+/gu, ' ')
    .trim()
