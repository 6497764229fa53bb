// Set-up, as far as it can be shown without a network: what it tells, what it installs, and what it leaves out.
// `npm run bench -- setup` walks the whole of it on a fresh clone.
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, describe, expect, test } from 'vitest'
import { leaveOut, lockOf } from '../../scripts/setup/dependencies.mjs'
import { openProgress } from '../../scripts/setup/progress.mjs'

const ROOT = join(import.meta.dirname, '..', '..')
const folder = mkdtempSync(join(tmpdir(), 'verbatim-setup-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function openTold(isTTY: boolean) {
  const told: string[] = []
  const progress = openProgress({ stream: { isTTY, write: (text: string) => told.push(text) } })
  return { progress, text: () => told.join('') }
}

describe('what set-up tells', () => {
  test('is one line a step with its seconds on a terminal', async () => {
    const { progress, text } = openTold(true)
    await Promise.all([
      progress.step('packages', async () => null),
      progress.step('SQLite', async () => 'compiled'),
    ])
    const lines = text().split('\n').slice(0, -1)
    expect(lines).toHaveLength(2)
    expect(lines[0]).toMatch(/✓ packages +\d+\.\d s$/u)
    expect(lines[1]).toMatch(/✓ SQLite \(compiled\) +\d+\.\d s$/u)
  })

  test('is one JSON line a step elsewhere, like those of the log, and an error for a step that fails', async () => {
    const { progress, text } = openTold(false)
    await progress.step('packages', async () => null)
    await expect(
      progress.step('build', async () => Promise.reject(new Error('no compiler'))),
    ).rejects.toThrow('no compiler')
    const lines = text()
      .trim()
      .split('\n')
      .map((line): unknown => JSON.parse(line))
    expect(lines).toEqual([
      expect.objectContaining({ level: 30, step: 'packages', seconds: expect.any(Number) }),
      expect.objectContaining({ level: 50, step: 'build' }),
    ])
  })

  test('is nothing when there is nothing to do', async () => {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [
      join(ROOT, 'scripts', 'setup.mjs'),
      '--build',
    ])
    expect(stdout + stderr).toBe('')
  })
})

describe('what set-up installs', () => {
  test('for the build is the bundler as the lock file has it, digests included, and nothing else', () => {
    const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { version: string; integrity?: string; dev?: boolean }>
    }
    const { manifest, lock: part } = lockOf('esbuild', lock)
    const entries: Record<string, unknown> = part.packages
    expect(manifest.dependencies['esbuild']).toBe(lock.packages['node_modules/esbuild']?.version)
    const names = Object.keys(entries).filter((path) => path !== '')
    expect(names.every((path) => /^node_modules\/(?:esbuild$|@esbuild\/)/u.test(path))).toBe(true)
    expect(names.length).toBeGreaterThan(0)
    for (const path of names) {
      expect(entries[path]).toMatchObject({ integrity: lock.packages[path]?.integrity })
      expect(entries[path]).not.toHaveProperty('dev')
    }
  })

  test("leaves out other systems' libraries, the browser's edition of the runtime and source maps", () => {
    const runtime = 'onnxruntime-node/bin/napi-v6'
    const kept = [
      `${runtime}/linux/x64/libonnxruntime.so.1`,
      'a/index.js',
      'a/road.map',
      'onnxruntime-web/package.json',
    ]
    const left = [
      `${runtime}/linux/arm64/libonnxruntime.so.1`,
      `${runtime}/darwin/arm64/x.dylib`,
      'onnxruntime-web/dist/ort.wasm',
      'a/deep/index.js.map',
      'a/index.d.mts.map',
    ]
    for (const path of [...kept, ...left]) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), '')
    }
    leaveOut(folder, { platform: 'linux', arch: 'x64' })
    expect(kept.filter((path) => !existsSync(join(folder, path)))).toEqual([])
    expect(left.filter((path) => existsSync(join(folder, path)))).toEqual([])
  })

  test('runs no script of a package: the rules of npm say so, and no script of ours relies on them', () => {
    expect(readFileSync(join(ROOT, '.npmrc'), 'utf8')).toMatch(/^ignore-scripts=true$/mu)
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>
    }
    const names = Object.keys(scripts)
    expect(
      names.filter(
        (name) => /^(?:pre|post)/u.test(name) && names.includes(name.replace(/^(?:pre|post)/u, '')),
      ),
    ).toEqual([])
  })
})
