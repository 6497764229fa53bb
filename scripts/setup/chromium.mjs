// A Chromium that can show a page: one that is there, else Playwright's own download, else Debian's package, else none,
// said loudly. Needs neither packages nor build, so it is looked for and fetched while those are made.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { env, execPath, getuid } from 'node:process'
import { installAlone } from './dependencies.mjs'
import { readNote, ROOT, wasTriedLately, writeNote } from './files.mjs'
import { runCommand } from './run-command.mjs'

const NOTE = 'chromium'
const OUT_OF_REACH = 'chromium-out-of-reach'
const NONE = 'none'
const DOWNLOAD_TIMEOUT_MS = 10 * 60_000
const TEST_TIMEOUT_MS = 10_000
const PACKAGES = ['chromium-headless-shell', 'fonts-liberation']
const SHELL = /(?:^|[\\/])(?:chrome-headless-shell|headless_shell)(?:\.exe)?$/u
/** The title becomes what is to be seen, which is nothing where there are no fonts. */
const PAGE = 'data:text/html,<p>Seen.</p><script>document.title=document.body.innerText</script>'
const WITHOUT_SANDBOX = ['--no-sandbox']

const isRoot = () => getuid?.() === 0

export const isChromiumWanted = () => !/^(off|wss?:|https?:)/u.test(env.BROWSER ?? '') && !env.CHROMIUM_PATH

/** Whether there is nothing to look for: one was found, or none could be had a short while ago. */
export const isChromiumSettled = () => existsSync(readNote(NOTE) ?? '') || wasTriedLately(OUT_OF_REACH)

/**
 * @param {{ mayInstall: boolean, say: (text: string, options?: { isWarning: boolean }) => void }} options `mayInstall`: whether packages of
 *   the system may be installed
 * @returns {Promise<string>} its path, or that there is none
 */
export async function prepareChromium({ mayInstall, say }) {
  const path = (await find()) ?? (await download()) ?? (await installPackages(mayInstall, say))
  if (path !== null) return path
  say(
    'NO CHROMIUM could be had: pages built by script stay unread. To mend it: npx playwright install --with-deps ' +
      '--only-shell chromium, or set CHROMIUM_PATH, then start again.',
    { isWarning: true },
  )
  return NONE
}

/** What the next start need not look for again; `mayInstall` as it was for `prepareChromium`. */
export function noteChromium(path, { mayInstall }) {
  if (path !== NONE) writeNote(NOTE, path)
  else if (mayInstall || !canInstall()) writeNote(OUT_OF_REACH, new Date().toISOString())
}

/** The first of the places where systems put one, or of `paths`, that shows a page. */
async function find(paths = systemPaths()) {
  for (const path of paths) if (existsSync(path) && (await showsPage(path))) return path
  return null
}

const systemPaths = () =>
  JSON.parse(readFileSync(join(ROOT, 'src', 'pages', 'browser', 'chromium-paths.json'), 'utf8'))

/** The service asks again, and more: by Playwright, and which sandbox it may have. */
async function showsPage(path) {
  const profile = mkdtempSync(join(tmpdir(), 'verbatim-chromium-'))
  try {
    for (const way of isRoot() ? [WITHOUT_SANDBOX] : [[], WITHOUT_SANDBOX]) {
      const words = ['--headless', '--disable-gpu', ...way, `--user-data-dir=${profile}`, '--dump-dom', PAGE]
      const { output } = await runCommand(path, words, { timeoutMs: TEST_TIMEOUT_MS })
      if (output.includes('<title>Seen.</title>')) return true
    }
    return false
  } finally {
    rmSync(profile, { recursive: true, force: true, maxRetries: 3 })
  }
}

/** By a Playwright on its own, since that of the packages is still on its way; one that it fetched before is found so. */
async function download() {
  const folder = mkdtempSync(join(tmpdir(), 'verbatim-playwright-'))
  try {
    if (!(await installAlone('playwright', folder)).ok) return null
    const install = [join(folder, 'node_modules', 'playwright', 'cli.js'), 'install', '--only-shell']
    const told = await runCommand(execPath, [...install, '--dry-run', 'chromium'])
    const { ok } = await runCommand(execPath, [...install, 'chromium'], { timeoutMs: DOWNLOAD_TIMEOUT_MS })
    const place = /Install location:\s+(.*chromium\S*)/u.exec(told.output)?.[1]
    return ok && place !== undefined ? find(shellsBelow(place)) : null
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const shellsBelow = (place) =>
  readdirSync(place, { recursive: true, encoding: 'utf8' })
    .filter((path) => SHELL.test(path))
    .map((path) => join(place, path))

const canInstall = () => isRoot() && existsSync('/usr/bin/apt-get')

async function installPackages(mayInstall, say) {
  if (!canInstall()) return null
  if (!mayInstall) {
    say(
      `NOT INSTALLED: Chromium, which needs root (apt-get install ${PACKAGES.join(' ')}). Tests that need it are ` +
        'skipped. VERBATIM_INSTALL=1 installs what the tests need.',
      { isWarning: true },
    )
    return null
  }
  say(
    `installing Debian's packages ${PACKAGES.join(' and ')}, because no Chromium is here (BROWSER=off does without)`,
  )
  const options = { env: { DEBIAN_FRONTEND: 'noninteractive' } }
  await runCommand('apt-get', ['update'], options)
  const args = ['install', '-y', '--no-install-recommends', ...PACKAGES]
  const { ok, output } = await runCommand('apt-get', args, options)
  if (!ok) say(`apt-get failed: ${output.trim().split('\n').at(-1)}`, { isWarning: true })
  return ok ? find() : null
}
