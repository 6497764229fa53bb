// Our reader and the ones people use instead, each as "HTML in, main text and date out".
import { Readability } from '@mozilla/readability'
import { Defuddle } from 'defuddle/node'
import { decodeHTML } from 'entities'
import { JSDOM, VirtualConsole } from 'jsdom'
import { parseHTML } from 'linkedom'
import type { PageText } from '../../src/extract/document.ts'
import { contentOf, readHtmlPage } from './read-html-page.ts'

export interface Extracted {
  text: string
  /** ISO 8601, as far as the tool gives one. */
  published: string | null
  updated: string | null
}

export interface ExtractionTool {
  name: string
  extract: (html: string, url: string) => Promise<Extracted>
}

const NOTHING: Extracted = { text: '', published: null, updated: null }

/** Ours first; the others as their documentation recommends. */
export const EXTRACTION_TOOLS: readonly ExtractionTool[] = [
  { name: 'verbatim', extract: async (html, url) => ofPage(await readHtmlPage(html, url)) },
  { name: 'jsdom + Readability', extract: async (html, url) => ofReadability(jsdomDocument(html, url)) },
  { name: 'linkedom + Readability', extract: async (html) => ofReadability(parseHTML(html).document) },
  { name: 'defuddle + linkedom', extract: extractWithDefuddle },
]

const ofPage = (page: PageText): Extracted => ({
  text: contentOf(page),
  published: page.publishDate?.iso ?? null,
  updated: page.lastUpdated?.iso ?? null,
})

// Without a console of its own jsdom prints every style sheet it cannot read.
const jsdomDocument = (html: string, url: string): Document =>
  new JSDOM(html, { url, virtualConsole: new VirtualConsole() }).window.document

function ofReadability(document: Document): Extracted {
  const article = new Readability(document).parse()
  if (article === null) return NOTHING
  return { text: textOfHtml(article.content ?? ''), published: isoOf(article.publishedTime), updated: null }
}

async function extractWithDefuddle(html: string, url: string): Promise<Extracted> {
  const { content, published } = await Defuddle(parseHTML(html).document, url, {})
  return { text: textOfHtml(content), published: isoOf(published), updated: null }
}

/** Every tag as a line break: the scorer counts words, so no two may be glued together. */
const textOfHtml = (html: string): string => decodeHTML(html.replace(/<[^>]{0,10000}>/gu, '\n'))

function isoOf(date: string | null | undefined): string | null {
  if (date === null || date === undefined || date === '') return null
  if (/^\d{4}-\d{2}-\d{2}/u.test(date)) return date
  const time = Date.parse(date)
  return Number.isNaN(time) ? null : new Date(time).toISOString()
}
