// What an operator tests by hand: each asks one part of the service for one small thing.
import { randomUUID } from 'node:crypto'
import type { Accounts } from '../accounts/accounts.ts'
import { SEARCH_DEPTHS } from '../contract.ts'
import type { ScoredPassage } from '../score/scorer.ts'
import type { SearchParts } from './search-parts.ts'

/** Longer than a model takes for one passage on any machine that could answer a search. */
const MODELS_MS = 10_000
const QUESTION = 'How is a key revoked?'

type Probed = Pick<SearchParts, 'providers' | 'redis' | 'scorer'>

export const createProbes = ({ providers, redis, scorer }: Probed, accounts: Pick<Accounts, 'ping'>) => ({
  probeEngine: (name: string): Promise<void> => providers.probe(name),

  async probeStores(): Promise<void> {
    await Promise.all([accounts.ping(), redis?.client.ping()])
  },

  async probeModels(): Promise<string | null> {
    const warnings = await Promise.all(SEARCH_DEPTHS.map((tier) => scoreOne(scorer, tier)))
    return warnings.find((warning) => warning !== null) ?? null
  },
})

async function scoreOne(
  scorer: Probed['scorer'],
  tier: (typeof SEARCH_DEPTHS)[number],
): Promise<string | null> {
  const request = { tier, language: 'en', candidates: 1, reranked: 1, deadlineMs: Date.now() + MODELS_MS }
  const signal = AbortSignal.timeout(MODELS_MS + 1_000)
  return (await scorer.score(QUESTION, [newPassage()], request, signal)).warning
}

/** One that no model has read before, since they remember what they said. */
const newPassage = (): ScoredPassage => ({
  text: `A key is revoked by deleting it. The number of this test is ${randomUUID()}.`,
  title: 'Keys',
  headings: [],
  contentWeight: 1,
  place: 0,
  page: 0,
})
