import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { isAccepted, makeBundles, tallyTamperings } from '../../scripts/eval/bundle-tampering.ts'
import { createRandom } from '../../scripts/eval/quote-mutations.ts'
import { MULTILINGUAL_PAGES } from '../support/multilingual-pages.ts'

/** A tenth of what `npm run eval -- --proof` does. */
const [BUNDLES, TAMPERINGS] = [1_000, 10_000]

test('a thousand bundles are accepted, and none of ten thousand that were tampered with in nine ways', async () => {
  const documentation = readdirSync('docs')
    .filter((name) => name.endsWith('.md'))
    .map((name) => readFileSync(`docs/${name}`, 'utf8').slice(0, 5_000))
  const texts = [...MULTILINGUAL_PAGES.map(({ text }) => text), ...documentation]
  const random = createRandom(17)
  const { bundles, keys } = await makeBundles(texts, BUNDLES, random)
  expect(bundles.filter((bundle) => isAccepted(JSON.parse(JSON.stringify(bundle)), keys))).toHaveLength(
    BUNDLES,
  )
  const tallies = tallyTamperings(bundles, keys, TAMPERINGS, random)
  expect(tallies.size).toBe(9)
  for (const [kind, { tried, accepted }] of tallies) {
    expect([kind, accepted]).toEqual([kind, 0])
    expect([kind, tried > TAMPERINGS / 20]).toEqual([kind, true])
  }
})
