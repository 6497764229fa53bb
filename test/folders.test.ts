import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { makeFolder } from '../src/folders.ts'

const folder = mkdtempSync(join(tmpdir(), 'verbatim-folders-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('a folder is made with all that are missing above it, for its owner alone where that is asked for', () => {
  const path = join(folder, 'a', 'b', 'c')
  makeFolder(path, 0o700)
  makeFolder(path, 0o700)
  expect(statSync(path).mode & 0o777).toBe(0o700)
  expect(statSync(join(folder, 'a')).mode & 0o777).toBe(0o700)
})

test('one behind a link is there already', () => {
  mkdirSync(join(folder, 'real'))
  symlinkSync(join(folder, 'real'), join(folder, 'link'))
  makeFolder(join(folder, 'link', 'below'))
  expect(existsSync(join(folder, 'real', 'below'))).toBe(true)
})

test('a file in its place, a file above it and a place where nobody can make one are errors at once', () => {
  writeFileSync(join(folder, 'file'), '')
  expect(() => makeFolder(join(folder, 'file', 'below'))).toThrow(/ENOTDIR/u)
  if (existsSync('/proc/self')) expect(() => makeFolder('/proc/verbatim/below')).toThrow(/ENOENT/u)
})
