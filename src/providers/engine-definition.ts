// What an engine's own file says of it: its variables of the environment, its row in the documentation, and how it is
// made. Configuration, documentation and contract suite derive from it.
import { z } from 'zod'
import type { EngineClient, KeyedEngineSettings } from './engine-client.ts'
import type { SearchProvider } from './provider.ts'

export interface EngineDefinition<Settings> {
  /** Reads its variables; undefined when it is not set up. An issue's message ends the sentence "NAME must be …". */
  environment: z.ZodType<Settings | undefined>
  /** Settings of an engine that needs none: it may be named without being set up. */
  unset?: Settings
  /** True when `auto` never stands for it: to ask it, the operator must name it. */
  isOnlyNamed?: boolean
  documentation: EngineDocumentation
  create: (settings: Settings, client: EngineClient) => SearchProvider
}

/** What its row in docs/providers.md says besides its capabilities; Markdown. */
export interface EngineDocumentation {
  /** What sets it up. */
  setUpWith: string
  /** How domains are asked for. */
  domains: string
  /** Where that is not what its capabilities say for every setting. */
  language?: string
  notes: string
}

/** An http(s) address of the operator's, without slashes at its end. */
export const httpAddress = z
  .url({ protocol: /^https?$/u, error: 'an address that begins with http:// or https://' })
  .transform((text) => text.replace(/(?<!\/)\/+$/u, ''))

/** What goes into a header of a request: anything else would make every request fail. */
export const headerText = z.string().regex(/^[ -~]+$/u, 'letters, digits and signs of ASCII')

/** `NAME_API_KEY`, and `NAME_URL` in place of the engine's own address. */
export function keyedEnvironment(prefix: string): EngineDefinition<KeyedEngineSettings>['environment'] {
  const [key, address] = [`${prefix}_API_KEY`, `${prefix}_URL`]
  return z
    .object({ [key]: headerText.optional(), [address]: httpAddress.optional() })
    .transform(({ [key]: apiKey, [address]: baseUrl }) =>
      apiKey === undefined ? undefined : { apiKey, ...(baseUrl === undefined ? {} : { baseUrl }) },
    )
}
