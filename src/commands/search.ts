// `verbatim search "query"`: one search from a terminal, through the same pipeline as the API. Coloured and aligned on
// a terminal, plain when piped, the API's own JSON with --json.
import { styleText } from 'node:util'
import { Argument, Command, Option } from 'commander'
import {
  LIMITS,
  parseSearchRequest,
  RECENCIES,
  SEARCH_DEPTHS,
  searchOptionsSchema,
  type SearchResponse,
  type SearchResult,
} from '../contract.ts'
import { ApiError } from '../errors.ts'
import type { SearchParts } from '../compose/search-parts.ts'
import { EXIT_INTERRUPTED, EXIT_USAGE, openInterrupt } from './command-end.ts'
import { countOf } from './with-accounts.ts'

/** Where the text of a passage begins: behind three spaces, its score and two more. */
const TEXT_COLUMN = 9
/** What the API takes for what is left out. */
const DEFAULTS = searchOptionsSchema.parse({})

interface SearchFlags {
  depth?: string
  results?: string
  snippets?: string
  recency?: string
  language?: string
  include?: string[]
  exclude?: string[]
  explain?: boolean
  json?: boolean
}

/**
 * Exit code 0 with results, 1 without any, 2 for wrong arguments, 3 when no search engine could be reached, 130 when
 * interrupted: then pages are let go and the browser is closed first.
 */
export function createSearchCommand({
  openSearchParts,
}: {
  openSearchParts: () => Promise<SearchParts>
}): Command {
  return new Command('search')
    .description('search once and print the best passages')
    .addArgument(new Argument('<query...>', 'what to look for'))
    .addOption(
      new Option(
        '--depth <depth>',
        `how deeply each page is analysed${orElse(DEFAULTS.search_depth)}`,
      ).choices(SEARCH_DEPTHS),
    )
    .option('--results <n>', `pages to return, 1 to ${LIMITS.resultsMax}${orElse(DEFAULTS.num_results)}`)
    .option(
      '--snippets <n>',
      `passages per page, 1 to ${LIMITS.snippetsMax}${orElse(DEFAULTS.max_snippets_per_result)}`,
    )
    .addOption(
      new Option('--recency <window>', `only pages published within it${orElse('at any time')}`).choices(
        RECENCIES,
      ),
    )
    .option('--language <code>', `language of the pages, such as en, fr or de${orElse(DEFAULTS.language)}`)
    .option('--include <domain>', `only this domain; ${SEVERAL}`, addDomains)
    .option('--exclude <domain>', `not this domain; ${SEVERAL}`, addDomains)
    .option('--explain', 'add how the answer was made (with --json)')
    .option('--json', 'the answer as the API gives it')
    .action((words: string[], flags: SearchFlags) => runSearch(openSearchParts, words.join(' '), flags))
}

const SEVERAL = 'several stand with commas between them, or behind the option each'

/** Not as many words as follow: the query may be what follows. */
const addDomains = (text: string, earlier: string[] = []): string[] => [
  ...earlier,
  ...text.split(',').map((domain) => domain.trim()),
]

/** The end of an option's description. A default that commander knows would be sent as if it had been asked for. */
const orElse = (value: string | number): string => ` (default: ${value})`

async function runSearch(
  openSearchParts: () => Promise<SearchParts>,
  query: string,
  flags: SearchFlags,
): Promise<void> {
  const parsed = parseSearchRequest(toBody(query, flags))
  if (!parsed.ok) {
    process.stderr.write(`${parsed.issues.map((issue) => issue.message).join('\n')}\n`)
    process.exitCode = EXIT_USAGE
    return
  }
  const interrupt = openInterrupt()
  const parts = await openSearchParts()
  const progress = createProgress()
  try {
    const context = {
      arrivedAtMs: Date.now(),
      callerId: 'command line',
      fresh: false,
      onResult: progress.advance,
    }
    const { response } = await parts.search(parsed.request, context, interrupt.signal)
    progress.end()
    printAnswer(response, flags.json === true)
    process.exitCode = response.results.some((result) => result.snippets.length > 0) ? 0 : 1
  } catch (error) {
    progress.end()
    process.exitCode = explainFailure(error, interrupt.signal)
  } finally {
    interrupt.close()
    await parts.close()
  }
}

/** Says why there is no answer and gives the exit code. Throws what is neither the caller's wish nor an answer of ours. */
function explainFailure(error: unknown, signal: AbortSignal): number {
  if (signal.aborted) return EXIT_INTERRUPTED
  if (!(error instanceof ApiError)) throw error
  process.stderr.write(`${error.detail} "verbatim doctor" tells more.\n`)
  return 3
}

/** The body the API would be sent; a flag that was not given is left to its default. */
function toBody(query: string, flags: SearchFlags): Record<string, unknown> {
  const body: Record<string, unknown> = {
    query,
    num_results: flags.results === undefined ? undefined : Number(flags.results),
    max_snippets_per_result: flags.snippets === undefined ? undefined : Number(flags.snippets),
    search_depth: flags.depth,
    recency: flags.recency,
    language: flags.language,
    include_domains: flags.include,
    exclude_domains: flags.exclude,
    include: flags.explain === true ? ['explain'] : undefined,
  }
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined))
}

/**
 * "3 pages read" on a terminal's last line; nothing when stderr is piped. Of how many is not known before the end: pages
 * that cannot be read are replaced by further ones.
 */
function createProgress() {
  let done = 0
  showProgress('searching …')
  return {
    advance: (_result: SearchResult): void => {
      done += 1
      showProgress(`${countOf(done, 'page')} read …`)
    },
    end: (): void => showProgress(''),
  }
}

function showProgress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001B[K${text}`)
}

/** What was found goes to stdout; that there is nothing is for people alone. */
function printAnswer(response: SearchResponse, asJson: boolean): void {
  if (asJson) process.stdout.write(`${JSON.stringify(response, null, 2)}\n`)
  else if (response.results.length === 0) process.stderr.write('Nothing was found.\n')
  else process.stdout.write(formatAnswer(response))
}

function formatAnswer(response: SearchResponse): string {
  const blocks = response.results.map((result) => {
    const date = result.publish_date === null ? '' : ` (${result.publish_date.slice(0, 10)})`
    const head = `${result.rank}. ${paint('bold', result.title)}${date}\n   ${paint('cyan', result.url)}`
    const notes = result.warning === null ? [] : [`   ${paint('yellow', `! ${result.warning}`)}`]
    const passages = result.snippets.map(
      ({ relevance_score: score, text }) => `   ${paint('green', score.toFixed(2))}  ${indented(text)}`,
    )
    return [head, ...notes, ...passages].join('\n')
  })
  return `${blocks.join('\n\n')}\n\n${paint('dim', `${response.total_latency_ms} ms`)}\n`
}

/** Lines after the first stand under its text; on a terminal they are also broken there, between words. */
function indented(text: string): string {
  const columns = process.stdout.isTTY ? process.stdout.columns - TEXT_COLUMN : Infinity
  return text
    .split('\n')
    .flatMap((line) => breakLine(line, columns))
    .join(`\n${' '.repeat(TEXT_COLUMN)}`)
}

/** `line` in pieces of at most `columns` characters, broken at spaces; a longer word stands alone. */
function breakLine(line: string, columns: number): string[] {
  if (line.length <= columns) return [line]
  const lines = ['']
  for (const word of line.split(' ')) {
    const last = lines.at(-1) ?? ''
    const longer = last === '' ? word : `${last} ${word}`
    if (last === '' || longer.length <= columns) lines[lines.length - 1] = longer
    else lines.push(word)
  }
  return lines
}

function paint(style: 'bold' | 'cyan' | 'green' | 'yellow' | 'dim', text: string): string {
  return process.stdout.isTTY ? styleText(style, text) : text
}
