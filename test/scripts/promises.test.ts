import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { findCollectedPromises } from '../../scripts/lint/promises.ts'

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

/** What the linter says of a file with this text. */
function lint(text: string, name = 'search/a.ts'): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'verbatim-promises-'))
  folders.push(folder)
  mkdirSync(dirname(join(folder, name)), { recursive: true })
  writeFileSync(join(folder, name), text)
  return findCollectedPromises(folder)
}

test('nothing in src/ collects promises that nobody owns', () => {
  expect(findCollectedPromises(join(import.meta.dirname, '..', '..', 'src'))).toEqual([])
})

describe('a promise without an owner is named with file and line', () => {
  test.each([
    ['in an array of promises', 'const all: Promise<void>[] = []', 'declares a collection of promises'],
    ['in a read-only array', 'const all: readonly Promise<1>[] = x', 'declares a collection of promises'],
    ['in an Array of promises', 'const all: Array<Promise<void>> = []', 'declares a collection of promises'],
    ['in a set of promises', 'const all: Set<Promise<void>> = x', 'declares a collection of promises'],
    ['kept from a map', 'const all = list.map(async (one) => one)', 'keeps what an async callback returned'],
    [
      'kept from Array.from',
      'const all = Array.from(list, async () => 1)',
      'keeps what an async callback returned',
    ],
    ['pushed from an async arrow', 'const go = async () => 1; all.push(go())', 'pushes a promise'],
    ['pushed from an async function', 'async function go() {} all.push(go())', 'pushes a promise'],
    ['pushed as a chain', 'all.push(go().then(use))', 'pushes a promise'],
    ['pushed as it is made', 'all.push(new Promise(() => {}))', 'pushes a promise'],
  ])('%s', (_how, text, what) => {
    expect(lint(`\n${text}\n`)).toEqual([
      `search/a.ts:2 ${what}: start it in runTaskGroup, or hand it to Promise.all where it is made`,
    ])
  })
})

test.each([
  ['handed to Promise.all', 'const all = await Promise.all(list.map(async (one) => one))'],
  ['a plain array', 'const all: string[] = []; all.push(name())'],
  ['a promise inside an object', 'const flight: { result: Promise<void> } = x'],
])('%s is no collection', (_what, text) => {
  expect(lint(text)).toEqual([])
})

test('what owns promises may keep them', () => {
  expect(
    lint('const running = new Set<Promise<void>>(); running.add(go().then(x))', 'concurrency/g.ts'),
  ).toEqual([])
})
