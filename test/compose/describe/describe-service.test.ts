import { expect, test } from 'vitest'
import { describeService, type TierDescription } from '../../../src/compose/describe/describe-service.ts'
import { isOffer } from '../../../src/telemetry/service-status.ts'

const tier = (name: string, about: Partial<TierDescription>): TierDescription => ({
  tier: name,
  model: 'verbatim-minilm',
  isWanted: false,
  isOffer: false,
  remedy: `npm run models -- prefetch ${name}`,
  ...about,
})

const describing = (tiers: readonly TierDescription[]) =>
  describeService({
    version: '0.1.0',
    startedAt: new Date(),
    providers: {
      describe: () => [
        {
          name: 'library',
          condition: 'untried',
          failingSince: null,
          lastAnswerAt: null,
          lastFailure: null,
          medianMs: null,
        },
      ],
    },
    pages: { describe: () => ({ found: true, summary: 'Chromium 156.', advice: null }) },
    scorer: { describe: () => tiers },
    library: { countPages: () => Promise.resolve(34) },
    store: 'sqlite',
    redis: null,
  })

test('a first start with nothing set lacks nothing: a web engine and a model nobody asked for are offered', async () => {
  const { parts } = await describing([
    tier('balanced', { isWanted: true, remedy: null }),
    tier('multilingual', { isOffer: true }),
  ])
  expect(new Set(parts.map(({ state }) => state))).toEqual(new Set(['ready']))
  expect(parts.filter(isOffer).map(({ name }) => name)).toEqual(['library', 'multilingual'])
})

test('a model that was asked for and is not there leaves its depth with less than it should have, and says what brings it', async () => {
  const { parts } = await describing([tier('multilingual', {})])
  expect(parts.find(({ name }) => name === 'multilingual')).toMatchObject({
    state: 'limited',
    detail: 'Scored by verbatim-minilm until its own model is installed.',
    remedy: 'npm run models -- prefetch multilingual',
  })
})
