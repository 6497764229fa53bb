// The table of engines: a new one is one file, one line here and one folder of fixtures (docs/providers.md shows it).
import { createBrave } from './engines/brave.ts'
import { createDuckduckgo } from './engines/duckduckgo.ts'
import type { EngineClient } from './engine-client.ts'
import { createExa } from './engines/exa.ts'
import { createKagi } from './engines/kagi.ts'
import { createMarginalia } from './engines/marginalia.ts'
import { createMediawiki } from './engines/mediawiki.ts'
import { createMojeek } from './engines/mojeek.ts'
import { createOpensearch } from './engines/opensearch.ts'
import type { SearchProvider } from './provider.ts'
import { createSearxng } from './engines/searxng.ts'
import { createSerper } from './engines/serper.ts'
import { createTavily } from './engines/tavily.ts'

/** In the order in which `auto` asks those that are set up. */
const ENGINES = {
  searxng: createSearxng,
  brave: createBrave,
  kagi: createKagi,
  exa: createExa,
  tavily: createTavily,
  serper: createSerper,
  mojeek: createMojeek,
  marginalia: createMarginalia,
  opensearch: createOpensearch,
  mediawiki: createMediawiki,
  duckduckgo: createDuckduckgo,
} as const

export type EngineName = keyof typeof ENGINES

type SettingsOf = { [Name in EngineName]: Parameters<(typeof ENGINES)[Name]>[0] }

/** What is set for each engine; one without settings is not set up. */
export type EngineSettings = { [Name in EngineName]?: SettingsOf[Name] | undefined }

/** The table once more, in the form in which TypeScript sees that an engine's settings fit the engine. */
const CREATORS: {
  readonly [Name in EngineName]: (settings: SettingsOf[Name], client: EngineClient) => SearchProvider
} = ENGINES

export const isEngineName = (name: string): name is EngineName => Object.hasOwn(ENGINES, name)

export const ENGINE_NAMES: readonly EngineName[] = Object.keys(ENGINES).filter(isEngineName)

/** The engine, or null when it is not set up. */
export function createEngine<Name extends EngineName>(
  name: Name,
  settings: Pick<EngineSettings, Name>,
  client: EngineClient,
): SearchProvider | null {
  const own: SettingsOf[Name] | undefined = settings[name]
  return own === undefined ? null : CREATORS[name](own, client)
}
