// A real browser behind the real guarded proxy, for tests over loopback; and a look at the processes it runs.
import { readdirSync, readFileSync } from 'node:fs'
import { openBrowser, type BrowserOptions } from '../../src/pages/browser/renderer.ts'
import { PageError } from '../../src/pages/capture.ts'
import { openEgress, type EgressOptions } from '../../src/pages/egress/egress.ts'
import { keepLog } from './suite-secrets.ts'
import { readableBlocks } from './visible-text.ts'
import { createLogger } from '../../src/telemetry/log.ts'

type Overrides = Partial<Pick<BrowserOptions, 'mode' | 'chromiumPath' | 'limits' | 'proxyHost'>> & {
  egress?: Partial<EgressOptions>
  /** Where the browser is told that its proxy is, when that is not where it listens. */
  proxyUrl?: string
}

/** Opens a browser that may read 127.0.0.1. `log` collects what it logs. */
export async function openTestBrowser({ egress: egressOptions, proxyUrl, ...overrides }: Overrides = {}) {
  const log: string[] = []
  const egress = openEgress({ allow: ['127.0.0.1'], ...egressOptions })
  const browser = await openBrowser({
    mode: 'auto',
    chromiumPath: null,
    userAgent: 'VerbatimTest/1.0',
    listenProxy: async (bytesMax) => {
      const proxy = await egress.listenProxy(bytesMax)
      return { ...proxy, url: proxyUrl ?? proxy.url }
    },
    logger: createLogger('debug', {
      write: (line) => {
        log.push(line)
        keepLog(line)
      },
    }),
    ...overrides,
  })
  const { render } = browser
  if (render === null) throw new Error(browser.describe().summary)

  const read = async (
    url: string,
    options: { withinMs?: number; scroll?: boolean; signal?: AbortSignal } = {},
  ) => {
    const { withinMs = 30_000, scroll = false, signal = new AbortController().signal } = options
    const page = await render(url, { deadlineMs: Date.now() + withinMs, scroll }, signal)
    return { ...page, blocks: readableBlocks(page.html), text: readableBlocks(page.html).join('\n') }
  }
  return {
    browser,
    log,
    /** Renders a page; `text` is what its HTML shows, one block a line. */
    read,
    /** The warning code that a page ends with, or "read" when it could be read. */
    outcome: async (url: string, options: Parameters<typeof read>[1] = {}): Promise<string> => {
      try {
        await read(url, options)
        return 'read'
      } catch (error) {
        if (error instanceof PageError) return error.warning.code
        throw error
      }
    },
    async close(): Promise<void> {
      await browser.close()
      await egress.close()
    },
  }
}

/** Ids of the running (not zombie) processes below this one whose command line matches. */
export function childProcesses(command: RegExp): number[] {
  const parents = new Map<number, number>()
  const states = new Map<number, string>()
  for (const name of readdirSync('/proc')) {
    const stat = /^\d+$/u.test(name) ? readProc(`/proc/${name}/stat`) : ''
    const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (parent === undefined || state === undefined) continue
    parents.set(Number(name), Number(parent))
    states.set(Number(name), state)
  }
  const isBelow = (pid: number): boolean => {
    const parent = parents.get(pid)
    return parent !== undefined && (parent === process.pid || isBelow(parent))
  }
  return [...parents.keys()].filter(
    (pid) => states.get(pid) !== 'Z' && isBelow(pid) && command.test(readProc(`/proc/${pid}/cmdline`)),
  )
}

/** The first processes of the browsers that this process runs: those without a `--type`. */
export const browserPids = (): number[] =>
  childProcesses(/chrom/iu).filter((pid) => !readProc(`/proc/${pid}/cmdline`).includes('--type='))

/** Memory that a process shares with no other, plus its share of what it does share; 0 when it is gone. */
export const residentBytes = (pid: number): number =>
  Number(/^Pss:\s+(\d+) kB/mu.exec(readProc(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0) * 1_024

function readProc(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
