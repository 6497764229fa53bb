// The re-ranker that ships: it reads the question together with a passage, and tells what answers from what only sounds like it.
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { modelOf, readCatalog } from '../../../src/score/models/catalog.ts'
import { loadTransformer, type RelatedText, type Transformer } from '../../../src/score/models/transformer.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..')
const ID = 'verbatim-reranker'

/** The first passage answers, the second has the words and does not, the third is about something else. */
const QUESTIONS = [
  {
    query: 'How long is a revoked key still accepted?',
    passages: [
      'Keys\nA key that is revoked is refused at once, by every replica, within a second at the latest.',
      'Keys\nWhoever signs in as an administrator can revoke keys, and see which key was used last.',
      'Opening hours\nThe library is open from nine to five on weekdays.',
    ],
  },
  {
    query: 'who wrote the opera that premiered in Prague in 1787',
    passages: [
      'Don Giovanni\nMozart composed the work for Prague, where it was first performed on 29 October 1787.',
      'Prague\nThe opera house in Prague was opened in 1783 and has been rebuilt twice since.',
      'Sourdough\nFeed the starter twice a day and keep it warm.',
    ],
  },
  {
    query: 'How much memory does the service need?',
    passages: [
      'Requirements\nTwo cores and 2 GB of RAM are enough; 4 GB with a browser.',
      'Usage\nRun it again whenever the memory of last year begins to fade.',
      'Contact\nWrite to us at any time.',
    ],
  },
]

/** Of QUESTIONS, one after the other. */
const LOGITS = [1.3167, -1.124, -2.9401, 2.6381, -1.6156, -2.8651, -0.4223, -3.4219, -3.6891]

const TOLD = [
  {
    query: 'How long is a revoked key still accepted?',
    sentences: [
      'Keys are made in the dashboard.',
      'A key that is revoked is refused by every replica within a second.',
      'The list of keys shows when each was used last.',
    ],
    answers: 1,
  },
  {
    query: 'When was the bridge opened to traffic?',
    sentences: [
      'The bridge is painted once in ten years.',
      'Its towers are two hundred metres high.',
      'Cars have crossed it since May 1931.',
    ],
    answers: 2,
  },
]

const plain = (text: string): RelatedText => ({ context: '', text })

let reranker: Transformer
beforeAll(async () => {
  const spec = modelOf(await readCatalog(join(ROOT, 'models', 'catalog.json')), ID)
  reranker = await loadTransformer({ id: ID, directory: join(ROOT, 'models', ID), device: 'cpu', spec })
})

describe('the re-ranker that ships', () => {
  test.each(QUESTIONS)('puts what answers before what merely sounds like it: $query', async (asked) => {
    const [answer = 0, near = 0, other = 0] = await reranker.rank(asked.query, asked.passages.map(plain))
    expect(answer).toBeGreaterThan(near)
    expect(near).toBeGreaterThan(other)
  })

  test('gives the logits that the learned relevance was fitted on', async () => {
    const logits: number[] = []
    for (const { query, passages } of QUESTIONS)
      logits.push(...(await reranker.rank(query, passages.map(plain))))
    for (const [at, logit] of LOGITS.entries()) expect(logits[at]).toBeCloseTo(logit, 3)
    expect(logits).toHaveLength(LOGITS.length)
  })

  test.each(TOLD)('tells which sentence answers, beside the same logit: $query', async (asked) => {
    const text = asked.sentences.join(' ')
    const parts = asked.sentences.map((sentence) => {
      const start = text.indexOf(sentence)
      return { start, end: start + sentence.length }
    })
    const [logit, ...told] = await reranker.rank(asked.query, [{ context: '', text, parts }])
    expect(told.indexOf(Math.max(...told))).toBe(asked.answers)
    expect([logit]).toEqual([...(await reranker.rank(asked.query, [plain(text)]))])
  })

  test('says of a passage the same alone as among longer ones', async () => {
    const [{ query, passages } = { query: '', passages: [] }] = QUESTIONS
    const long = `${passages[1]} `.repeat(40)
    const [alone = 0] = await reranker.rank(query, passages.slice(0, 1).map(plain))
    const [among = 0] = await reranker.rank(query, [...passages.slice(0, 1), long].map(plain))
    expect(among).toBeCloseTo(alone, 1)
  })
})
