// Three projects, told apart by each file's name and imports (test/support/projects.ts). Timeouts are wide because real
// Chromium, PostgreSQL and Redis start inside tests on two cores; no test asserts a duration, so a slow machine is only
// slow.
import { env } from 'node:process'
import { defineConfig } from 'vitest/config'
import { builtWorkers } from './test/support/built-workers.ts'
import { createCostReporter } from './test/support/cost-reporter.ts'
import { LongestFirst } from './test/support/longest-first.ts'
import { readProjects, type TestProject } from './test/support/projects.ts'

const files = readProjects()
/** `.ci/run` names a file here, and reads from it what passed, failed and was tried twice. */
const { TEST_REPORT: report } = env

/** Of those whose tests may ask for a database. */
const globalSetup = ['test/support/suite-postgres.ts']

const project = (
  name: TestProject,
  options: { isolate: boolean; globalSetup?: string[]; testTimeout?: number; hookTimeout?: number },
) => ({
  extends: true as const,
  test: {
    name,
    include: files[name],
    setupFiles: ['test/support/watch-secrets.ts'],
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // Once more where something outside of our code takes part, and then CI names it: a shared machine stands still now and
    // then, and browsers, databases and balancers notice. What a property found by chance is not tried again, since chance
    // would lose it.
    ...(name === 'pure' ? {} : { retry: { count: 1, condition: /^(?!Property failed)/u } }),
    ...options,
  },
})

export default defineConfig({
  plugins: [builtWorkers()],
  test: {
    globalSetup: ['test/support/suite-setup.ts'],
    reporters: [
      'default',
      createCostReporter(),
      ...(report === undefined ? [] : [['json', { outputFile: report }] satisfies [string, object]]),
    ],
    // The bundle is loaded as it is: vite would translate its megabytes anew for every process.
    server: { deps: { external: [/\/dist\/[^/]+\.js$/u] } },
    // One more than the cores, since tests of services wait, too; each loads the sources anew, so that a fourth costs more
    // than it brings.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    projects: [
      // One process runs file after file and loads what they share once.
      project('pure', { isolate: false }),
      project('service', { isolate: false, globalSetup }),
      project('heavy', { isolate: true, globalSetup }),
      // Programs of others that load hundreds of modules before their first word.
      project('clients', { isolate: true, testTimeout: 300_000, hookTimeout: 300_000 }),
    ],
  },
})
