// How an answer looks in a terminal: passages in their column with what answers marked, how it was made, and the depths
// side by side. Plain when it is piped.
import { styleText } from 'node:util'
import { z } from 'zod'
import type { SearchResponse } from '../contract.ts'
import { countOf, formatTable } from './with-accounts.ts'

/** Where the text of a passage begins: behind three spaces, its score and two more. */
const TEXT_COLUMN = 9
/** Of a terminal that tells no width, as those of containers and CI. */
const COLUMNS = 80
/** Narrower, a text is not broken further. */
const TEXT_COLUMNS_LEAST = 20

type Snippet = SearchResponse['results'][number]['snippets'][number]

/** The pages with their passages, best first. */
export function formatAnswer(response: SearchResponse): string {
  const blocks = response.results.map((result) => {
    const date = result.publish_date === null ? '' : ` (${result.publish_date.slice(0, 10)})`
    const head = `${result.rank}. ${paint('bold', legible(result.title))}${date}\n   ${paint('cyan', result.url)}`
    return [head, ...notesOn(result), ...result.snippets.map(formatPassage)].join('\n')
  })
  return `${blocks.join('\n\n')}\n\n${paint('dim', `${response.total_latency_ms} ms`)}\n`
}

/** What is wrong with a page, or why it has no passage. */
function notesOn({ warning, snippets }: SearchResponse['results'][number]): string[] {
  if (warning !== null) return [`   ${paint('yellow', `! ${legible(warning)}`)}`]
  return snippets.length === 0 ? [`   ${paint('dim', 'No passage is relevant enough for this depth.')}`] : []
}

function formatPassage({ text, relevance_score: score, highlights = [] }: Snippet): string {
  const wrapped = wrap(legible(text), textColumns())
  let marked = ''
  let end = 0
  for (const mark of highlights) {
    marked += wrapped.slice(end, mark.start) + markLines(wrapped.slice(mark.start, mark.end))
    end = mark.end
  }
  const lines = (marked + wrapped.slice(end)).split('\n')
  return `   ${paint('green', score.toFixed(2))}  ${lines.join(`\n${' '.repeat(TEXT_COLUMN)}`)}`
}

/** Each line by itself: the margin of the next one is not marked. */
const markLines = (text: string): string =>
  text
    .split('\n')
    .map((line) => (line === '' ? '' : paint('underline', line)))
    .join('\n')

const textColumns = (): number =>
  process.stdout.isTTY
    ? Math.max(TEXT_COLUMNS_LEAST, (process.stdout.columns || COLUMNS) - TEXT_COLUMN)
    : Infinity

/** On a terminal, without what a page would have it do in place of showing words; every place stays what it is. */
const legible = (text: string): string =>
  process.stdout.isTTY ? text.replace(/(?![\n\t])\p{Cc}/gu, '\uFFFD') : text

/** `text` with line breaks in place of spaces, so that lines have at most `columns` characters; places stay what they are. */
function wrap(text: string, columns: number): string {
  const characters = text.split('')
  let lineStart = 0
  let lastSpace = -1
  for (const [index, character] of characters.entries()) {
    if (character === '\n') [lineStart, lastSpace] = [index + 1, -1]
    if (character === ' ') lastSpace = index
    if (index - lineStart < columns || lastSpace < lineStart) continue
    characters[lastSpace] = '\n'
    lineStart = lastSpace + 1
  }
  return characters.join('')
}

const explainSchema = z.object({
  provider: z.object({ name: z.string(), hits: z.number() }),
  filters: z.object({ dropped: z.record(z.string(), z.number()) }),
  model: z.object({ used: z.string().nullable(), score_version: z.string() }),
  stages_ms: z.record(z.string(), z.number()),
  pages: z.array(
    z.object({
      url: z.string(),
      read_by: z.string().nullable(),
      elapsed_ms: z.number(),
      passages: z.number(),
      best_rejected: z.object({ text: z.string(), relevance_score: z.number() }).nullable(),
    }),
  ),
})

/** Who found the pages, where the time went, what became of each page, and the best passage that was left out. */
export function formatExplanation(response: SearchResponse): string {
  const { provider, filters, model, stages_ms: stages, pages } = explainSchema.parse(response.explain)
  const longestMs = Math.max(1, ...Object.values(stages))
  const dropped = Object.entries(filters.dropped).map(([reason, count]) => `${count} ${reason}`)
  const rows = pages.map((page) => [
    page.read_by ?? 'not read',
    `${Math.round(page.elapsed_ms)} ms`,
    String(page.passages),
    page.best_rejected?.relevance_score.toFixed(2) ?? '–',
    page.url,
  ])
  return [
    paint('bold', 'How it was made'),
    `${countOf(provider.hits, 'hit')} of ${provider.name}; left out: ${dropped.join(', ') || 'none'}`,
    `scored by ${model.used ?? 'the first stage'} (${model.score_version})`,
    ...Object.entries(stages).map(([name, ms]) => formatStage(name, ms, longestMs)),
    '',
    rows.length === 0 ? '' : formatTable(['READ BY', 'TIME', 'PASSAGES', 'BEST LEFT OUT', 'PAGE'], rows),
  ].join('\n')
}

const BAR_WIDTH = 30

const formatStage = (name: string, ms: number, longestMs: number): string =>
  `  ${name.padEnd(10)}${`${Math.round(ms)} ms`.padStart(9)}  ${paint('green', '█'.repeat(Math.ceil((BAR_WIDTH * ms) / longestMs)))}`

/** One row a depth, and under it the best passage of each. */
export function formatComparison(responses: readonly (readonly [depth: string, SearchResponse])[]): string {
  const rows = responses.map(([depth, { results, total_latency_ms: totalMs }]) => {
    const snippets = results.flatMap((result) => result.snippets)
    const characters = snippets.reduce((sum, { text }) => sum + text.length, 0)
    const pages = results.filter((result) => result.snippets.length > 0).length
    return [depth, `${totalMs} ms`, `${pages}/${results.length}`, String(snippets.length), String(characters)]
  })
  const best = responses.map(([depth, { results }]) => {
    const first = results.find(({ snippets }) => snippets.length > 0)
    const [snippet] = first?.snippets ?? []
    if (first === undefined || snippet === undefined) return `${paint('bold', depth)}\n   Nothing was found.`
    return `${paint('bold', depth)}  ${paint('cyan', first.url)}\n${formatPassage(snippet)}`
  })
  const table = formatTable(['DEPTH', 'TIME', 'PAGES', 'PASSAGES', 'CHARACTERS'], rows)
  return `${table}\n${best.join('\n\n')}\n`
}

function paint(style: 'bold' | 'cyan' | 'green' | 'yellow' | 'dim' | 'underline', text: string): string {
  return process.stdout.isTTY ? styleText(style, text) : text
}
