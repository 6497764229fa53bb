// The table of search engines in docs/providers.md and their variables in docs/configuration.md, from what each engine
// declares and says of itself.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openEngineClient } from '../../src/providers/engine-client.ts'
import type { EngineDocumentation } from '../../src/providers/engine-definition.ts'
import { createLibraryProvider } from '../../src/providers/engines/library.ts'
import type { ProviderCapabilities } from '../../src/providers/provider.ts'
import {
  createEngine,
  documentationOf,
  ENGINE_NAMES,
  type EngineName,
  type EngineSettings,
} from '../../src/providers/registry.ts'

const FIXTURES = join(import.meta.dirname, '..', '..', 'test', 'fixtures', 'providers')

const LIBRARY: EngineDocumentation = {
  setUpWith: '`verbatim index add URL`',
  domains: 'engine',
  notes:
    'the embedded engine over the pages you gave it; where there is no other engine, over this documentation, too',
}

const HEAD = [
  '| Name | Set up with | Recency | Language | Domains | Most hits | Notes |',
  '|---|---|---|---|---|---|---|',
]

/** `page` with its table written anew. @throws when it holds none. */
export async function withEngineTable(page: string): Promise<string> {
  const table = /^\| Name \| Set up with .*\n(?:\|.*\n)+/mu
  if (!table.test(page)) throw new Error('docs/providers.md has lost its table of engines')
  const text = [...HEAD, ...(await engineRows())].join('\n')
  return page.replace(table, () => `${text}\n`)
}

/** `page` with the variables of engines that take a key written anew. @throws when it has lost their rows. */
export function withEngineVariables(page: string): string {
  const keyed = ENGINE_NAMES.filter((name) => documentationOf(name).setUpWith === variable(name, 'API_KEY'))
  const keys = keyed.map((name) => variable(name, 'API_KEY')).join(', ')
  const addresses = [...keyed, 'duckduckgo' as const].map((name) => variable(name, 'URL')).join(', ')
  return withVariables(
    withVariables(page, / \| none \| Keys of search APIs \|$/mu, keys),
    / \| the engine's own \| Another address /mu,
    addresses,
  )
}

const variable = (name: EngineName, part: string): string => `\`${name.toUpperCase()}_${part}\``

function withVariables(page: string, cells: RegExp, names: string): string {
  const row = new RegExp(`^\\| [^|]*(?=${cells.source})`, 'mu')
  if (!row.test(page)) throw new Error(`docs/configuration.md has lost its row of ${names}`)
  return page.replace(row, () => `| ${names}`)
}

async function engineRows(): Promise<string[]> {
  const client = openEngineClient({ userAgent: 'Verbatim' })
  const rows = ENGINE_NAMES.map((name) => {
    const provider = createEngine(name, settingsOf(name), client)
    if (provider === null) throw new Error(`the fixture of ${name} does not set it up`)
    return rowOf(name, documentationOf(name), provider.capabilities)
  })
  await client.close()
  const library = createLibraryProvider({ library: { search: async () => [] } })
  return [...rows, rowOf(library.name, LIBRARY, library.capabilities)]
}

/** As the engine's fixture sets it up. */
function settingsOf(name: string): EngineSettings {
  const text = readFileSync(join(FIXTURES, name, 'engine.json'), 'utf8').replaceAll(
    '{base}',
    'http://engine.invalid',
  )
  return (JSON.parse(text) as { settings: EngineSettings }).settings
}

function rowOf(
  name: string,
  { setUpWith, domains, notes, language }: EngineDocumentation,
  capabilities: ProviderCapabilities,
): string {
  const by = (isNative: boolean): string => (isNative ? 'engine' : 'after')
  const cells = [
    `\`${name}\``,
    setUpWith,
    by(capabilities.recency),
    language ?? by(capabilities.language),
    domains,
    String(capabilities.maxCount),
    notes,
  ]
  return `| ${cells.join(' | ')} |`.replace(/ {2,}\|$/u, ' |')
}
