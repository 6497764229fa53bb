// A Chromium that can read a page: one that is there, else Playwright's own download, else Debian's package, else none,
// said loudly. Its test is that of the service, so the build must be there.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { env, execPath, getuid } from 'node:process'
import { bundled, readNote, wasTriedLately, writeNote } from './files.mjs'
import { runCommand } from './run-command.mjs'

const NOTE = 'chromium'
const OUT_OF_REACH = 'chromium-out-of-reach'
const DOWNLOAD_TIMEOUT_MS = 10 * 60_000
const PACKAGES = ['chromium-headless-shell', 'fonts-liberation']

/** Whether there is nothing to look for: none is wanted, one was found, or none could be had a short while ago. */
export function isChromiumSettled() {
  if (/^(off|wss?:|https?:)/u.test(env.BROWSER ?? '') || env.CHROMIUM_PATH) return true
  return existsSync(readNote(NOTE) ?? '') || wasTriedLately(OUT_OF_REACH)
}

/**
 * @param {{ mayInstall: boolean, say: (text: string, options?: { isWarning: boolean }) => void }} options `mayInstall`: whether packages of
 *   the system may be installed
 * @returns {Promise<string>} its path, or that there is none
 */
export async function prepareChromium({ mayInstall, say }) {
  const path = (await find()) ?? (await download()) ?? (await installPackages(mayInstall, say))
  if (path !== null) {
    writeNote(NOTE, path)
    return path
  }
  if (mayInstall || !canInstall()) writeNote(OUT_OF_REACH, new Date().toISOString())
  say(
    'NO CHROMIUM could be had: pages built by script stay unread. To mend it: npx playwright install --with-deps ' +
      '--only-shell chromium, or set CHROMIUM_PATH, then start again.',
    { isWarning: true },
  )
  return 'none'
}

async function find() {
  const { findBrowser } = await import(bundled('detection.js'))
  return findBrowser({ chromiumPath: null })
}

async function download() {
  const playwright = join('node_modules', 'playwright', 'cli.js')
  const args = [playwright, 'install', '--only-shell', 'chromium']
  const { ok } = await runCommand(execPath, args, { timeoutMs: DOWNLOAD_TIMEOUT_MS })
  return ok ? find() : null
}

const canInstall = () => getuid?.() === 0 && existsSync('/usr/bin/apt-get')

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
