// What the sub-commands of `models` are given and end with, which models a name stands for, and where those lie.
import { dirname, join } from 'node:path'
import { BUNDLED, TIERS, type Catalog, type Device } from '../../score/models/catalog.ts'
import type { HubOptions } from '../../score/models/hub.ts'
import { isHubName } from '../../score/models/named-models.ts'
import { EXIT_INTERRUPTED } from '../command-end.ts'

/** What the process ends with. */
export const MODELS_EXIT = {
  done: 0,
  unexpected: 1,
  /** An unknown tier or model, or a wrong option. */
  usage: 2,
  /** The hub cannot be reached, is overloaded, or offline mode is on. */
  unavailable: 3,
  /** A file is not what the catalog says. */
  damaged: 4,
  /** A model is not installed (`verify`, `calibrate`), or the hub does not have it (`prefetch`). */
  missing: 5,
  /** A model is worse than what serves without it (`calibrate`). */
  worse: 6,
  interrupted: EXIT_INTERRUPTED,
} as const

/** Fetched when no tier is named: the two that serve most requests. */
export const DEFAULT_TIERS = ['precise', 'balanced']

export interface ModelsSettings {
  catalogPath: string
  /** MODEL_DIR. */
  modelDirectory: string
  /** Where the model lies that ships with the repository. */
  bundledDirectory: string
  /** Where the documentation lies. */
  docsDirectory: string
  device: Device
  hub: HubOptions
  /** What EMBEDDING_MODEL and RERANKER_MODEL name. */
  embeddingModel: string | null
  rerankerModel: string | null
}

export interface ModelsOutput {
  line: (text: string) => void
  /** Why a command failed, apart from what a script reads. */
  fault: (text: string) => void
  isTerminal: boolean
  exit: (code: number) => void
}

/** A name that stands for no model, said so that whoever typed it can mend it. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** Model ids behind names of tiers (their first choice), of models here or on the hub, or `all`. @throws {UsageError} for other names. */
export function modelsNamed(catalog: Catalog, names: readonly string[]): string[] {
  const ids = names.flatMap((name) => {
    if (name === 'all') return Object.keys(catalog.models)
    const tier = TIERS.find((known) => known === name)
    if (tier) return catalog.tiers[tier][0] ?? []
    if (name in catalog.models || isHubName(name)) return [name]
    throw new UsageError(
      `There is no tier or model "${name}". Tiers: ${TIERS.join(', ')}. Models of the hub are named owner/name.`,
    )
  })
  return Array.from(new Set(ids))
}

/** What ships lies beside the bundled model. */
export const directoryOf = (
  { bundledDirectory, modelDirectory }: ModelsSettings,
  catalog: Catalog,
  id: string,
): string => {
  if (id === BUNDLED) return bundledDirectory
  return join(catalog.models[id]?.hub === null ? dirname(bundledDirectory) : modelDirectory, id)
}
