// The program as people run it: a process of its own, with files and nothing else.
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeBundles } from '../../scripts/eval/bundle-tampering.ts'
import { createRandom } from '../../scripts/eval/quote-mutations.ts'
import type { Bundle } from '../../src/contract/bundle.ts'

const PROGRAM = join(import.meta.dirname, '..', '..', 'packages', 'verify', 'verify.mjs')
const TEXT = 'A key can be revoked at any time in the dashboard. A revoked key is refused.'
const folder = mkdtempSync(join(tmpdir(), 'verbatim-verify-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const write = (name: string, value: unknown): string => {
  const path = join(folder, name)
  writeFileSync(path, typeof value === 'string' ? value : JSON.stringify(value))
  return path
}

/** Without any variable of the environment, in an empty folder. */
const run = (...words: string[]) =>
  new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    const child = execFile(
      process.execPath,
      [PROGRAM, ...words],
      { cwd: folder, env: {} },
      (_error, stdout, stderr) => resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    )
  })

let bundle: Bundle
let keys: string
beforeAll(async () => {
  const made = await makeBundles([TEXT], 1, createRandom(3))
  bundle = made.bundles[0] ?? { jws: { payload: '', protected: '', signature: '' }, snippets: [] }
  keys = write('keys.json', made.keys)
})

test('a whole bundle is accepted with 0, and the program says what it proves and what it trusts', async () => {
  const { code, stdout, stderr } = await run(write('bundle.json', bundle), '--keys', keys)
  expect([code, stderr]).toEqual([0, ''])
  for (const said of [...bundle.snippets, 'The signature holds', 'cut out of it anew', 'This trusts'])
    expect(stdout).toContain(said)
  const json = await run(write('bundle.json', bundle), '--keys', keys, '--json')
  expect(JSON.parse(json.stdout)).toMatchObject([{ isTextChecked: true, snippets: bundle.snippets }])
})

test('what a page wrote cannot steer the terminal', async () => {
  const text = `${TEXT} \u001b]0;owned\u0007\u001b[2J ${TEXT}`
  const made = await makeBundles([text], 1, () => 0.4)
  const [hostile, list] = [write('hostile.json', made.bundles[0]), write('other-keys.json', made.keys)]
  const { code, stdout } = await run(hostile, '--keys', list)
  expect([code, made.bundles[0]?.snippets.join('').includes('\u001b')]).toEqual([0, true])
  expect(stdout).toContain('owned')
  for (const sign of ['\u0007', '\u001b']) expect(stdout).not.toContain(sign)
})

test('the bundles of an answer are all checked, and 3 tells that only the texts are missing', async () => {
  const { text, ...short } = bundle
  const answer = write('answer.json', { query: 'q', results: [{ bundle: short }, { bundle: null }] })
  expect(await run(answer, '--keys', keys)).toMatchObject({ code: 3, stderr: '' })
  expect((await run(answer, '--keys', keys, '--without-text')).code).toBe(0)
  expect((await run(answer, '--keys', keys, '--text', write('text.txt', text ?? ''))).code).toBe(0)
})

test('a snippet that an answer shows beside whole bundles is refused unless a bundle proves it', async () => {
  const { text: _text, ...short } = bundle
  const snippets = bundle.snippets.map((text) => ({ text, relevance_score: 0.9 }))
  const check = (...results: object[]) =>
    run(write('answer.json', { query: 'q', results }), '--keys', keys, '--without-text')
  expect(await check({ bundle: short, snippets })).toMatchObject({ code: 0, stderr: '' })
  const altered = [{ text: `${bundle.snippets[0]} Or not.` }]
  expect(await check({ bundle: short, snippets: altered })).toMatchObject({
    code: 1,
    stdout: '',
    stderr: "Refused: Snippet 1 of the result is none of its bundle's.\n",
  })
  expect(await check({ bundle: short, snippets }, { bundle: null, snippets: altered })).toMatchObject({
    code: 1,
    stdout: '',
    stderr: 'Refused: Result 2 has snippets and no bundle: nothing proves them.\n',
  })
})

test('what does not hold is refused with 1 and a sentence, and wrong usage with 2', async () => {
  const changed = write('changed.json', { ...bundle, text: `${TEXT} Or not.` })
  const refused = await run(changed, '--keys', keys)
  expect(refused).toEqual({
    code: 1,
    stdout: '',
    stderr: 'Refused: The text is not the one that was signed.\n',
  })
  expect(await run(join(folder, 'nowhere.json'), '--keys', keys)).toMatchObject({ code: 1, stdout: '' })
  expect(await run(write('none.json', '{'), '--keys', keys)).toMatchObject({ code: 1, stdout: '' })
  expect(await run(write('empty.json', { results: [] }), '--keys', keys)).toMatchObject({ code: 1 })
  expect(await run(changed)).toMatchObject({ code: 2, stdout: '' })
  expect(await run(changed, '--keys', keys, '--nonsense')).toMatchObject({ code: 2, stdout: '' })
})
