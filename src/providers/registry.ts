// The table of engines: a new one is one file, one line here and one folder of fixtures (docs/providers.md shows it).
import { createBrave, type BraveOptions } from './brave.ts'
import { createDuckduckgo, type DuckduckgoOptions } from './duckduckgo.ts'
import { createExa, type ExaOptions } from './exa.ts'
import { createKagi, type KagiOptions } from './kagi.ts'
import { createMarginalia, type MarginaliaOptions } from './marginalia.ts'
import { createMediawiki, type MediawikiOptions } from './mediawiki.ts'
import { createMojeek, type MojeekOptions } from './mojeek.ts'
import { createOpensearch, type OpensearchOptions } from './opensearch.ts'
import { createSearxng, type SearxngOptions } from './searxng.ts'
import { createSerper, type SerperOptions } from './serper.ts'
import { createTavily, type TavilyOptions } from './tavily.ts'
import type { EngineClient } from './engine-client.ts'
import type { SearchProvider } from './provider.ts'

type Settings<Options> = Omit<Options, 'client'> | undefined

/** What each engine needs beside the client; an engine without settings is not set up. */
export interface EngineSettings {
  searxng?: Settings<SearxngOptions>
  brave?: Settings<BraveOptions>
  kagi?: Settings<KagiOptions>
  exa?: Settings<ExaOptions>
  tavily?: Settings<TavilyOptions>
  serper?: Settings<SerperOptions>
  mojeek?: Settings<MojeekOptions>
  marginalia?: Settings<MarginaliaOptions>
  opensearch?: Settings<OpensearchOptions>
  mediawiki?: Settings<MediawikiOptions>
  duckduckgo?: Settings<DuckduckgoOptions>
}

type Engine = (settings: EngineSettings, client: EngineClient) => SearchProvider | undefined

const ENGINES = {
  searxng: ({ searxng }, client) => searxng && createSearxng({ ...searxng, client }),
  brave: ({ brave }, client) => brave && createBrave({ ...brave, client }),
  kagi: ({ kagi }, client) => kagi && createKagi({ ...kagi, client }),
  exa: ({ exa }, client) => exa && createExa({ ...exa, client }),
  tavily: ({ tavily }, client) => tavily && createTavily({ ...tavily, client }),
  serper: ({ serper }, client) => serper && createSerper({ ...serper, client }),
  mojeek: ({ mojeek }, client) => mojeek && createMojeek({ ...mojeek, client }),
  marginalia: ({ marginalia }, client) => marginalia && createMarginalia({ ...marginalia, client }),
  opensearch: ({ opensearch }, client) => opensearch && createOpensearch({ ...opensearch, client }),
  mediawiki: ({ mediawiki }, client) => mediawiki && createMediawiki({ ...mediawiki, client }),
  duckduckgo: ({ duckduckgo }, client) => duckduckgo && createDuckduckgo({ ...duckduckgo, client }),
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
