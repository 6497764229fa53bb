import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { contentSha256, type ProvablePage } from '../../../src/search/proof/proof-store.ts'
import { keepAndSign, type ProofParts } from '../../../src/search/proof/prove-result.ts'

const PAGE: ProvablePage = {
  url: 'https://example.com/',
  title: null,
  text: 'A key can be revoked.',
  fetchedAt: '2026-01-01T00:00:00.000Z',
}
const DIGEST = contentSha256(PAGE.text)
const LIMIT_MS = 700

const endless = (): Promise<never> => new Promise(() => undefined)
const signed = { jws: { payload: '', protected: '', signature: '' }, snippets: [] }
const parts: Pick<ProofParts, 'proofStore' | 'signBundle'> = {
  proofStore: { keep: async () => DIGEST, find: async () => null },
  signBundle: async () => signed,
}

type Proof = Awaited<ReturnType<typeof keepAndSign>>

/** What is proven when `waitedMs` have passed; the deadline lies `limitMs` ahead. */
async function provenAfter(waitedMs: number, own: Partial<typeof parts>, limitMs = LIMIT_MS) {
  let proof: Proof | 'none yet' = 'none yet'
  const { signal } = new AbortController()
  const running = keepAndSign(
    PAGE,
    [{ start: 0, end: 5 }],
    { ...parts, ...own },
    Date.now() + limitMs,
    signal,
  )
  void running.then((made) => (proof = made))
  await vi.advanceTimersByTimeAsync(waitedMs)
  return proof
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('an answer does not wait past its deadline', () => {
  const hangs = { proofStore: { ...parts.proofStore, keep: endless } }

  test('for a text to be kept: its digest is told all the same', async () => {
    expect(await provenAfter(LIMIT_MS - 1, hangs)).toBe('none yet')
    expect(await provenAfter(LIMIT_MS, hangs)).toMatchObject({ contentSha256: DIGEST })
  })

  test('for a signature: the bundle is null', async () => {
    const proof = await provenAfter(LIMIT_MS, { signBundle: endless })
    expect(proof).toEqual({ contentSha256: DIGEST, bundle: null })
  })

  test('and one that is late already still has its text kept and signed', async () => {
    expect(await provenAfter(1, {}, -LIMIT_MS)).toEqual({ contentSha256: DIGEST, bundle: signed })
  })

  test('and is told when a text cannot be kept for another reason', async () => {
    const broken = { ...parts.proofStore, keep: () => Promise.reject(new Error('disk full')) }
    const { signal } = new AbortController()
    const proof = keepAndSign(PAGE, null, { ...parts, proofStore: broken }, Date.now() + LIMIT_MS, signal)
    await expect(proof).rejects.toThrow('disk full')
  })
})
