// From the operator's choice to a chain that answers: which engines, in which order, which of them together.
import { OperatorError } from '../errors.ts'
import { createProviderChain, type ChainOptions, type ProviderChain } from './chain.ts'
import { openEngineClient, type EngineClient, type EngineClientOptions } from './engine-client.ts'
import type { SearchProvider } from './provider.ts'
import {
  createEngine,
  ENGINE_NAMES,
  isAutomatic,
  isEngineName,
  type EngineName,
  type EngineSettings,
} from './registry.ts'

export interface ProvidersOptions {
  /** `SEARCH_PROVIDERS`: names in order, or `auto` alone or among them. */
  order: readonly string[]
  /** `SEARCH_FUSION`: ask all at once and fuse, in place of one after the other. */
  fusion: boolean
  settings: EngineSettings
  /** The embedded engine, under the name `library`. */
  library: SearchProvider
  client: EngineClientOptions
  chain?: ChainOptions
}

export interface Providers extends ProviderChain {
  /** Names as they are asked: steps in order, the engines of one step together. */
  steps: string[][]
  close(): Promise<void>
}

/**
 * `auto` asks every engine that is set up, one after the other in the table's order, and last `library`. An outside
 * engine that needs no key is asked only when it is named: no question leaves the machine unless the operator chose
 * where it goes, and a machine without a network answers at once.
 *
 * @throws {OperatorError} for a name that is unknown or not set up.
 */
export function openProviders(options: ProvidersOptions): Providers {
  const client = openEngineClient(options.client)
  const { library, settings } = options
  const create = (name: string): SearchProvider => {
    if (name === library.name) return library
    if (isEngineName(name)) return createNamed(name, settings, client)
    throw new OperatorError(
      `SEARCH_PROVIDERS names "${name}". Known are: auto, ${[...ENGINE_NAMES, library.name].join(', ')}.`,
    )
  }
  const named = options.order.flatMap((name) =>
    name === 'auto' ? automaticNames(settings, library.name) : [name],
  )
  // One that is named twice, once by `auto` say, would be asked, and paid, again where it has just failed.
  const engines = [...new Set(named)].map(create)
  const planned = options.fusion ? [engines] : engines.map((engine) => [engine])
  return {
    ...createProviderChain(planned, options.chain),
    steps: planned.map((step) => step.map((provider) => provider.name)),
    close: client.close,
  }
}

function automaticNames(settings: EngineSettings, library: string): string[] {
  return [...ENGINE_NAMES.filter((name) => settings[name] !== undefined && isAutomatic(name)), library]
}

function createNamed(name: EngineName, settings: EngineSettings, client: EngineClient): SearchProvider {
  const provider = createEngine(name, settings, client)
  if (provider !== null) return provider
  throw new OperatorError(`SEARCH_PROVIDERS names "${name}", but its key or address is not set.`)
}
