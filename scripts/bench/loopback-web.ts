// A web on loopback for load tests: an engine in the form of SearXNG whose every answer finds pages nobody has seen
// before, and a site for each of two hundred addresses of 127/8 that makes them. Apart from the measurements, because
// load and cache want the same web.
import { readdirSync, readFileSync } from 'node:fs'
import { createServer, type Server, type ServerResponse } from 'node:http'
import { join } from 'node:path'

const DOCUMENTATION = join(import.meta.dirname, '..', '..', 'docs')
const HITS = 10
/** Hosts are asked for two pages at a time; a real answer, too, comes from many hosts. */
const HOSTS = 200
const PARAGRAPHS = 16
const SENTENCES_PER_PARAGRAPH = 4
/** Markup around the text: a page of about 60 kB, most of it scripts, styles and navigation. */
const CHROME_CHARACTERS = 48_000

export interface LoopbackWebOptions {
  /** What the engine and each page take to answer, as if they were far away. */
  engineDelayMs: number
  pageDelayMs: number
}

export async function startLoopbackWeb({ engineDelayMs, pageDelayMs }: LoopbackWebOptions) {
  const sentences = readSentences()
  let next = 0
  let isFresh = true
  const site = await listen('0.0.0.0', pageDelayMs, (path) => {
    if (!path.startsWith('/page/')) return null
    return {
      type: 'text/html; charset=utf-8',
      body: makePage(sentences, Number(path.slice('/page/'.length))),
    }
  })
  const engine = await listen('127.0.0.1', engineDelayMs, () => {
    const first = isFresh ? (next += HITS) : 0
    const results = Array.from({ length: HITS }, (_none, index) => {
      const number = first + index
      const url = `http://127.0.1.${1 + (number % HOSTS)}:${site.port}/page/${number}`
      return { url, title: `Page ${number}`, content: '', engine: 'loopback', publishedDate: null }
    })
    const body = { query: '', number_of_results: HITS, results, unresponsive_engines: [] }
    return { type: 'application/json', body: JSON.stringify(body) }
  })
  return {
    engineUrl: `http://127.0.0.1:${engine.port}`,
    /** From now on every answer finds new pages; or every answer the same ten. */
    find(which: 'fresh' | 'same'): void {
      isFresh = which === 'fresh'
    },
    async close(): Promise<void> {
      await Promise.all([engine.close(), site.close()])
    },
  }
}

/** Questions that the documentation answers: its own headings. */
export function readQuestions(): string[] {
  return readDocumentation().flatMap((text) =>
    [...text.matchAll(/^## (.+\?)$/gmu)].map(([, question]) => question ?? ''),
  )
}

function readDocumentation(): string[] {
  const names = readdirSync(DOCUMENTATION).filter((name) => name.endsWith('.md'))
  return names.toSorted().map((name) => readFileSync(join(DOCUMENTATION, name), 'utf8'))
}

function readSentences(): string[] {
  const prose = readDocumentation().flatMap((text) =>
    text.split(/\n{2,}/u).filter((part) => /^[A-Z]/u.test(part)),
  )
  return prose.flatMap((part) => part.replace(/\s+/gu, ' ').split(/(?<=[.?!]) (?=[A-Z])/u))
}

/** The page of a number is always the same, and shares no paragraph with another. */
function makePage(sentences: readonly string[], number: number): string {
  const pick = createPicker(number)
  const paragraphs = Array.from({ length: PARAGRAPHS }, () => {
    const chosen = Array.from(
      { length: SENTENCES_PER_PARAGRAPH },
      () => sentences[pick(sentences.length)] ?? '',
    )
    return `<h2>${chosen[0]?.slice(0, 40)}</h2><p>${chosen.join(' ')}</p>`
  })
  const link = `<li class="menu-item"><a href="/page/${number}">Section</a></li>`
  const chrome = link.repeat(Math.ceil(CHROME_CHARACTERS / 2 / link.length))
  const script = `<script>const data = "${'x'.repeat(CHROME_CHARACTERS / 2)}"</script>`
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Page ${number}</title>${script}</head>
<body><nav><ul>${chrome}</ul></nav><main><article><h1>Page ${number}</h1>${paragraphs.join('\n')}</article></main></body></html>`
}

/** Whole numbers below a limit, the same for the same seed (xorshift, Marsaglia 2003). */
function createPicker(seed: number): (limit: number) => number {
  let state = (seed + 1) * 2_654_435_761
  return (limit) => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) % limit
  }
}

async function listen(
  host: string,
  delayMs: number,
  answer: (path: string) => { type: string; body: string } | null,
): Promise<{ port: number; close(): Promise<void> }> {
  const respond = (response: ServerResponse, path: string): void => {
    const content = answer(path)
    if (content === null) response.writeHead(404).end()
    else response.setHeader('Content-Type', content.type).end(content.body)
  }
  const server: Server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://site')
    if (delayMs === 0) respond(response, pathname)
    else setTimeout(respond, delayMs, response, pathname)
  })
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    port: address.port,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
