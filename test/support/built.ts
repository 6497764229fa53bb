// The compiled service (dist/), for tests that run all of it: its threads load as they do in production, instead of
// being translated anew in each test file. suite-setup.ts builds it before the first test.
import { join } from 'node:path'
import type { openService } from '../../src/compose/service.ts'
import type { loadConfig } from '../../src/config.ts'
import type { createLogger } from '../../src/telemetry/log.ts'

const BUILT = join(import.meta.dirname, '..', '..', 'dist')
/** The compiled program, for tests that run it as a process of its own. */
export const MAIN = join(BUILT, 'main.js')

interface BuiltService {
  openService: typeof openService
  loadConfig: typeof loadConfig
  createLogger: typeof createLogger
}

/** What a service is made of, compiled. */
export async function loadBuiltService(): Promise<BuiltService> {
  const load = (name: string): Promise<object> => import(join(BUILT, name)) as Promise<object>
  const names = ['compose/service.js', 'config.js', 'telemetry/log.js']
  return Object.assign({}, ...(await Promise.all(names.map(load)))) as BuiltService
}
