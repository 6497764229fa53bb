// The table of engines: a new one is one file, one line here and one folder of fixtures (docs/providers.md shows it).
import type { EngineClient } from './engine-client.ts'
import { createMediawiki, type MediawikiOptions } from './mediawiki.ts'
import type { SearchProvider } from './provider.ts'
import { createSearxng, type SearxngOptions } from './searxng.ts'

type Settings<Options> = Omit<Options, 'client'> | undefined

/** What each engine needs beside the client; an engine without settings is not set up. */
export interface EngineSettings {
  searxng?: Settings<SearxngOptions>
  mediawiki?: Settings<MediawikiOptions>
}

type Engine = (settings: EngineSettings, client: EngineClient) => SearchProvider | undefined

const ENGINES = {
  searxng: ({ searxng }, client) => searxng && createSearxng({ ...searxng, client }),
  mediawiki: ({ mediawiki }, client) => mediawiki && createMediawiki({ ...mediawiki, client }),
} as const satisfies Record<keyof EngineSettings, Engine>

export type EngineName = keyof typeof ENGINES

export const isEngineName = (name: string): name is EngineName => Object.hasOwn(ENGINES, name)

/** In the order in which `auto` asks those that are set up. */
export const ENGINE_NAMES: readonly EngineName[] = Object.keys(ENGINES).filter(isEngineName)

/** The engine, or null when it is not set up. */
export const createEngine = (
  name: EngineName,
  settings: EngineSettings,
  client: EngineClient,
): SearchProvider | null => ENGINES[name](settings, client) ?? null
