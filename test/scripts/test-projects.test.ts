import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { readProjects } from '../support/projects.ts'

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

/** The projects of a tree of tests and sources with these texts. */
function projectsOf(files: Readonly<Record<string, string>>) {
  const folder = mkdtempSync(join(tmpdir(), 'verbatim-projects-'))
  folders.push(folder)
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return readProjects(join(folder, 'test'))
}

const A_TEST = 'test/a.test.ts'

test.each([
  ['itself', "import { spawn } from 'node:child_process'", {}],
  [
    'through a helper',
    "import { run } from './b.ts'",
    { 'test/b.ts': "export * from 'node:worker_threads'" },
  ],
  [
    'through the source',
    "import { run } from '../src/b.ts'",
    { 'src/b.ts': "import { chromium } from 'playwright'" },
  ],
  ['late', "const load = () => import('playwright')", {}],
  ['over several lines', "import {\n  spawn,\n  exec,\n} from 'node:child_process'", {}],
  ['by the compiled service', "import { MAIN } from './built.ts'", {}],
])('a test that can start something, %s, is one of the service project', (_how, text, others) => {
  expect(projectsOf({ [A_TEST]: text, ...others })).toMatchObject({ pure: [], service: [A_TEST], heavy: [] })
})

test.each([
  ['nothing', 'export const a = 1'],
  ['what starts nothing', "import { join } from 'node:path'"],
  ['the type of what starts something', "import type { Browser } from 'playwright'"],
])('a test that imports %s is pure', (_what, text) => {
  expect(projectsOf({ [A_TEST]: text })).toMatchObject({ pure: [A_TEST], service: [], heavy: [] })
})

test('a test whose name says heavy is heavy, whatever it imports', () => {
  const files = { 'test/a.heavy.test.ts': '', 'test/b.heavy.test.tsx': "import 'playwright'" }
  expect(projectsOf(files)).toMatchObject({ pure: [], service: [], heavy: Object.keys(files) })
})

test('a test of other people’s clients is one of the clients project, and none of those they bring is ours', () => {
  const ours = 'test/clients/a.test.ts'
  const files = { [ours]: "import 'node:child_process'", 'test/clients/npm/node_modules/b/b.test.ts': '' }
  expect(projectsOf(files)).toEqual({ pure: [], service: [], heavy: [], clients: [ours] })
})

test('helpers that import each other end the search', () => {
  const files = {
    [A_TEST]: "import './b.ts'",
    'test/b.ts': "import './c.ts'",
    'test/c.ts': "import './b.ts'",
  }
  expect(projectsOf(files).pure).toEqual([A_TEST])
})

test('every test of the suite is in one project', () => {
  const { pure, service, heavy } = readProjects()
  for (const files of [pure, service, heavy]) expect(files.length).toBeGreaterThan(5)
  expect(new Set([...pure, ...service, ...heavy]).size).toBe(pure.length + service.length + heavy.length)
})
