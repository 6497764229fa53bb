import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { findBreaches, readImports } from '../../scripts/lint/imports.ts'

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

/** A tree of sources with these texts, and what the linter says of it. */
function lint(files: Readonly<Record<string, string>>): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'verbatim-rooms-'))
  folders.push(folder)
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return findBreaches(readImports(folder))
}

test('every import of src/ keeps to the rule of the rooms, and none runs in a circle', () => {
  expect(findBreaches(readImports(join(import.meta.dirname, '..', '..', 'src')))).toEqual([])
})

test.each([
  ['a room', "import { a } from '../score/a.ts'", 'pages does not see score'],
  ['a type alone', "import type { a } from '../score/a.ts'", 'pages does not see score'],
  ['a module loaded late', "const load = () => import('../score/a.ts')", 'pages does not see score'],
  ['a re-export', "export { a } from '../score/a.ts'", 'pages does not see score'],
])('%s that a room must not see is named with both files', (_what, source, why) => {
  const files = { 'pages/x.ts': source, 'score/a.ts': 'export const a = 1' }
  expect(lint(files)).toEqual([`pages/x.ts imports score/a.ts: ${why}`])
})

test('rooms inside a room see each other one way', () => {
  const files = {
    'pages/egress/a.ts': "import { b } from '../robots/b.ts'\nexport const a = b",
    'pages/robots/b.ts': 'export const b = 1',
  }
  expect(lint(files)).toEqual([
    'pages/egress/a.ts imports pages/robots/b.ts: pages/egress does not see pages/robots',
  ])
})

test('a circle between files is found even where only types go round', () => {
  const files = {
    'score/a.ts': "import type { B } from './b.ts'\nexport type A = B",
    'score/b.ts': "import type { A } from './a.ts'\nexport type B = A",
  }
  expect(lint(files)).toEqual(['a circle of imports: score/a.ts → score/b.ts → score/a.ts'])
})

test('extract/ reads no file and opens no socket', () => {
  expect(
    lint({ 'extract/a.ts': "import { readFile } from 'node:fs/promises'\nexport { readFile }" }),
  ).toEqual(['extract/a.ts imports node:fs/promises: extract/ is pure: bytes in, text out'])
})

test('a crowded folder and a drawer are named', () => {
  const crowd = Object.fromEntries(Array.from({ length: 15 }, (_, index) => [`score/f${index}.ts`, '']))
  expect(lint({ ...crowd, 'search/helpers.ts': '' })).toEqual([
    'src/score holds 15 files; 14 are a room',
    'src/search/helpers.ts is a drawer: name it by what it holds',
  ])
})
