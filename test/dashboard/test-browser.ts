// A real Chromium for tests of what people see and do: nothing blocked, scripts on or off, light or dark.
import {
  chromium,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Page,
} from 'playwright'
import { installedBrowsers } from '../../src/pages/browser/detection.ts'

/** What one file of tests has of the browser; closing it ends its own contexts. */
export type PeoplesBrowser = Pick<Browser, 'newContext' | 'close'>

/** One for all files that a process runs, to whose end it lives: Playwright ends it then. */
let launched: Promise<Browser> | null = null

/** The first browser of this machine, or null when it has none (the tests then skip, loudly). */
export async function openPeoplesBrowser(): Promise<PeoplesBrowser | null> {
  const [executablePath] = await installedBrowsers()
  if (executablePath === undefined) {
    console.warn('No Chromium on this machine: the tests of the dashboard in a browser are skipped.')
    return null
  }
  const browser = await (launched ??= chromium.launch({ executablePath }))
  const contexts: BrowserContext[] = []
  return {
    async newContext(options) {
      const context = await browser.newContext(options)
      contexts.push(context)
      return context
    },
    async close() {
      await Promise.all(contexts.map((context) => context.close()))
    },
  }
}

/** A fresh page, and everything the browser complained of on it: errors, refused scripts and styles. */
export async function openPage(browser: PeoplesBrowser, options: BrowserContextOptions = {}) {
  const context = await browser.newContext(options)
  const page: Page = await context.newPage()
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    // A refused form is part of some tests; the browser logs its status as an error.
    const isStatus = message.text().startsWith('Failed to load resource')
    if (['error', 'warning'].includes(message.type()) && !isStatus) complaints.push(message.text())
  })
  return { context, page, complaints }
}
