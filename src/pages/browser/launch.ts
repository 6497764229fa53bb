// Starting, reaching and ending one Chromium: switches, sandbox, remote endpoints, process ids.
import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, BrowserType, CDPSession } from 'playwright'
import { withDeadline } from '../../concurrency/deadline.ts'

const LAUNCH_TIMEOUT_MS = 15_000
const CLOSE_TIMEOUT_MS = 3_000
/** How long the system may take to clear a killed browser away. */
const GONE_LIMIT_MS = 2_000
const GONE_POLL_MS = 20
const HEAP_LIMIT_MEBIBYTES = 384
/** The discard port: what no context's own guarded proxy carries goes nowhere. */
const NOWHERE = 'http://127.0.0.1:9'

/**
 * Nothing may leave except through a context's proxy: no QUIC, no WebRTC datagrams, no resolver, no prefetch, no pings.
 * Images are never decoded; the pointer settings are Playwright's own, which a second --blink-settings would replace.
 */
const switchesFor = (proxyHost: string): string[] => [
  '--disable-quic',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  `--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE ${proxyHost}`,
  '--dns-prefetch-disable',
  '--no-pings',
  '--disable-domain-reliability',
  '--disable-client-side-phishing-detection',
  '--blink-settings=imagesEnabled=false,primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4',
  '--disable-gpu',
  '--renderer-process-limit=8',
  `--js-flags=--max-old-space-size=${HEAP_LIMIT_MEBIBYTES}`,
  '--disk-cache-size=33554432',
  '--autoplay-policy=user-gesture-required',
  '--deny-permission-prompts',
  '--disable-notifications',
  '--disable-print-preview',
]

/** Of Playwright's own: without it a page that rewrites its address without end is slowed down, as in any browser. */
const LEFT_OUT = ['--disable-ipc-flooding-protection']

/**
 * Playwright's Chromium, which takes 80 MB: loaded only where there may be one to start. By `require`, because an import
 * first reads all three megabytes of it for the names that it exports, for 0.1 s of the thread that serves.
 */
export function loadChromium(): BrowserType {
  const playwright: { chromium: BrowserType } = createRequire(import.meta.url)('playwright')
  return playwright.chromium
}

/** Of the package that is there, whose version of Chromium is the one that it looks for. */
export function playwrightVersion(): string {
  const { version }: { version: string } = createRequire(import.meta.url)('playwright/package.json')
  return version
}

/** A program on this machine, or a browser that runs elsewhere. */
export type BrowserTarget =
  | {
      readonly kind: 'local'
      readonly executablePath: string
      readonly sandbox: boolean
      /** The user it runs as; null for our own. Only root may name another. */
      readonly userId: number | null
    }
  /** `proxyHost`: where it finds our proxies, the one name it may look up. */
  | { readonly kind: 'remote'; readonly endpoint: string; readonly proxyHost: string }

/** One process of a browser, as the browser itself reports it. */
export interface BrowserProcess {
  readonly type: string
  readonly pid: number
}

export type RunningBrowser = Awaited<ReturnType<typeof launchBrowser>>

/**
 * Starts or reaches a browser. Throws with Chromium's own words when it does not start, or when the remote endpoint
 * speaks neither Playwright's protocol nor Chrome's.
 */
export async function launchBrowser(target: BrowserTarget) {
  const browser = target.kind === 'local' ? await launchLocal(target) : await connectRemote(target)
  const { session, pid } = await introduce(browser, target).catch(async (error: unknown) => {
    await stopBrowser(browser, null)
    throw error
  })
  let stopping: Promise<void> | null = null
  return {
    browser,
    /** Process id of a local browser; null for a remote one, whose processes are not ours to end. */
    pid,
    /** By `performance.now()`. */
    startedAt: performance.now(),
    isRunning: () => stopping === null && browser.isConnected(),
    /** True when it has gone and nobody had asked it to. */
    isUnasked: () => stopping === null && !browser.isConnected(),
    /** Rejects when the browser does not answer in time: it hangs. */
    processes: (timeoutMs: number) => processesOf(session, timeoutMs),
    /** Closes the browser, by force when it does not go by itself. Never throws, never hangs. */
    stop: () => (stopping ??= stopBrowser(browser, pid)),
    /** Ends a local browser that answers nothing, at once. */
    kill: () => {
      if (pid !== null) killProcessGroup(pid)
      return (stopping ??= stopBrowser(browser, pid))
    },
  }
}

async function introduce(
  browser: Browser,
  target: BrowserTarget,
): Promise<{ session: CDPSession; pid: number | null }> {
  const session = await withDeadline({ what: 'browser session', limitMs: LAUNCH_TIMEOUT_MS }, () =>
    browser.newBrowserCDPSession(),
  )
  const processes = await processesOf(session, LAUNCH_TIMEOUT_MS)
  const own = target.kind === 'local' ? processes.find((entry) => entry.type === 'browser') : undefined
  return { session, pid: own?.pid ?? null }
}

type LocalTarget = BrowserTarget & { kind: 'local' }

async function launchLocal(target: LocalTarget): Promise<Browser> {
  const { executablePath, userId } = target
  if (userId === null) return startLocal(target, executablePath)
  const folder = await mkdtemp(join(tmpdir(), 'verbatim-chromium-'))
  try {
    const path = join(folder, 'chromium')
    await writeFile(path, asOtherUser(executablePath, userId), { mode: 0o700 })
    return await startLocal(target, path)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * A program that becomes Chromium as another user, without a capability: as root it has no sandbox. Playwright names no
 * user for what it starts; the profile folder that it makes has to be given away, and is a home the user can write to.
 */
const asOtherUser = (executablePath: string, userId: number): string => `#!/bin/sh
profile=
for argument; do
  case "$argument" in --user-data-dir=*) profile="\${argument#--user-data-dir=}" ;; esac
done
[ -n "$profile" ] && chown ${userId}:${userId} "$profile" || exit
export HOME="$profile"
exec setpriv --reuid ${userId} --regid ${userId} --clear-groups --inh-caps=-all --bounding-set=-all -- \
  '${executablePath.replaceAll("'", `'\\''`)}' "$@"
`

async function startLocal(target: LocalTarget, executablePath: string): Promise<Browser> {
  const chromium = loadChromium()
  return chromium.launch({
    executablePath,
    chromiumSandbox: target.sandbox,
    timeout: LAUNCH_TIMEOUT_MS,
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    proxy: { server: NOWHERE },
    args: switchesFor('127.0.0.1'),
    ignoreDefaultArgs: LEFT_OUT,
  })
}

/** A CDP endpoint names its target in the path (`/devtools/…`) or is given as http; all else is asked both ways. */
async function connectRemote({ endpoint, proxyHost }: BrowserTarget & { kind: 'remote' }): Promise<Browser> {
  const chromium = loadChromium()
  const overCdp = () => chromium.connectOverCDP(endpoint, { timeout: LAUNCH_TIMEOUT_MS })
  if (/^https?:/iu.test(endpoint) || new URL(endpoint).pathname.startsWith('/devtools/')) return overCdp()
  const options = JSON.stringify({
    args: switchesFor(proxyHost),
    ignoreDefaultArgs: LEFT_OUT,
    proxy: { server: NOWHERE },
  })
  try {
    return await chromium.connect(endpoint, {
      timeout: LAUNCH_TIMEOUT_MS,
      headers: { 'x-playwright-browser': 'chromium', 'x-playwright-launch-options': options },
    })
  } catch (asPlaywright) {
    try {
      return await overCdp()
    } catch (asCdp) {
      throw new Error(`it answers neither Playwright nor CDP: ${reasonOf(asPlaywright)}`, { cause: asCdp })
    }
  }
}

/** Without the call that Playwright names before it, and the log of the call below. */
function reasonOf(error: unknown): string {
  const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n')
  return line.replace(/^[\w.]+: /u, '')
}

async function processesOf(session: CDPSession, timeoutMs: number): Promise<BrowserProcess[]> {
  const { processInfo } = await withDeadline({ what: 'process list', limitMs: timeoutMs }, () =>
    session.send('SystemInfo.getProcessInfo'),
  )
  return processInfo.map(({ type, id }) => ({ type, pid: id }))
}

async function stopBrowser(browser: Browser, pid: number | null): Promise<void> {
  await withDeadline({ what: 'closing the browser', limitMs: CLOSE_TIMEOUT_MS }, () => browser.close()).catch(
    () => undefined,
  )
  if (pid === null) return
  killProcessGroup(pid)
  for (let waitedMs = 0; waitedMs < GONE_LIMIT_MS && isThere(pid); waitedMs += GONE_POLL_MS) {
    await sleep(GONE_POLL_MS)
  }
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Playwright starts Chromium as the leader of its own process group, so one signal reaches every child. */
function killProcessGroup(pid: number): void {
  if (process.platform === 'win32') {
    execFile('taskkill', ['/pid', String(pid), '/T', '/F'], () => undefined)
    return
  }
  try {
    process.kill(-pid, 'SIGKILL')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

/** Memory in bytes that a process holds for itself alone; 0 where the system does not tell (only Linux does). */
export async function privateMemoryBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/^RssAnon:\s+(\d+) kB$/mu.exec(status)?.[1] ?? 0) * 1024
}
