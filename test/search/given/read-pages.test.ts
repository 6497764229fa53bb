import { expect, test } from 'vitest'
import { createReadPages } from '../../../src/search/given/read-pages.ts'
import { createMemoryProofStore } from '../../../src/search/proof/proof-store.ts'
import { createLogger } from '../../../src/telemetry/log.ts'
import { firstStageAnswer } from '../../support/first-stage-answer.ts'

const TEXT = 'A key can be revoked at any time in the dashboard.'
const WARNING = 'The time was used up before the passages were scored.'
const WHOLE = { maxCharacters: null, maxTokens: null }

test('a page that was read, but whose passages could not be scored in time, says so', async () => {
  const readPages = createReadPages({
    loadPage: async (url) => ({
      id: url,
      requestedUrl: url,
      url,
      mediaType: 'text/html',
      content: '',
      lastModified: null,
      contentLanguage: null,
      fetchedAt: new Date().toISOString(),
      readBy: 'static',
      warning: null,
    }),
    readPage: async () => ({
      page: { title: 'Keys', text: TEXT, isCut: false, publishDate: null, lastUpdated: null, language: null },
      canonicalUrl: null,
      passages: [{ start: 0, end: TEXT.length, text: TEXT, headings: [], contentWeight: 1, parts: [] }],
      truncated: false,
      sketch: new Uint32Array(0),
      captureDigest: { sha256: '', bytes: 0 },
    }),
    score: async (_query, passages) => ({
      ...firstStageAnswer(passages.map(() => 0)),
      warning: WARNING,
    }),
    proofStore: createMemoryProofStore({ maxBytes: 1, maxAgeMs: 1 }),
    signBundle: async () => null,
    version: '0',
    log: createLogger('silent'),
  })
  const asked = { urls: ['https://example.com/'], format: 'text', budget: WHOLE, maxAgeMs: null } as const
  const unproven = { isProofWanted: false, isBundleWanted: false }
  const options = { arrivedAtMs: Date.now(), fresh: false }
  const read = (query: string | null) =>
    readPages({ ...asked, ...unproven, query }, options, new AbortController().signal)
  expect(await read('revoke a key')).toMatchObject([
    { snippets: [], content: TEXT, warning: WARNING, warningCode: 'scores_incomplete' },
  ])
  expect(await read(null)).toMatchObject([{ content: TEXT, warning: null, warningCode: null }])
})
