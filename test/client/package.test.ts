import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '..', '..')
const PACKAGE = join(ROOT, 'packages', 'client')
const TSC = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc')

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'verbatim-client-'))
  const { status, stdout } = run(TSC, '-p', join(PACKAGE, 'tsconfig.json'), '--outDir', join(folder, 'dist'))
  if (status !== 0) throw new Error(stdout)
  writeFileSync(join(folder, 'package.json'), readFileSync(join(PACKAGE, 'package.json')))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const run = (...args: string[]) =>
  spawnSync(process.execPath, args, { encoding: 'utf8', cwd: folder, timeout: 60_000 })

describe('the built package', () => {
  test('is plain JavaScript that Node loads by its name', () => {
    writeFileSync(
      join(folder, 'use.js'),
      `import * as all from '@verbatim/client'
       const { VerbatimError, createVerbatimClient, ...shapes } = all
       const client = createVerbatimClient({ baseUrl: 'http://127.0.0.1:1', apiKey: 'x' })
       console.log(Object.keys(client).join(), typeof VerbatimError, Object.keys(shapes).join())`,
    )
    const calls = 'search,stream,read,rerank,verify,verifyAnswer'
    const stdout = `${calls} function toSearchResultBlocks,toSourceParts,toSources\n`
    expect(run('use.js')).toMatchObject({ status: 0, stdout })
  })

  test('depends on nothing', () => {
    const manifest = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8')) as Record<
      string,
      unknown
    >
    expect(Object.keys(manifest)).not.toContain('dependencies')
    for (const file of readdirSync(join(folder, 'dist')).filter((name) => name.endsWith('.js'))) {
      const imported = readFileSync(join(folder, 'dist', file), 'utf8').matchAll(/from '([^']+)'/gu)
      for (const [, name] of imported) expect(name).toMatch(/^\.\//u)
    }
  })

  test('carries types that refuse a wrong request', () => {
    const program = (request: string): string => `import { createVerbatimClient } from '@verbatim/client'
      export const answer = createVerbatimClient({ baseUrl: '', apiKey: '' }).search(${request})`
    writeFileSync(join(folder, 'right.ts'), program(`{ query: 'q', search_depth: 'precise' }`))
    writeFileSync(join(folder, 'wrong.ts'), program(`{ query: 'q', search_depth: 'deep' }`))
    const check = (file: string) =>
      run(TSC, '--noEmit', '--module', 'nodenext', '--types', '', '--lib', 'es2023,dom,dom.iterable', file)
    expect(check('right.ts')).toMatchObject({ status: 0, stdout: '' })
    expect(check('wrong.ts').stdout).toContain('"deep"')
  })
})

test('the generated types are those of the contract', () => {
  const generator = ['--import', 'tsx', join(ROOT, 'scripts', 'openapi.ts'), '--check']
  const { status, stderr } = spawnSync(process.execPath, generator, { encoding: 'utf8', cwd: ROOT })
  expect(stderr).toBe('')
  expect(status).toBe(0)
})
