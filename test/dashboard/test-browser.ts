// A real Chromium for tests of what people see and do: nothing blocked, scripts on or off, light or dark.
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright'
import { installedBrowsers } from '../../src/pages/browser/detection.ts'

/** Starts the first browser of this machine, or null when it has none (the tests then skip, loudly). */
export async function openPeoplesBrowser(): Promise<Browser | null> {
  const [executablePath] = await installedBrowsers()
  if (executablePath === undefined) {
    console.warn('No Chromium on this machine: the tests of the dashboard in a browser are skipped.')
    return null
  }
  return chromium.launch({ executablePath })
}

/** A fresh page, and everything the browser complained of on it: errors, refused scripts and styles. */
export async function openPage(browser: Browser, options: BrowserContextOptions = {}) {
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
