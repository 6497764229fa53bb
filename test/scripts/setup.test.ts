// Set-up, as far as it can be shown without a network: what it tells, what it installs, and what it leaves out.
// `npm run bench -- setup` walks the whole of it on a fresh clone.
import { execFile, spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { keepOutside, leaveOut, leaveOutOfOurs, lockOf } from '../../scripts/setup/dependencies.mjs'
import { openProgress } from '../../scripts/setup/progress.mjs'

const ROOT = join(import.meta.dirname, '..', '..')
const folder = mkdtempSync(join(tmpdir(), 'verbatim-setup-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A folder with empty files at `paths`. */
function makeFiles(paths: readonly string[]): string {
  const made = mkdtempSync(join(folder, 'files-'))
  for (const path of paths) {
    mkdirSync(dirname(join(made, path)), { recursive: true })
    writeFileSync(join(made, path), '')
  }
  return made
}

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

interface Checkout {
  root: string
  env: NodeJS.ProcessEnv
}

/** A checkout of what set-up reads, whose npm and apt-get install nothing; npm's end waits for the file `told`. */
function makeEmptyCheckout(told: string): Checkout {
  return makeCheckout(
    `case "$*" in *--prefix*) exit 1 ;; esac\nfor i in $(seq 400); do [ -e ${told} ] && exit 1; sleep 0.1; done`,
  )
}

/** A checkout of what set-up reads, with another npm. */
function makeCheckout(npm: string): Checkout {
  const root = makeFiles([])
  const chromium = 'src/pages/browser/chromium-paths.json'
  for (const path of ['package.json', 'package-lock.json', 'scripts/setup.mjs', 'scripts/setup', chromium])
    cpSync(join(ROOT, path), join(root, path), { recursive: true })
  const programs = { npm, 'apt-get': 'exit 1' }
  mkdirSync(join(root, 'bin'))
  for (const [name, text] of Object.entries(programs))
    writeFileSync(join(root, 'bin', name), `#!/bin/sh\n${text}\n`, { mode: 0o755 })
  const { BROWSER: _browser, CHROMIUM_PATH: _path, npm_execpath: _npm, ...rest } = process.env
  const own = {
    XDG_CACHE_HOME: join(root, 'cache'),
    PATH: `${join(root, 'bin')}:${process.env['PATH'] ?? ''}`,
  }
  return { root, env: { ...rest, ...own } }
}

test('Chromium is looked for and fetched while the packages are installed, not after them', async () => {
  const told = join(folder, 'chromium-was-told')
  const { root, env } = makeEmptyCheckout(told)
  const child = spawn(process.execPath, [join(root, 'scripts', 'setup.mjs')], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const steps: unknown[] = []
  for await (const line of createInterface(child.stderr)) {
    const { step } = JSON.parse(line) as { step?: string }
    if (step === 'Chromium') writeFileSync(told, '')
    if (step !== undefined && !steps.includes(step)) steps.push(step)
  }
  expect(steps).toEqual(['Chromium', 'packages'])
}, 60_000)

const BINARY = 'node_modules/better-sqlite3/build/Release/better_sqlite3.node'
/** A package that loads where its file is, and what fetches that file. */
const PACKAGE = `mkdir -p node_modules/better-sqlite3 node_modules/prebuild-install
echo '{"version": "1.0.0"}' > node_modules/better-sqlite3/package.json
echo 'module.exports = class { exec() {} }' > node_modules/better-sqlite3/index.js
`

describe('SQLite', () => {
  test('is made while the packages are installed, then put among them and kept for the next clone; nothing of it is left aside', () => {
    const { root, env } = makeCheckout(`ahead=${folder}/ahead-is-made
case "$*" in *--prefix*) ${PACKAGE}
cat > node_modules/prebuild-install/bin.js <<END
const { mkdirSync, writeFileSync } = require('fs')
mkdirSync('build/Release', { recursive: true })
writeFileSync('build/Release/better_sqlite3.node', 'made ahead')
writeFileSync('$ahead', '')
END
exit ;; esac
for i in $(seq 400); do [ -e $ahead ] && break; sleep 0.1; done
[ -e $ahead ] || exit 1
${PACKAGE}`)
    const { status, stderr } = spawnSync(
      process.execPath,
      [join(root, 'scripts', 'setup.mjs'), '--packages'],
      { env, encoding: 'utf8' },
    )
    expect(stderr).toMatch(/"step":"SQLite","detail":"prebuilt"/u)
    expect(status).toBe(0)
    expect(readFileSync(join(root, BINARY), 'utf8')).toBe('made ahead')
    expect(readdirSync(join(root, 'cache', 'verbatim'))).toEqual([expect.stringMatching(/\.node$/u)])
    expect(existsSync(join(root, '.setup-sqlite'))).toBe(false)
  }, 60_000)

  test('is made in its place where it cannot be made ahead, also when nothing can be kept for the next clone', () => {
    const { root, env } = makeCheckout(`case "$*" in *--prefix*) exit 1 ;; esac
${PACKAGE}
echo "require('fs').cpSync('package.json', 'build/Release/better_sqlite3.node')" > node_modules/prebuild-install/bin.js`)
    writeFileSync(join(root, 'cache'), 'a file where the folder should be')
    const { status, stderr } = spawnSync(
      process.execPath,
      [join(root, 'scripts', 'setup.mjs'), '--packages'],
      { env, encoding: 'utf8' },
    )
    expect(stderr).toMatch(/"step":"SQLite","detail":"prebuilt"/u)
    expect(status).toBe(0)
    expect(existsSync(join(root, BINARY))).toBe(true)
  }, 60_000)

  test('that is being made when somebody ends set-up leaves neither a file nor a program behind', async () => {
    const compiler = join(folder, 'compiler')
    const { root, env } = makeCheckout(`case "$*" in
*--prefix*) sleep 600 & echo $! > ${compiler}.part; mv ${compiler}.part ${compiler} ;;
esac
wait; sleep 600`)
    const child = spawn(process.execPath, [join(root, 'scripts', 'setup.mjs'), '--packages'], {
      env,
      stdio: 'ignore',
    })
    const ended = new Promise((resolve) => child.once('exit', resolve))
    await vi.waitFor(() => expect(existsSync(compiler)).toBe(true), 20_000)
    child.kill('SIGTERM')
    expect(await ended).toBe(143)
    expect(existsSync(join(root, '.setup-sqlite'))).toBe(false)
    const pid = Number(readFileSync(compiler, 'utf8'))
    await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH'), 20_000)
  }, 60_000)
})

describe('what set-up installs', () => {
  test('comes from the cache of npm, and from the registry where the cache has heard of older versions alone', () => {
    const { root, env } = makeCheckout(`echo "$*" >> ${folder}/asked
case "$*" in *--prefer-offline*) echo 'npm error code ETARGET' >&2; exit 1 ;; *--prefix*) exit 1 ;; esac
${PACKAGE}
echo "require('fs').cpSync('package.json', 'build/Release/better_sqlite3.node')" > node_modules/prebuild-install/bin.js`)
    const { status } = spawnSync(process.execPath, [join(root, 'scripts', 'setup.mjs'), '--packages'], {
      env,
    })
    expect(status).toBe(0)
    const asked = readFileSync(join(folder, 'asked'), 'utf8').split('\n')
    const ours = asked.filter((words) => words.startsWith('ci') && !words.includes('--prefix'))
    expect(ours.map((words) => words.includes('--prefer-offline'))).toEqual([true, false])
  }, 60_000)

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
      'onnxruntime-web/lib/index.ts',
      'a/deep/index.js.map',
      'a/index.d.mts.map',
    ]
    const modules = makeFiles([...kept, ...left])
    leaveOut(modules, { platform: 'linux', arch: 'x64' })
    expect(kept.filter((path) => !existsSync(join(modules, path)))).toEqual([])
    expect(left.filter((path) => existsSync(join(modules, path)))).toEqual([])
  })

  test('leaves a folder of packages alone that is not its own, and makes its own smaller', () => {
    const web = 'onnxruntime-web/dist/ort.wasm'
    const others = makeFiles([web])
    leaveOutOfOurs(others)
    expect(existsSync(join(others, web))).toBe(true)
    const ours = makeFiles([web, 'onnxruntime-node/package.json'])
    leaveOutOfOurs(ours)
    expect(existsSync(join(ours, web))).toBe(false)
  })

  test('for the image is what stays outside of the bundle, whatever that needs at any depth, and nothing to build with', () => {
    const lock = {
      packages: {
        '': { dependencies: { native: '1', plain: '1', playwright: '1', 'pdfjs-dist': '1' } },
        'node_modules/native': { hasInstallScript: true, dependencies: { below: '1', '@scope/beside': '1' } },
        'node_modules/native/node_modules/below': {},
        'node_modules/below': {},
        'node_modules/@scope/beside': {},
        'node_modules/plain': { dependencies: { below: '1' } },
        'node_modules/playwright': {},
        'node_modules/pdfjs-dist': {},
      },
    }
    const kept = [
      'native/index.js',
      'native/build/x.node',
      'native/node_modules/below/index.js',
      '@scope/beside/index.js',
      'playwright/index.js',
      'pdfjs-dist/legacy/build/pdf.mjs',
    ]
    const left = [
      'plain/index.js',
      'below/index.js',
      '@scope/other/index.js',
      '.bin/native',
      'native/index.d.ts',
      'native/src/index.ts',
      'native/build/x.a',
      'pdfjs-dist/build/pdf.mjs',
    ]
    const modules = makeFiles([...kept, ...left])
    keepOutside(modules, lock)
    expect(kept.filter((path) => !existsSync(join(modules, path)))).toEqual([])
    expect(left.filter((path) => existsSync(join(modules, path)))).toEqual([])
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

test('a package that root installed tells another user in one sentence what root has to do once, and not to look for a compiler', () => {
  const nobody = 65_534
  const modules = join(makeFiles(['node_modules/better-sqlite3/package.json']), 'node_modules')
  const own = join(modules, 'verbatim')
  for (const path of ['package.json', 'scripts/verbatim.mjs', 'scripts/setup'])
    cpSync(join(ROOT, path), join(own, path), { recursive: true })
  chmodSync(join(modules, 'better-sqlite3'), 0o555)
  for (const path of [folder, dirname(modules)]) chmodSync(path, 0o755)
  const { status, stderr } = spawnSync(
    process.execPath,
    [join(own, 'scripts', 'verbatim.mjs'), '--version'],
    // The modes of a folder are nothing to root.
    { encoding: 'utf8', ...(process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {}) },
  )
  expect(stderr).toBe(
    `SQLite is put once into ${join(modules, 'better-sqlite3')}, where this user may not write. Run "sudo verbatim --version" once; whoever starts the service then needs no more rights.\n`,
  )
  expect(status).toBe(1)
})

test('what "npm run pack" leaves in the checkout is nothing that git or the image takes in', () => {
  const { name, version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    name: string
    version: string
  }
  const packed = `${name}-${version}.tgz`
  expect(spawnSync('git', ['check-ignore', '-q', packed], { cwd: ROOT }).status).toBe(0)
  expect(readFileSync(join(ROOT, '.dockerignore'), 'utf8').split('\n')).toContain(
    packed.replace(version, '*'),
  )
})
