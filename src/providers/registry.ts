// The table of engines and the order in which they are asked. A new engine is one file, one line here and one folder of
// fixtures (docs/providers.md shows it).
import type { EngineClient } from './engine-client.ts'
import type { SearchProvider } from './provider.ts'
import { createSearxng, type SearxngOptions } from './searxng.ts'

/** What each engine needs beside the client; an engine without settings is not set up. */
export interface EngineSettings {
  searxng?: Omit<SearxngOptions, 'client'>
}

type Engine = (settings: EngineSettings, client: EngineClient) => SearchProvider | undefined

const ENGINES = {
  searxng: ({ searxng }, client) => searxng && createSearxng({ ...searxng, client }),
} as const satisfies Record<keyof EngineSettings, Engine>

export type EngineName = keyof typeof ENGINES

export const isEngineName = (name: string): name is EngineName => Object.hasOwn(ENGINES, name)

export const ENGINE_NAMES: readonly EngineName[] = Object.keys(ENGINES).filter(isEngineName)

/** @throws {Error} when the engine has no settings. */
export function createEngine(
  name: EngineName,
  settings: EngineSettings,
  client: EngineClient,
): SearchProvider {
  const provider = ENGINES[name](settings, client)
  if (provider === undefined) throw new Error(`the search provider "${name}" is not set up`)
  return provider
}
