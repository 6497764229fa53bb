// A group of tests that need a Chromium: where none is here they are skipped, said aloud, and counted as skipped.
import { describe } from 'vitest'
import { installedBrowsers } from '../../src/pages/browser/detection.ts'

export const [browserPath = null] = [process.env['CHROMIUM_PATH'] ?? (await installedBrowsers())[0]]
if (browserPath === null)
  process.stderr.write(
    '\nSKIPPED: no Chromium is here; tests that need it do not run. As root, VERBATIM_INSTALL=1 npm test installs it.\n',
  )

export const describeInBrowser = browserPath === null ? describe.skip : describe
