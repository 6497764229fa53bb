// Which models are really usable: those whose files are there and that load. What is missing or damaged is told with
// the command that mends it.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { commandLine, prefetchLine } from '../../invocation.ts'
import type { Logger } from '../../telemetry/log.ts'
import {
  BUNDLED,
  isInstalled,
  resolveTiers,
  TIERS,
  type Catalog,
  type CatalogModel,
  type Device,
  type Tier,
} from './catalog.ts'
import { openEmbedder, type Embedder } from './embedder.ts'
import { findNamedModels, withNamedModels, type ModelNames } from './named-models.ts'
import type { ModelLocation } from './transformer.ts'

/** Which model serves a tier; `remedy` is the command that would bring the tier's own, or null. */
export interface TierDescription {
  tier: Tier
  model: string
  isWanted: boolean
  /** Nobody asked for the tier's own model: that it can be had is an offer, and nothing is amiss without it. */
  isOffer: boolean
  remedy: string | null
}

/** Whether a model was never asked for: it would have to be fetched, nobody named it, and nothing of it was fetched. */
function isUnasked(id: string, catalog: Catalog, { names, modelDirectory }: ModelRegistryOptions): boolean {
  const isFetched = (catalog.models[id]?.hub ?? null) !== null
  const isNamed = id === names.embedding || id === names.reranker
  return isFetched && !isNamed && !existsSync(join(modelDirectory, id))
}

/** What serves a tier beside the first stage. */
export interface TierModels {
  /** The models' ids, joined by ` + `. */
  label: string
  embedder: Embedder
  embedding: ModelLocation
  crossEncoder: ModelLocation | null
  /** Milliseconds a passage takes each of them on this machine, all threads at work. */
  paceMs: { embedding: number; crossEncoder: number }
}

/** A model that is loaded, and its pace. */
interface UsableModel {
  location: ModelLocation
  paceMs: number
}

export interface ModelRegistryOptions {
  /** Where the models lie that ship with Verbatim, each in a folder of its id. */
  shippedDirectory: string
  /** Where fetched ones do (MODEL_DIR). */
  modelDirectory: string
  device: Device
  /** Models that serve in place of the catalog's choice. */
  names: ModelNames
  embedder: { workers: number; queueLimit: number; cacheBytes: number }
  log: Logger
}

/** A model that does not load within this time is treated as damaged. */
const LOAD_TIMEOUT_MS = 60_000

/** The transformers whose files are there, on the wanted device or else on the CPU. */
async function findInstalled(
  catalog: Catalog,
  { shippedDirectory, modelDirectory, device }: ModelRegistryOptions,
): Promise<ModelLocation[]> {
  const found: ModelLocation[] = []
  for (const [id, spec] of Object.entries(catalog.models)) {
    if (spec.kind === 'static') continue
    const directory = join(spec.hub === null ? shippedDirectory : modelDirectory, id)
    for (const candidate of new Set<Device>([device, 'cpu'])) {
      if (await isInstalled(spec, directory, candidate))
        found.push({ id, directory, device: candidate, spec: pick(spec) })
    }
  }
  return found
}

/** Only what the workers need, since it travels with every task. */
function pick({ kind, tokenizer, dimensions, maximumTokens }: CatalogModel): ModelLocation['spec'] {
  return { kind, tokenizer, dimensions, maximumTokens }
}

/**
 * Loads what the tiers want, and nothing else, since each model takes its share of memory on every thread. A model that
 * does not load is left out, and the tiers look for the next one.
 */
async function loadServing(
  catalog: Catalog,
  embedder: Embedder,
  installed: readonly ModelLocation[],
  log: Logger,
): Promise<Map<string, UsableModel>> {
  const usable = new Map<string, UsableModel>()
  const damaged = new Set<ModelLocation>()
  for (;;) {
    const left = installed.filter((location) => !damaged.has(location))
    const tiers = resolveTiers(catalog, new Set(left.map(({ id }) => id)))
    const wanted = new Set(Object.values(tiers).flatMap(({ models }) => models))
    // The wanted device comes first; the CPU's files serve only where that failed.
    const next = left.find(({ id }) => wanted.has(id) && !usable.has(id))
    if (next === undefined) return usable
    try {
      const paceMs = await embedder.load(next, AbortSignal.timeout(LOAD_TIMEOUT_MS))
      usable.set(next.id, { location: next, paceMs })
    } catch (error) {
      damaged.add(next)
      log.warn(
        { model: next.id, device: next.device, err: error, remedy: commandLine('models verify') },
        'a model is installed but cannot be used',
      )
    }
  }
}

/**
 * Finds and loads the models of the catalog. Without any, no threads are started and every tier is served by the
 * bundled model. A damaged model never fails the start: the tier falls to the next one, and the log says so.
 */
export async function openModelRegistry(shipped: Catalog, options: ModelRegistryOptions) {
  const catalog = withNamedModels(shipped, options.names)
  const named = await findNamedModels(shipped, options.names, options)
  const installed = [...named, ...(await findInstalled(catalog, options))]
  const embedder = installed.length > 0 ? await openEmbedder(options.embedder) : null
  const usable = embedder
    ? await loadServing(catalog, embedder, installed, options.log)
    : new Map<string, UsableModel>()
  const tiers = resolveTiers(catalog, new Set(usable.keys()))

  function describe(): TierDescription[] {
    return TIERS.map((tier) => {
      const { models, missing } = tiers[tier]
      const isWanted = missing.length === 0
      return {
        tier,
        model: models.join(' + '),
        isWanted,
        isOffer: !isWanted && missing.every((id) => isUnasked(id, catalog, options)),
        remedy: isWanted ? null : prefetchLine([tier]),
      }
    })
  }
  const lacking = TIERS.filter((tier) => tiers[tier].missing.length > 0)
  options.log.info(
    {
      models: Object.fromEntries(describe().map(({ tier, model }) => [tier, model])),
      millisecondsAPassage: Object.fromEntries(
        Array.from(usable, ([id, { paceMs }]) => [id, Number(paceMs.toFixed(1))]),
      ),
      ...(lacking.length > 0 ? { remedy: prefetchLine(lacking) } : {}),
    },
    'models of the tiers',
  )

  return {
    embedder,
    describe,

    /** Stages that serve a tier after the first one, each by its last model. */
    servingModels: (): string[] => [
      ...new Set(TIERS.flatMap((tier) => tiers[tier].models.filter((id) => id !== BUNDLED).slice(-1))),
    ],

    /** The transformers that serve a tier, one or one and its re-ranker; null where the first stage works alone. */
    modelsOf(tier: Tier): TierModels | null {
      const ids = tiers[tier].models.filter((id) => id !== BUNDLED)
      const [embedding = null, crossEncoder = null] = ids.map((id) => usable.get(id) ?? null)
      if (embedder === null || embedding === null) return null
      return {
        label: tiers[tier].models.join(' + '),
        embedder,
        embedding: embedding.location,
        crossEncoder: crossEncoder?.location ?? null,
        paceMs: { embedding: embedding.paceMs, crossEncoder: crossEncoder?.paceMs ?? 0 },
      }
    },

    async close(): Promise<void> {
      await embedder?.close()
    },
  }
}
