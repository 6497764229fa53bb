// What the service says of itself, to the dashboard's start page and to `doctor`: which engines, models, browser and
// stores it has, and what is missing with the command that mends it.
import { prefetchLine } from '../../invocation.ts'
import type { EngineState } from '../../providers/engine-state.ts'
import type { ServicePart, ServiceStatus } from '../../telemetry/service-status.ts'
import { describeEngines } from './describe-engines.ts'

export interface DescribedParts {
  version: string
  startedAt: Date
  providers: { describe(): readonly EngineState[] }
  pages: { describe(): { found: boolean; summary: string; advice: string | null } }
  scorer: { describe(): readonly TierDescription[] }
  library: { countPages(): Promise<number> }
  store: 'sqlite' | 'postgres'
  /** Whether the store took what was last written; left out by commands, which write nothing by themselves. */
  isWritten?: () => boolean
  redis: { isReady(): boolean } | null
}

/** Which model a depth is scored by, and the command that brings a better one when there is one to be had. */
export interface TierDescription {
  tier: string
  model: string
  isWanted: boolean
  /** Nobody asked for the better one. */
  isOffer: boolean
  remedy: string | null
}

export async function describeService(parts: DescribedParts): Promise<ServiceStatus> {
  return {
    version: parts.version,
    startedAt: parts.startedAt,
    parts: [
      ...describeEngines(parts.providers.describe(), await parts.library.countPages()),
      ...describeTiers(parts.scorer.describe()),
      describeBrowser(parts.pages.describe()),
      ...describeStores(parts),
    ],
  }
}

/** One command brings the models of all tiers that lack their own. */
function describeTiers(tiers: readonly TierDescription[]): ServicePart[] {
  const lacking = tiers.filter(({ remedy }) => remedy !== null).map(({ tier }) => tier)
  return tiers.map((described) => ({
    kind: 'model',
    name: described.tier,
    state: described.isWanted || described.isOffer ? 'ready' : 'limited',
    detail: scoringOf(described),
    remedy: described.remedy === null ? null : prefetchLine(lacking),
  }))
}

function scoringOf({ model, isWanted, isOffer }: TierDescription): string {
  if (isWanted) return `Scored by ${model}.`
  return isOffer
    ? `Scored by ${model}; a model of its own can be installed.`
    : `Scored by ${model} until its own model is installed.`
}

function describeBrowser({
  found,
  summary,
  advice,
}: {
  found: boolean
  summary: string
  advice: string | null
}): ServicePart {
  const state = found ? 'ready' : advice === null ? 'off' : 'missing'
  return { kind: 'browser', name: 'Chromium', state, detail: summary, remedy: advice }
}

function describeDatabase({ store, isWritten }: DescribedParts): ServicePart {
  const isFailing = isWritten?.() === false
  const whose =
    store === 'sqlite'
      ? 'Accounts and keys live in the data folder.'
      : 'Accounts and keys are shared by all replicas.'
  return {
    kind: 'storage',
    name: store === 'sqlite' ? 'SQLite' : 'PostgreSQL',
    state: isFailing ? 'failing' : 'ready',
    detail: isFailing ? 'It cannot be written: changes fail, and counts wait in memory.' : whose,
    remedy: isFailing
      ? 'The log has the reason, such as a disk that is full or read-only; no restart is needed.'
      : null,
  }
}

function describeStores(parts: DescribedParts): ServicePart[] {
  const { redis } = parts
  const database = describeDatabase(parts)
  if (redis === null) return [database]
  const isReady = redis.isReady()
  return [
    database,
    {
      kind: 'storage',
      name: 'Redis',
      state: isReady ? 'ready' : 'limited',
      detail: isReady
        ? 'Limits are shared by all replicas.'
        : 'Out of reach, or it takes no writes: each replica counts for itself until it does.',
      remedy: isReady
        ? null
        : 'The log has the reason. Check REDIS_URL and the Redis server; no restart is needed.',
    },
  ]
}
