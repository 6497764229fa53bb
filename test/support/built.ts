// The bundled service (dist/), for tests that run all of it: its threads load as they do in production, instead of
// being translated anew in each test file. suite-setup.ts builds it before the first test.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { openService } from '../../src/compose/service.ts'
import type { loadConfig } from '../../src/config.ts'
import type { createLogger } from '../../src/telemetry/log.ts'

const BUILT = join(import.meta.dirname, '..', '..', 'dist')
/** The bundled program, for tests that run it as a process of its own. */
export const MAIN = join(BUILT, 'main.js')

interface BuiltService {
  openService: typeof openService
  loadConfig: typeof loadConfig
  createLogger: typeof createLogger
}

/** What a service is made of, from the bundle. */
export async function loadBuiltService(): Promise<BuiltService> {
  const load = (name: string): Promise<object> => import(join(BUILT, name)) as Promise<object>
  const names = ['service.js', 'config.js', 'log.js']
  return Object.assign({}, ...(await Promise.all(names.map(load)))) as BuiltService
}

/** At the start of a line, as the bundler writes them; what is loaded late stands inside of a function. */
const IMPORTED = /^(?:import|\}).*?(?:from )?"\.\/([^"]+)";$/gmu
const MODULE = /^\s*\/\/ node_modules\/((?:@[^/\n]+\/)?[^/\n]+)/gmu

/** The packages of which something is loaded with the file `name` of the bundle, by reading it and what it imports at once. */
export function packagesLoadedWith(name: string): Set<string> {
  const files = new Set([name])
  const packages = new Set<string>()
  for (const file of files) {
    const text = readFileSync(join(BUILT, file), 'utf8')
    for (const [, imported = ''] of text.matchAll(IMPORTED)) files.add(imported)
    for (const [, found = ''] of text.matchAll(MODULE)) packages.add(found)
  }
  return packages
}
