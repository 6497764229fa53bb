// Compares what our readers make of a page with what the browser itself shows of it: `innerText`, and the browser's own
// find. Independent of the capture script: the page is opened a second time and asked directly.
import { cutPassages } from '../../src/extract/passages/cut-passages.ts'
import { readPage } from '../../src/extract/read-page.ts'
import { assessRendering } from '../../src/extract/classify/rendering-need.ts'
import { whereSentOn } from '../../src/extract/classify/sent-on.ts'
import { installedBrowsers } from '../../src/pages/browser/detection.ts'
import { launchBrowser } from '../../src/pages/browser/launch.ts'
import { createMemoryCacheStore } from '../../src/pages/cache/memory-store.ts'
import { openEgress } from '../../src/pages/egress/egress.ts'
import { decodeLongPage } from '../../src/pages/fetch/decode-page.ts'
import { openPages } from '../../src/pages/open-pages.ts'
import { createLogger } from '../../src/telemetry/log.ts'
import { reply, startPageServer } from './page-server.ts'

export interface PageAgreement {
  name: string
  /** Passages of the plain HTML, and those of them that stand word for word in the browser's `innerText`. */
  staticPassages: number
  staticShown: number
  /** Those that the page's styles hide, and those that its scripts took away: no reader of plain HTML can know. */
  staticHidden: number
  staticGone: number
  /** Snippets of the page as we rendered it, and those that the browser's find finds: it looks within one block or table cell. */
  snippets: number
  snippetsFound: number
  /** Those that the page itself no longer holds when it is opened again: clocks, serial numbers, news. */
  snippetsGone: number
  /** What is missing, for a person to look at. */
  missing: string[]
}

const PIECES_MAX = 4

/**
 * Serves `pages` (name to HTML) on loopback, reads each by plain HTTP and by the browser, and looks for at most
 * `snippetsPerPage` of its passages in the page itself. White space and letter case are folded, as find folds them.
 */
export async function measureAgreement(
  pages: ReadonlyMap<string, string>,
  snippetsPerPage: number,
): Promise<PageAgreement[]> {
  const site = await startPageServer(
    Object.fromEntries(
      [...pages].map(([name, html]) => [`/${name}`, reply(200, 'text/html; charset=utf-8', html)]),
    ),
  )
  const allow = [`127.0.0.1:${site.port}`]
  const reader = await openPages({
    userAgent: 'VerbatimTest/1.0',
    product: 'Verbatim',
    respectRobots: false,
    egress: { allow },
    browser: { mode: 'auto', chromiumPath: null },
    cacheStore: createMemoryCacheStore({ bytesMax: 1_000_000 }),
    assessRendering: async (html, url, signal) => (await assessRendering(html, url, signal)).verdict,
    decodeLong: decodeLongPage,
    whereSentOn,
    logger: createLogger('silent'),
  })
  const witness = await openWitness(allow)
  const agreements: PageAgreement[] = []
  try {
    for (const name of pages.keys()) {
      const url = site.url(`/${name}`)
      const [plain, rendered] = [
        await passagesOf(reader, url, 'static'),
        await passagesOf(reader, url, 'browser'),
      ]
      const snippets = spread(rendered, snippetsPerPage)
      agreements.push({ name, ...compare(plain, snippets, await witness.look(url, snippets)) })
    }
  } finally {
    await reader.close()
    await witness.close()
    await site.close()
  }
  return agreements
}

interface Witnessed {
  /** `innerText` of the page, and all text of its markup, shown or not. */
  shown: string
  held: string
  /** Lines of snippets that find did not find. */
  lost: string[]
}

function compare(
  plain: readonly string[],
  snippets: readonly string[],
  { shown, held, lost }: Witnessed,
): Omit<PageAgreement, 'name'> {
  const folded = fold(shown)
  const shownLetters = lettersOf(shown)
  const heldLetters = lettersOf(held)
  const unseen = plain.filter((text) => !folded.includes(fold(text)))
  // Shown, but with other white space: ours to mend, so it counts as neither hidden nor gone.
  const unshown = unseen.filter((text) => !shownLetters.includes(lettersOf(text)))
  const hidden = unshown.filter((text) => heldLetters.includes(lettersOf(text)))
  const gone = lost.filter((text) => !heldLetters.includes(lettersOf(text)))
  const why = (text: string) =>
    hidden.includes(text) ? 'hidden by style' : unshown.includes(text) ? 'changed by script' : 'not shown'
  return {
    staticPassages: plain.length,
    staticShown: plain.length - unseen.length,
    staticHidden: hidden.length,
    staticGone: unshown.length - hidden.length,
    snippets: snippets.length,
    snippetsFound: snippets.length - lost.length,
    snippetsGone: gone.length,
    missing: [
      ...unseen.map((text) => `${why(text)}: ${text}`),
      ...lost.map((text) => `${gone.includes(text) ? 'no longer there' : 'not found'}: ${text}`),
    ],
  }
}

async function passagesOf(
  reader: Awaited<ReturnType<typeof openPages>>,
  url: string,
  rendering: 'static' | 'browser',
): Promise<string[]> {
  const { signal } = new AbortController()
  const options = { deadlineMs: Date.now() + 60_000, rendering, scroll: false, fresh: true } as const
  const capture = await reader.load(url, options, signal)
  const page = await readPage({ ...capture, now: new Date() }, signal)
  return cutPassages(page, { overlap: false, limit: 1_000 }).map((passage) => passage.text)
}

/** A browser that is asked without any of our reading: what does the page show, and does find find this? */
async function openWitness(allow: string[]) {
  const [executablePath = ''] = await installedBrowsers()
  const running = await launchBrowser({ kind: 'local', executablePath, sandbox: false, userId: null })
  const egress = openEgress({ allow })
  const proxy = await egress.listenProxy(50 * 2 ** 20)
  return {
    async look(url: string, snippets: readonly string[]): Promise<Witnessed> {
      const context = await running.browser.newContext({
        proxy: { server: proxy.url },
        viewport: { width: 1280, height: 1600 },
      })
      try {
        const page = await context.newPage()
        // Some compilers wrap nested functions in a call to `__name`; the page has no such function.
        await page.addInitScript({ content: 'globalThis.__name = (target) => target' })
        await page.goto(url, { waitUntil: 'domcontentloaded' })
        await page.waitForTimeout(300)
        const shown = await page.evaluate(() => document.body.innerText)
        const held = await page.evaluate(() => document.body.textContent)
        const lost: string[] = []
        for (const snippet of snippets) {
          const lines = snippet.split(/[\n\t]/u).map((line) => line.trim())
          const unfound = await page.evaluate(findUnfound, {
            lines: lines.filter(Boolean),
            piecesMax: PIECES_MAX,
          })
          if (unfound !== null) lost.push(unfound)
        }
        return { shown, held: held ?? '', lost }
      } finally {
        await context.close()
      }
    },
    async close(): Promise<void> {
      await running.stop()
      await egress.close()
    },
  }
}

/**
 * Runs in the page: the first line that the browser's find does not find. Find stops at pictures, buttons and other
 * objects within a line, so a line may also be found in up to `PIECES_MAX` pieces.
 */
function findUnfound({ lines, piecesMax }: { lines: string[]; piecesMax: number }): string | null {
  const isFound = (text: string): boolean => {
    getSelection()?.removeAllRanges()
    return (
      Reflect.apply(Reflect.get(window, 'find'), window, [text, false, false, true, false, true]) === true
    )
  }
  const isFoundInPieces = (words: string[], pieces: number): boolean => {
    if (words.length === 0) return true
    if (pieces === 0) return false
    let length = words.length
    while (length > 0 && !isFound(words.slice(0, length).join(' '))) length -= 1
    return length > 0 && isFoundInPieces(words.slice(length), pieces - 1)
  }
  return lines.find((line) => !isFound(line) && !isFoundInPieces(line.split(' '), piecesMax)) ?? null
}

const lettersOf = (text: string): string => text.replace(/\s+/gu, '').toLowerCase()

const fold = (text: string): string => text.replace(/\s+/gu, ' ').trim().toLowerCase()

/** At most `count` of `items`, evenly spread. */
function spread<T>(items: readonly T[], count: number): T[] {
  const step = Math.max(1, items.length / count)
  return Array.from(
    { length: Math.min(count, items.length) },
    (_none, index) => items[Math.floor(index * step)],
  ).filter((item): item is T => item !== undefined)
}
