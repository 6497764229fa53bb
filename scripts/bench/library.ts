// The embedded engine over a big library of generated pages, on SQLite and on PostgreSQL: how long putting a page takes,
// and a search. Words follow Zipf's law, so that questions meet common words and rare ones as they do in real text.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openLibrary, type Library, type LibraryOptions } from '../../src/library/library.ts'
import { hasPostgres, startPostgres } from '../../test/support/postgres.ts'
import { quantile } from './quantile.ts'
import { describeMachine } from './running-service.ts'

/** The most frequent words are those of real English, which say nothing about a page. */
const FUNCTION_WORDS = 'the of and to in a is that for it on what with as are how by this be or from'.split(
  ' ',
)
const WORDS_PER_PAGE = 150
const VOCABULARY = 50_000
const QUESTIONS = 200
/** Searches at once: a service asks for as many as it admits. */
const CONCURRENT = [1, 8] as const
const PAGES_PER_REPORT = 10_000

/** Fills both stores with `pages` pages and asks each the same questions. */
export async function benchLibrary(pages: number): Promise<void> {
  console.log(describeMachine())
  const folder = mkdtempSync(join(tmpdir(), 'verbatim-bench-library-'))
  const rows = [await measure('SQLite', { dataDir: folder, databaseUrl: null }, pages)]
  rmSync(folder, { recursive: true, force: true })
  if (hasPostgres) {
    const server = await startPostgres()
    const databaseUrl = await server.createDatabase()
    rows.push(await measure('PostgreSQL', { dataDir: folder, databaseUrl }, pages))
    await server.stop()
  }
  console.table(rows.flat())
}

async function measure(store: string, options: LibraryOptions, pages: number) {
  const library = await openLibrary(options)
  const startedAt = performance.now()
  await fill(library, pages)
  const putMs = ((performance.now() - startedAt) / pages).toFixed(2)
  const questions = makeQuestions(pages)
  await Promise.all(questions.slice(0, 20).map((text) => find(library, text)))
  const rows = []
  for (const concurrent of CONCURRENT) {
    const found = await ask(library, questions, concurrent)
    const times = found.map(({ elapsedMs }) => elapsedMs)
    rows.push({
      store,
      pages,
      'put ms': putMs,
      'searches at once': concurrent,
      'p50 ms': quantile(times, 0.5).toFixed(0),
      'p95 ms': quantile(times, 0.95).toFixed(0),
      'with hits': `${found.filter(({ hits }) => hits > 0).length}/${QUESTIONS}`,
    })
  }
  await library.close()
  return rows
}

async function fill(library: Library, pages: number): Promise<void> {
  const random = createRandom(1)
  for (let index = 0; index < pages; index += 1) {
    const words = Array.from({ length: WORDS_PER_PAGE }, () => zipfWord(random))
    await library.putPage(
      {
        url: `https://site-${index % 500}.example/${index}`,
        title: words.slice(0, 5).join(' '),
        text: words.join(' '),
        language: 'en',
        publishedAt: null,
        updatedAt: null,
      },
      'https://bench.example/',
    )
    if ((index + 1) % PAGES_PER_REPORT === 0) process.stderr.write(`${index + 1}/${pages} pages\n`)
  }
}

/** Questions in plain words: what people wrap around a question, and a common and two rarer words of some page. */
function makeQuestions(pages: number): string[] {
  const random = createRandom(2)
  return Array.from({ length: QUESTIONS }, () => {
    const pageRandom = createRandom(1)
    // The words of an early page, so that making a question is quick.
    const skip = Math.floor(random() * Math.min(pages, 1_000)) * WORDS_PER_PAGE
    for (let word = 0; word < skip; word += 1) pageRandom()
    const words = Array.from({ length: WORDS_PER_PAGE }, () => zipfRank(pageRandom))
    const [common = '', rarer = '', rarest = ''] = [0.5, 0.75, 0.9].map((share) =>
      wordOf(quantile(words, share)),
    )
    return `what is the ${common} of ${rarer} ${rarest}`
  })
}

/** `concurrent` callers who each ask the next question when the last is answered. */
async function ask(library: Library, questions: readonly string[], concurrent: number) {
  const found: { elapsedMs: number; hits: number }[] = []
  const waiting = [...questions]
  const caller = async (): Promise<void> => {
    for (let text = waiting.pop(); text !== undefined; text = waiting.pop()) {
      const startedAt = performance.now()
      const hits = await find(library, text)
      found.push({ elapsedMs: performance.now() - startedAt, hits: hits.length })
    }
  }
  await Promise.all(Array.from({ length: concurrent }, caller))
  return found
}

const find = (library: Library, text: string) =>
  library.search(
    { text, count: 20, language: 'en', needed: 20, recency: null, includeDomains: [], excludeDomains: [] },
    AbortSignal.timeout(60_000),
  )

/** mulberry32: the same numbers in every run. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** Rank 0 is the most frequent; the chance of a rank falls as 1/rank. */
const zipfRank = (random: () => number): number => Math.floor(Math.exp(random() * Math.log(VOCABULARY))) - 1

const zipfWord = (random: () => number): string => wordOf(zipfRank(random))

/** A function word, or a pronounceable word that is no other's stem. */
function wordOf(rank: number): string {
  const functionWord = FUNCTION_WORDS[rank]
  if (functionWord !== undefined) return functionWord
  const consonants = 'bdfgklmnprtvz'
  const vowels = 'aiou'
  let word = ''
  for (let left = rank + 100; left > 0; left = Math.floor(left / 52)) {
    word += (consonants[left % 13] ?? '') + (vowels[Math.floor(left / 13) % 4] ?? '')
  }
  return `${word}x`
}
