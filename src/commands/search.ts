// `verbatim search "query"`: one search from a terminal, through the same pipeline as the API. Coloured and aligned on
// a terminal, plain when piped, the API's own JSON with --json.
import { Argument, Command, Option } from 'commander'
import { commandLine } from '../invocation.ts'
import { LIMITS } from '../contract/limits.ts'
import {
  parseSearchRequest,
  RECENCIES,
  SEARCH_DEPTHS,
  searchOptionsSchema,
  type SearchDepth,
  type SearchRequest,
  type SearchResponse,
  type SearchResult,
} from '../contract.ts'
import { ApiError } from '../errors.ts'
import type { SearchParts } from '../compose/search-parts.ts'
import { EXIT_INTERRUPTED, EXIT_USAGE, openInterrupt } from './command-end.ts'
import { formatAnswer, formatComparison, formatExplanation } from './search-output.ts'
import { countOf } from './with-accounts.ts'

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
        `how deeply each page is analysed; ${COMPARE} asks at each of them${orElse(DEFAULTS.search_depth)}`,
      ).choices([...SEARCH_DEPTHS, COMPARE]),
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
    .option(
      '--language <code>',
      `language of the pages, such as en, fr or de${orElse(`that of the query, or ${DEFAULTS.language}`)}`,
    )
    .option('--include <domain>', `only this domain; ${SEVERAL}`, addDomains)
    .option('--exclude <domain>', `not this domain; ${SEVERAL}`, addDomains)
    .option('--explain', 'tell how the answer was made')
    .option('--json', 'the answer as the API gives it')
    .action((words: string[], flags: SearchFlags) => runSearch(openSearchParts, words.join(' '), flags))
}

/** In place of a depth: all of them, side by side. */
const COMPARE = 'compare'

const SEVERAL = 'several stand with commas between them, or behind the option each'

/** Not as many words as follow: the query may be what follows. */
const addDomains = (text: string, earlier: string[] = []): string[] => [
  ...earlier,
  ...text.split(',').map((domain) => domain.trim()),
]

/** The end of an option's description. A default that commander knows would be sent as if it had been asked for. */
const orElse = (value: string | number): string => ` (default: ${value})`

/** What fields of a request are called here. */
const OPTIONS: Readonly<Record<string, string>> = {
  num_results: '--results',
  max_snippets_per_result: '--snippets',
  language: '--language',
  include_domains: '--include',
  exclude_domains: '--exclude',
}

/** A sentence of the contract begins with its field, and the place in it. */
const inOptions = (message: string): string =>
  message.replace(/^([a-z_]+)(?:\.\d+)?/u, (said, field: string) => OPTIONS[field] ?? said)

async function runSearch(
  openSearchParts: () => Promise<SearchParts>,
  query: string,
  flags: SearchFlags,
): Promise<void> {
  const parsed = parseSearchRequest(toBody(query, flags))
  if (!parsed.ok) {
    process.stderr.write(`${parsed.issues.map(({ message }) => inOptions(message)).join('\n')}\n`)
    process.exitCode = EXIT_USAGE
    return
  }
  const interrupt = openInterrupt()
  const parts = await openSearchParts()
  try {
    const depths = flags.depth === COMPARE ? SEARCH_DEPTHS : [parsed.request.search_depth]
    const answers: [SearchDepth, SearchResponse][] = []
    // One after another, so that their times are their own.
    for (const depth of depths) {
      const request = { ...parsed.request, search_depth: depth }
      answers.push([depth, await searchOnce(parts, request, interrupt.signal)])
    }
    printAnswers(answers, flags)
    const isFound = answers.some(([, { results }]) => results.some(({ snippets }) => snippets.length > 0))
    if (!isFound && flags.json !== true && (await hasNothingToSearch(parts)))
      process.stderr.write(nothingToSearch())
    process.exitCode = isFound ? 0 : 1
  } catch (error) {
    process.exitCode = explainFailure(error, interrupt.signal)
  } finally {
    interrupt.close()
    await parts.close()
  }
}

const nothingToSearch = (): string => `The library is empty, and no other search engine is set up.
To search the web, set SEARXNG_URL or the key of an engine (docs/providers.md).
To search pages of your own: ${commandLine('index add URL')}
`

/** Whether the embedded engine is all there is, and knows no page. */
const hasNothingToSearch = async ({ isLibraryAlone, library }: SearchParts): Promise<boolean> =>
  isLibraryAlone() && (await library.countPages()) === 0

async function searchOnce(
  { search }: SearchParts,
  request: SearchRequest,
  signal: AbortSignal,
): Promise<SearchResponse> {
  const progress = createProgress(request.search_depth)
  try {
    const { response } = await search(
      request,
      { arrivedAtMs: Date.now(), callerId: 'command line', fresh: false, onResult: progress.advance },
      signal,
    )
    return response
  } finally {
    progress.end()
  }
}

/** Says why there is no answer and gives the exit code. Throws what is neither the caller's wish nor an answer of ours. */
function explainFailure(error: unknown, signal: AbortSignal): number {
  if (signal.aborted) return EXIT_INTERRUPTED
  if (!(error instanceof ApiError)) throw error
  process.stderr.write(`${error.detail} "${commandLine('doctor')}" tells more.\n`)
  return 3
}

/** The body the API would be sent; a flag that was not given is left to its default. */
function toBody(query: string, flags: SearchFlags): Record<string, unknown> {
  const body: Record<string, unknown> = {
    query,
    num_results: flags.results === undefined ? undefined : Number(flags.results),
    max_snippets_per_result: flags.snippets === undefined ? undefined : Number(flags.snippets),
    search_depth: flags.depth === COMPARE ? undefined : flags.depth,
    recency: flags.recency,
    language: flags.language,
    include_domains: flags.include,
    exclude_domains: flags.exclude,
    include: includesOf(flags),
  }
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined))
}

/** What answers is marked on a terminal. */
function includesOf({ explain, json }: SearchFlags): string[] {
  const isMarked = json !== true && process.stdout.isTTY
  return [...(explain === true ? ['explain'] : []), ...(isMarked ? ['highlights'] : [])]
}

/**
 * "3 pages read" on a terminal's last line; nothing when stderr is piped. Of how many is not known before the end: pages
 * that cannot be read are replaced by further ones.
 */
function createProgress(depth: SearchDepth) {
  const startedMs = performance.now()
  let done = 0
  const show = (): void => {
    const seconds = ((performance.now() - startedMs) / 1_000).toFixed(1)
    showProgress(`${depth}: ${countOf(done, 'page')} read … ${seconds} s`)
  }
  show()
  const ticking = setInterval(show, TICK_MS)
  return {
    advance: (_result: SearchResult): void => {
      done += 1
      show()
    },
    end: (): void => {
      clearInterval(ticking)
      showProgress('')
    },
  }
}

const TICK_MS = 200

function showProgress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001B[K${text}`)
}

/** What was found goes to stdout; that there is nothing is for people alone. */
function printAnswers(
  answers: readonly (readonly [SearchDepth, SearchResponse])[],
  { depth, explain, json }: SearchFlags,
): void {
  const isCompared = depth === COMPARE
  if (json === true) return printJson(isCompared ? Object.fromEntries(answers) : answers[0]?.[1])
  if (isCompared) process.stdout.write(formatComparison(answers))
  for (const [, response] of answers) {
    if (!isCompared) printAnswer(response)
    if (explain === true) process.stdout.write(`\n${formatExplanation(response)}`)
  }
}

const printJson = (value: unknown): void => void process.stdout.write(`${JSON.stringify(value, null, 2)}\n`)

function printAnswer(response: SearchResponse): void {
  if (response.results.length === 0) process.stderr.write('Nothing was found.\n')
  else process.stdout.write(formatAnswer(response))
}
