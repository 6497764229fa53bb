// Reads and cuts a saved page as the service does, for the recipes that teach and fit models.
import { readFileSync } from 'node:fs'
import { cutPassages } from '../src/extract/passages/cut-passages.ts'
import { readPage } from '../src/extract/read-page.ts'

/** As DEPTHS.balanced has it. */
const PASSAGES_OF_A_PAGE = 1_000
const PATIENCE_MS = 60_000

/** The page in a file of HTML in UTF-8, and its passages. @throws what `readPage` throws. */
export async function cutSavedPage(path: string) {
  const input = {
    url: 'http://127.0.0.1/saved-page',
    mediaType: 'text/html',
    content: readFileSync(path, 'utf8'),
    lastModified: null,
    contentLanguage: null,
    now: new Date(),
  }
  const page = await readPage(input, AbortSignal.timeout(PATIENCE_MS))
  return { page, passages: cutPassages(page, { overlap: false, limit: PASSAGES_OF_A_PAGE }) }
}

/** As src/search/given/rerank.ts has them. */
const WHOLE_CHARACTERS = 1_000
const PIECES_OF_A_TEXT = 200

/** What is scored of a text that comes to be re-ranked: all of it, or the passages of a long one. */
export async function piecesOfText(text: string): Promise<string[]> {
  if (text.length <= WHOLE_CHARACTERS) return [text]
  const input = { url: 'about:blank', mediaType: 'text/plain', content: text, now: new Date() }
  const page = await readPage(
    { ...input, lastModified: null, contentLanguage: null },
    AbortSignal.timeout(PATIENCE_MS),
  )
  const passages = cutPassages(page, { overlap: false, limit: PIECES_OF_A_TEXT })
  return passages.length === 0 ? [text] : passages.map((passage) => passage.text)
}
