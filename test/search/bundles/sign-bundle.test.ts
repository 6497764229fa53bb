import { expect, test } from 'vitest'
import { createBundleSigning } from '../../../src/search/bundles/sign-bundle.ts'
import { createLogger } from '../../../src/telemetry/log.ts'

const ORIGIN = {
  askedUrl: 'http://a.test/',
  capture: { bytes: 5, sha256: '0' },
  mediaType: 'text/html',
  reader: '1',
} as const
const PAGE = {
  url: 'http://a.test/',
  title: null,
  text: 'Words',
  fetchedAt: '2026-01-05T08:00:00Z',
  origin: ORIGIN,
}

test('that pages cannot be signed is told once, however many, and so is that they can be again', async () => {
  const lines: string[] = []
  const log = createLogger('info', { write: (line) => lines.push((JSON.parse(line) as { msg: string }).msg) })
  let areKeysThere = false
  const sign = async () => {
    if (!areKeysThere) throw new Error('the keys are damaged')
    return { protected: '', payload: '', signature: '' }
  }
  const signBundle = createBundleSigning({ sign, issuer: 'http://here.test', log })
  for (let page = 0; page < 5; page += 1) expect(await signBundle(PAGE, '0', [])).toBeNull()
  areKeysThere = true
  expect(await signBundle(PAGE, '0', [])).not.toBeNull()
  expect(lines).toEqual([
    'pages cannot be signed; answers have no bundles until they can',
    'pages are signed again',
  ])
})
