// The bundle that `npm start` makes: what it holds, what it leaves to be loaded late, and what stays a package.
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { bundle } from '../../scripts/setup/bundle.mjs'
import { packagesOutside } from '../../scripts/setup/packages-outside.mjs'
import { MAIN, packagesLoadedWith } from '../support/built.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const DIST = dirname(MAIN)
const folder = mkdtempSync(join(tmpdir(), 'verbatim-bundle-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const lockFile = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as Parameters<
  typeof packagesOutside
>[0]

/** All modules of ours, as one text. */
const sources = (): string =>
  readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/u.test(path))
    .map((path) => readFileSync(join(ROOT, 'src', path), 'utf8'))
    .join('\n')

/** The text of the file in the bundle that was made for the module at `address`; empty where there is none of its name. */
function lateChunk(address: string): string {
  const path = fileURLToPath(address).replace(/\.[cm]?js$/u, '')
  // An index is named by its folder.
  const name = basename(path) === 'index' ? basename(dirname(path)) : basename(path)
  const file = readdirSync(DIST).find((one) => one.startsWith(`${name}-`) && one.endsWith('.js'))
  return file === undefined ? '' : readFileSync(join(DIST, file), 'utf8')
}

describe('the bundle', () => {
  test('holds, beside the file that starts it, the module of every thread and process that the sources start', () => {
    const starts = /startWorker(?:Process)?\(import\.meta\.url, '([\w-]+)'/gu
    const started = Array.from(sources().matchAll(starts), ([, name = '']) => name)
    expect(started.length).toBeGreaterThan(5)
    expect(started.filter((name) => !existsSync(join(DIST, `${name}.js`)))).toEqual([])
  })

  test('is loaded in a handful of files, without what few requests need', () => {
    const loaded = packagesLoadedWith('service.js')
    expect(loaded).toContain('koa')
    const late = ['@modelcontextprotocol/sdk', 'openid-client', 'ioredis', 'csv-parse', 'yauzl']
    expect(late.filter((name) => loaded.has(name))).toEqual([])
  })

  test('has the names of every package that is loaded late and by itself: none of them is CommonJS', () => {
    const outside = packagesOutside(lockFile)
    const late = Array.from(sources().matchAll(/\bimport\('([^.'][^']*)'\)/gu), ([, name = '']) => name)
    expect(late.length).toBeGreaterThan(2)
    const inside = late.filter((name) => !outside.some((one) => name === one || name.startsWith(`${one}/`)))
    const withoutNames = inside.filter(
      (name) => !/^export \{(?!\s*default\s*\})/mu.test(lateChunk(import.meta.resolve(name))),
    )
    expect(withoutNames).toEqual([])
  })

  test('names every package that it holds, with the words of its licence where the package brings them', () => {
    const notices = readFileSync(join(DIST, 'NOTICES.txt'), 'utf8')
    for (const name of packagesLoadedWith('service.js')) {
      const { version } = JSON.parse(
        readFileSync(join(ROOT, 'node_modules', name, 'package.json'), 'utf8'),
      ) as { version: string }
      expect(notices).toContain(`${name} ${version}, `)
    }
    expect(notices).toContain(readFileSync(join(ROOT, 'node_modules', 'koa', 'LICENSE'), 'utf8').trim())
  })

  test('fails with the file, the line and the reason where a module is not there', async () => {
    const path = join(folder, 'broken.ts')
    writeFileSync(path, "\nimport { nothing } from './nowhere.ts'\nnothing()\n")
    await expect(bundle({ entryPoints: [path], write: false, sourcemap: false })).rejects.toThrow(
      /the build failed:[^]*broken\.ts:2:\d+: ERROR: Could not resolve "\.\/nowhere\.ts"/u,
    )
  })
})

describe('what stays outside of the bundle', () => {
  const outside = (packages: Record<string, object>): string[] => {
    const names = Object.keys(packages).filter((path) => path.split('node_modules/').length === 2)
    const dependencies = Object.fromEntries(
      names.map((path) => [path.slice('node_modules/'.length), '1.0.0']),
    )
    return packagesOutside({ packages: { '': { dependencies }, ...packages } })
  }

  test.each([
    ['is compiled or fetched when it is installed', { hasInstallScript: true }],
    ['is there for one system alone', { os: ['linux'] }],
    ['is there for one processor alone', { cpu: ['x64'] }],
  ])('is a package that %s, and whoever needs it at any depth', (_, native) => {
    const found = outside({
      'node_modules/plain': {},
      'node_modules/user': { dependencies: { between: '1.0.0' } },
      'node_modules/between': { optionalDependencies: { native: '1.0.0', absent: '1.0.0' } },
      'node_modules/native': native,
    })
    expect(found).toEqual(expect.arrayContaining(['user', 'between', 'native']))
    expect(found).not.toContain('plain')
  })

  test('is told by the version that a package gets, and not by another one of the same name', () => {
    const found = outside({
      'node_modules/user': { dependencies: { twice: '2.0.0' } },
      'node_modules/user/node_modules/twice': { dependencies: { user: '1.0.0' } },
      'node_modules/twice': { hasInstallScript: true },
    })
    expect(found).toContain('twice')
    expect(found).not.toContain('user')
  })

  test('is what the tests alone install, and not what running needs in another place', () => {
    const found = outside({
      'node_modules/koa': {},
      'node_modules/koa/node_modules/twice': {},
      'node_modules/twice': { dev: true },
      'node_modules/colours': { dev: true },
    })
    expect(found).toContain('colours')
    expect(found).not.toContain('twice')
  })

  test('is every package that our sources ask for by its place, at their start or later', () => {
    const asked = Array.from(
      sources().matchAll(
        /\b(?:require|createRequire\(import\.meta\.url\))(?:\.resolve)?\('((?:@[^/']+\/)?[^#./'][^/']*)/gu,
      ),
      ([, name = '']) => name,
    )
    expect(asked.length).toBeGreaterThan(1)
    expect(asked.filter((name) => !packagesOutside(lockFile).includes(name))).toEqual([])
  })

  test('is SQLite, the runtime of models and the browser, and not what every request goes through', () => {
    const found = packagesOutside(lockFile)
    expect(found).toEqual(expect.arrayContaining(['better-sqlite3', 'onnxruntime-node', 'playwright']))
    for (const inside of ['koa', 'zod', 'kysely', 'pino', 'undici']) expect(found).not.toContain(inside)
  })
})
