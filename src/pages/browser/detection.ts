// Which browser this machine has, whether it can really read a page, and what to do when there is none.
import { access, constants, readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
/** Where Linux distributions and macOS put Chromium; the headless shell first, for it needs a third of the CPU. */
import CHROMIUM_PATHS from './chromium-paths.json' with { type: 'json' }
import {
  launchBrowser,
  loadChromium,
  playwrightVersion,
  type BrowserTarget,
  type RunningBrowser,
} from './launch.ts'
import { withDeadline } from '../../concurrency/deadline.ts'
import { invocationOf } from '../../invocation.ts'

const SELF_TEST_TIMEOUT_MS = 10_000
const SELF_TEST_TEXT = 'Verbatim reads this sentence.'

/** Each version of Playwright has a Chromium of its own. */
function browserAdvice(): string {
  if (invocationOf() === 'image')
    return 'Build the image with one (--build-arg CHROMIUM=with), or name one that runs elsewhere in BROWSER.'
  return (
    `Install one with "npx playwright@${playwrightVersion()} install --with-deps chromium-headless-shell", on Debian ` +
    'with "apt-get install chromium-headless-shell fonts-liberation", or name one in CHROMIUM_PATH.'
  )
}

export interface DetectionOptions {
  /** `auto`: look for one. `off`: none wanted. Anything else is the ws:// or http:// endpoint of a remote browser. */
  mode: string
  /** Where a remote browser finds our proxies. Default: 127.0.0.1. */
  proxyHost?: string | undefined
  /** The operator's choice; when it is set nothing else is tried. */
  chromiumPath: string | null
}

/** How a browser of this machine is started. */
type LocalWay = Pick<BrowserTarget & { kind: 'local' }, 'sandbox' | 'userId'>

/** The safest first. */
const WAYS: readonly LocalWay[] = [
  { sandbox: true, userId: null },
  { sandbox: false, userId: null },
]
/** Belongs to nobody: beyond the users that systems hand out, so that no other program runs as it. */
const OTHER_USER_ID = 23_456
/** As root Chromium has no sandbox. As another user it may still be unable to read a browser in root's own folders. */
const WAYS_OF_ROOT: readonly LocalWay[] = [
  { sandbox: true, userId: OTHER_USER_ID },
  { sandbox: false, userId: OTHER_USER_ID },
  { sandbox: false, userId: null },
]

/** What was found, in words for the operator's log and `doctor`. */
export interface BrowserDescription {
  readonly found: boolean
  /** One sentence: which browser, and what limits it. */
  readonly summary: string
  /** The command that mends it; null when nothing is missing. */
  readonly advice: string | null
}

export type Detection =
  | {
      readonly running: RunningBrowser
      readonly target: BrowserTarget
      readonly description: BrowserDescription
    }
  | { readonly running: null; readonly target: null; readonly description: BrowserDescription }

/**
 * Starts the first browser that passes the self-test and gives it back running. Order: CHROMIUM_PATH, Playwright's own,
 * Debian's headless shell, any Chromium or Chrome. The sandbox is kept unless the system refuses it; root starts it as
 * another user for that. Never throws for a missing or broken browser: the description says what was tried.
 */
export async function detectBrowser(options: DetectionOptions, signal?: AbortSignal): Promise<Detection> {
  if (options.mode === 'off')
    return none('The browser is switched off (BROWSER=off): static pages only.', null)
  if (options.mode !== 'auto') return detectRemote(options, signal)
  const { chromiumPath: named } = options
  if (named !== null && !(await isExecutable(named)))
    return none(
      `There is no program at ${named}, which CHROMIUM_PATH names: static pages only.`,
      browserAdvice(),
    )
  const paths = named === null ? await installedBrowsers() : [named]
  const failures: string[] = []
  for (const executablePath of paths) {
    for (const way of isRoot() ? WAYS_OF_ROOT : WAYS) {
      signal?.throwIfAborted()
      const target = { kind: 'local', executablePath, ...way } as const
      const tried = await tryTarget(target)
      if ('running' in tried) return { ...tried, target, description: describeLocal(tried.running, target) }
      failures.push(`${executablePath}: ${tried.failure}`)
    }
  }
  const tried = failures.length > 0 ? ` Tried: ${failures.join(' | ')}` : ''
  return none(`No working Chromium was found: static pages only.${tried}`, browserAdvice())
}

/** The path of the browser that `detectBrowser` would choose; null when one must be installed. */
export async function findBrowser({
  chromiumPath,
}: Pick<DetectionOptions, 'chromiumPath'>): Promise<string | null> {
  const { running, target } = await detectBrowser({ mode: 'auto', chromiumPath })
  await running?.stop()
  return target?.kind === 'local' ? target.executablePath : null
}

/** Paths of the browsers that are installed, in the order in which they are tried. */
export async function installedBrowsers(): Promise<string[]> {
  const chromium = loadChromium()
  const candidates = [...(await playwrightBrowsers(chromium.executablePath())), ...CHROMIUM_PATHS]
  const present = await Promise.all(candidates.map((path) => isExecutable(path)))
  return candidates.filter((_path, index) => present[index] === true)
}

/**
 * Playwright's own headless shell and full browser, from the path that it names for the latter:
 * `<browsers>/chromium-<revision>/…` stands beside `<browsers>/chromium_headless_shell-<revision>/…`.
 */
async function playwrightBrowsers(fullBrowserPath: string): Promise<string[]> {
  const revision = /^(.*[\\/])chromium-(\d+)[\\/]/u.exec(fullBrowserPath)
  if (!revision) return [fullBrowserPath]
  const shellFolder = join(revision[1] ?? '', `chromium_headless_shell-${revision[2]}`)
  const platforms = await readdir(shellFolder).catch(() => [])
  const shells = platforms.flatMap((platform) =>
    ['chrome-headless-shell', 'headless_shell', 'chrome-headless-shell.exe'].map((name) =>
      join(shellFolder, platform, name),
    ),
  )
  return [...shells, fullBrowserPath]
}

async function detectRemote(
  { mode: endpoint, proxyHost = '127.0.0.1' }: DetectionOptions,
  signal?: AbortSignal,
): Promise<Detection> {
  signal?.throwIfAborted()
  const target: BrowserTarget = { kind: 'remote', endpoint, proxyHost }
  const tried = await tryTarget(target)
  const host = URL.canParse(endpoint) ? new URL(endpoint).host : endpoint
  if ('running' in tried) {
    const summary = `Remote browser ${tried.running.browser.version()} at ${host}.`
    return { ...tried, target, description: { found: true, summary, advice: null } }
  }
  const summary = `The remote browser at ${host} cannot be used (${tried.failure}): static pages only.`
  return none(summary, 'Check the address in BROWSER and that the browser runs there.')
}

async function tryTarget(target: BrowserTarget): Promise<{ running: RunningBrowser } | { failure: string }> {
  try {
    const running = await launchBrowser(target)
    const failure = await selfTest(running)
    if (failure === null) return { running }
    await running.stop()
    return { failure }
  } catch (error) {
    return { failure: firstLine(error) }
  }
}

/** Renders a sentence and reads it back: a browser without fonts starts well and shows no text at all. */
async function selfTest(running: RunningBrowser): Promise<string | null> {
  const context = await withDeadline({ what: 'self-test context', limitMs: SELF_TEST_TIMEOUT_MS }, () =>
    running.browser.newContext({ offline: true }),
  )
  try {
    const page = await withDeadline({ what: 'self-test page', limitMs: SELF_TEST_TIMEOUT_MS }, () =>
      context.newPage(),
    )
    await withDeadline({ what: 'self-test content', limitMs: SELF_TEST_TIMEOUT_MS }, () =>
      page.setContent(`<p>${SELF_TEST_TEXT}</p>`),
    )
    const text = await withDeadline({ what: 'self-test text', limitMs: SELF_TEST_TIMEOUT_MS }, () =>
      page.locator('body').innerText(),
    )
    return text.trim() === SELF_TEST_TEXT ? null : 'it shows no text; are there fonts (fonts-liberation)?'
  } catch (error) {
    return `the self-test failed: ${firstLine(error)}`
  } finally {
    await withDeadline({ what: 'closing the self-test', limitMs: SELF_TEST_TIMEOUT_MS }, () =>
      context.close(),
    ).catch(() => undefined)
  }
}

function describeLocal(
  running: RunningBrowser,
  { executablePath: path, sandbox, userId }: LocalWay & { executablePath: string },
): BrowserDescription {
  const version = running.browser.version()
  if (sandbox) return { found: true, summary: `Chromium ${version} at ${path}, sandboxed.`, advice: null }
  const isAsRoot = isRoot() && userId === null
  const reason = isAsRoot ? 'it runs as root' : 'the system refuses it (user namespaces)'
  return {
    found: true,
    summary: `Chromium ${version} at ${path}, WITHOUT its sandbox, because ${reason}.`,
    advice: isAsRoot
      ? 'Run the service as an ordinary user to keep the sandbox.'
      : 'Allow unprivileged user namespaces to keep the sandbox.',
  }
}

function none(summary: string, advice: string | null): Detection {
  return { running: null, target: null, description: { found: false, summary, advice } }
}

function isRoot(): boolean {
  return process.getuid?.() === 0
}

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => dirname(path) !== path,
    () => false,
  )
}

function firstLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  const lines = text.split('\n').map((line) => line.trim())
  // Playwright's first line only names the call; Chromium's own reason follows it.
  const telling = lines.find((line) => /sandbox|error while loading|ENOENT|EACCES|not found/iu.test(line))
  return (telling ?? lines[0] ?? '').slice(0, 200)
}
