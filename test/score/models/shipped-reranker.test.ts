// The re-ranker that ships: it reads the question together with a passage, and tells what answers from what only sounds like it.
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { modelOf, readCatalog } from '../../../src/score/models/catalog.ts'
import { loadTransformer, type Transformer } from '../../../src/score/models/transformer.ts'

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

let reranker: Transformer
beforeAll(async () => {
  const spec = modelOf(await readCatalog(join(ROOT, 'models', 'catalog.json')), ID)
  reranker = await loadTransformer({ id: ID, directory: join(ROOT, 'models', ID), device: 'cpu', spec })
})

describe('the re-ranker that ships', () => {
  test.each(QUESTIONS)('puts what answers before what merely sounds like it: $query', async (asked) => {
    const [answer = 0, near = 0, other = 0] = await reranker.rank(asked.query, asked.passages)
    expect(answer).toBeGreaterThan(near)
    expect(near).toBeGreaterThan(other)
  })

  test('says of a passage the same alone as among longer ones', async () => {
    const [{ query, passages } = { query: '', passages: [] }] = QUESTIONS
    const long = `${passages[1]} `.repeat(40)
    const [alone = 0] = await reranker.rank(query, passages.slice(0, 1))
    const [among = 0] = await reranker.rank(query, [...passages.slice(0, 1), long])
    expect(among).toBeCloseTo(alone, 1)
  })
})
