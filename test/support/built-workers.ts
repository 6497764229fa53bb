// Threads and processes that a test starts from the sources run what suite-setup.ts has bundled, as they do in
// production: translated anew each of them takes up to some seconds of a core before its first word.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Plugin } from 'vitest/config'

const ROOT = join(import.meta.dirname, '..', '..')
const SOURCES = join(ROOT, 'src', '/')
/** The bundled workers lie side by side, so any file of the bundle leads to all of them. */
const BUNDLE = pathToFileURL(join(ROOT, 'dist', 'main.js')).href
const STARTED_BESIDE = /\b(startWorker(?:Process)?)\(import\.meta\.url,/gu

/** Makes modules of src/ look for their workers in the bundle. */
export const builtWorkers = (): Plugin => ({
  name: 'built-workers',
  enforce: 'pre',
  transform(code, id) {
    if (!id.startsWith(SOURCES)) return null
    const led = code.replaceAll(STARTED_BESIDE, `$1(${JSON.stringify(BUNDLE)},`)
    return led === code ? null : { code: led, map: null }
  },
})
