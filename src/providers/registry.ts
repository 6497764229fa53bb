// The table of engines: a new one is one file, one line here and one folder of fixtures (docs/architecture.md shows it).
import type { z } from 'zod'
import type { EngineClient } from './engine-client.ts'
import type { EngineDefinition } from './engine-definition.ts'
import { brave } from './engines/brave.ts'
import { duckduckgo } from './engines/duckduckgo.ts'
import { exa } from './engines/exa.ts'
import { kagi } from './engines/kagi.ts'
import { marginalia } from './engines/marginalia.ts'
import { mediawiki } from './engines/mediawiki.ts'
import { mojeek } from './engines/mojeek.ts'
import { opensearch } from './engines/opensearch.ts'
import { searxng } from './engines/searxng.ts'
import { serper } from './engines/serper.ts'
import { tavily } from './engines/tavily.ts'
import type { SearchProvider } from './provider.ts'

/** In the order in which `auto` asks those that are set up. */
const ENGINES = {
  searxng,
  brave,
  kagi,
  exa,
  tavily,
  serper,
  mojeek,
  marginalia,
  opensearch,
  mediawiki,
  duckduckgo,
} as const

export type EngineName = keyof typeof ENGINES

type SettingsOf = { [Name in EngineName]: Parameters<(typeof ENGINES)[Name]['create']>[0] }

/** What is set for each engine; one without settings is not set up. */
export type EngineSettings = { [Name in EngineName]?: SettingsOf[Name] | undefined }

/** The table once more, in the form in which TypeScript sees that an engine's settings fit the engine. */
const DEFINITIONS: { readonly [Name in EngineName]: EngineDefinition<SettingsOf[Name]> } = ENGINES

export const isEngineName = (name: string): name is EngineName => Object.hasOwn(ENGINES, name)

export const ENGINE_NAMES: readonly EngineName[] = Object.keys(ENGINES).filter(isEngineName)

/** Whether `auto` stands for this engine once it is set up. */
export const isAutomatic = (name: EngineName): boolean => DEFINITIONS[name].isOnlyNamed !== true

/** What the documentation says of an engine. */
export const documentationOf = (name: EngineName): EngineDefinition<unknown>['documentation'] =>
  DEFINITIONS[name].documentation

/** Whether a variable is one of an engine's: they begin with its name. */
export const isEngineVariable = (variable: string): boolean =>
  ENGINE_NAMES.some((name) => variable.startsWith(`${name.toUpperCase()}_`))

/** The settings that the variables of the environment make, and what is wrong with them. */
export function readEngineSettings(environment: Readonly<Record<string, unknown>>): {
  settings: EngineSettings
  issues: z.core.$ZodIssue[]
} {
  const settings: EngineSettings = {}
  const issues: z.core.$ZodIssue[] = []
  for (const name of ENGINE_NAMES) {
    const parsed = DEFINITIONS[name].environment.safeParse(environment)
    if (parsed.success) Object.assign(settings, { [name]: parsed.data })
    else issues.push(...parsed.error.issues)
  }
  return { settings, issues }
}

/** The engine, or null when it is not set up and needs to be. */
export function createEngine<Name extends EngineName>(
  name: Name,
  settings: Pick<EngineSettings, Name>,
  client: EngineClient,
): SearchProvider | null {
  const own: SettingsOf[Name] | undefined = settings[name] ?? DEFINITIONS[name].unset
  return own === undefined ? null : DEFINITIONS[name].create(own, client)
}
