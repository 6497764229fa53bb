// Reads the saved pages under test/fixtures/extract.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { PageText } from '../../src/extract/document.ts'
import { type PageInput, readPage } from '../../src/extract/read-page.ts'

const FOLDER = fileURLToPath(new URL('../fixtures/extract/', import.meta.url))

export const NOW = new Date('2026-01-15T12:00:00Z')

/** The names of the saved HTML pages. */
export const fixtureNames = (): string[] =>
  readdirSync(FOLDER).filter((name) => existsSync(`${FOLDER}${name}/source.html`))

export const readFixture = (path: string): string => readFileSync(`${FOLDER}${path}`, 'utf8')

export const readFixtureBytes = (path: string): Uint8Array => new Uint8Array(readFileSync(`${FOLDER}${path}`))

/** Reads content the way the pipeline does. */
export function read(content: string | Uint8Array, more: Partial<PageInput> = {}): Promise<PageText> {
  const input: PageInput = {
    url: 'https://example.org/page',
    mediaType: 'text/html',
    content,
    lastModified: null,
    contentLanguage: null,
    now: NOW,
    ...more,
  }
  return readPage(input, AbortSignal.timeout(60_000))
}

/** The text of a page. */
export const readText = async (html: string): Promise<string> => (await read(html)).text

/** The text of a page with something that stands between two paragraphs. */
export const readTextBetween = (html: string): Promise<string> =>
  readText(`<p>Before.</p>${html}<p>After.</p>`)

export const textOf = (page: PageText, block: { start: number; end: number }): string =>
  page.text.slice(block.start, block.end)
