import { expect, test } from 'vitest'
import { TimeLimitError } from '../../../src/concurrency/deadline.ts'
import { PageError } from '../../../src/pages/capture.ts'
import { createVerifyAnswer, type VerifyAnswerParts } from '../../../src/search/proof/verify-answer.ts'
import { firstStageAnswer } from '../../support/first-stage-answer.ts'

const ADDRESS = 'https://a.example/'
const PAGE = { url: ADDRESS, title: 'A', text: 'Keys are revoked.', fetchedAt: '2026-11-23T00:00:00.000Z' }

const partsWithout = (passages: Error): VerifyAnswerParts => ({
  readPage: async () => {
    throw passages
  },
  readUrl: async () => ({ page: PAGE, warning: null }),
  proofStore: { keep: async () => '', find: async () => null },
  checkAnswer: async () => [
    {
      kind: 'statement',
      start: 0,
      end: 10,
      text: 'Keys end.',
      cited: [0],
      match: 'not_a_quote',
      source: null,
      isWrongSource: false,
      place: null,
    },
  ],
  linkPassages: async () => [],
  score: async () => {
    throw new Error('there is nothing to score')
  },
})

test.each([
  new TimeLimitError('reading a page', 5_000),
  new PageError(ADDRESS, { code: 'busy', message: 'No room.' }),
])(
  'claims are answered although the passage nearest to one could not be looked for in time (%s)',
  async (error) => {
    const verifyAnswer = createVerifyAnswer(partsWithout(error))
    const { claims } = await verifyAnswer(
      { answer: 'Keys end [1].', sources: [ADDRESS] },
      new AbortController().signal,
    )
    expect(claims).toMatchObject([{ match: 'not_a_quote', nearest: null }])
  },
)

test('a statement has no nearest passage where the time was over before any was scored, and not one with a score of 0', async () => {
  const passage = {
    start: 0,
    end: PAGE.text.length,
    text: PAGE.text,
    headings: [],
    contentWeight: 1,
    parts: [],
  }
  const about = { title: 'A', isCut: false, publishDate: null, lastUpdated: null, language: null }
  const read = {
    page: { ...about, text: PAGE.text },
    canonicalUrl: null,
    passages: [passage],
    truncated: false,
    sketch: new Uint32Array(0),
    captureDigest: { sha256: '', bytes: 0 },
  }
  const nearestAt = async (relevance: number) => {
    const verifyAnswer = createVerifyAnswer({
      ...partsWithout(new Error('the page is read')),
      readPage: async () => read,
      score: async () => firstStageAnswer([relevance]),
    })
    const asked = { answer: 'Keys end [1].', sources: [ADDRESS] }
    return (await verifyAnswer(asked, new AbortController().signal)).claims[0]?.nearest
  }
  expect(await nearestAt(0.7)).toMatchObject({ source: 0, text: PAGE.text, relevance_score: 0.7 })
  expect(await nearestAt(0)).toBeNull()
})
