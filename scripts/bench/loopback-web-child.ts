// The servers of the loopback web, in a process of their own: making pages must not hold up whoever measures how long
// answers take. Prints nothing; told what to find, and by its parent's end that it is over.
import { createServer, type Server, type ServerResponse } from 'node:http'
import {
  readDocumentation,
  type FindMessage,
  type LoopbackWebOptions,
  type ReadyMessage,
} from './loopback-web.ts'

const HITS = 10
/** Hosts are asked for two pages at a time; a real answer, too, comes from many hosts. */
const HOSTS = 200
const PARAGRAPHS = 16
const SENTENCES_PER_PARAGRAPH = 4
/** Markup around the text: a page of about 60 kB, most of it scripts, styles and navigation. */
const CHROME_CHARACTERS = 48_000

const { engineDelayMs, pageDelayMs }: LoopbackWebOptions = JSON.parse(process.argv[2] ?? '')
const sentences = readSentences()
let next = 0
let isFresh = true

const sitePort = await listen('0.0.0.0', pageDelayMs, (path) => {
  if (!path.startsWith('/page/')) return null
  return {
    type: 'text/html; charset=utf-8',
    body: makePage(Number(path.slice('/page/'.length))),
  }
})
const enginePort = await listen('127.0.0.1', engineDelayMs, () => {
  const first = isFresh ? (next += HITS) : 0
  const results = Array.from({ length: HITS }, (_none, index) => {
    const number = first + index
    const url = `http://127.0.1.${1 + (number % HOSTS)}:${sitePort}/page/${number}`
    return { url, title: `Page ${number}`, content: '', engine: 'loopback', publishedDate: null }
  })
  const body = { query: '', number_of_results: HITS, results, unresponsive_engines: [] }
  return { type: 'application/json', body: JSON.stringify(body) }
})
process.on('message', ({ find }: FindMessage) => {
  isFresh = find === 'fresh'
})
process.on('disconnect', () => process.exit())
process.send?.({ enginePort } satisfies ReadyMessage)

function readSentences(): string[] {
  const prose = readDocumentation().flatMap((text) =>
    text.split(/\n{2,}/u).filter((part) => /^[A-Z]/u.test(part)),
  )
  return prose.flatMap((part) => part.replace(/\s+/gu, ' ').split(/(?<=[.?!]) (?=[A-Z])/u))
}

/** The page of a number is always the same, and shares no paragraph with another. */
function makePage(number: number): string {
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
): Promise<number> {
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
  return address.port
}
