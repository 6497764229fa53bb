// The names of all environment variables that are read: the service's own, and those of the engines.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PACKAGE_ROOT } from '../../src/config.ts'

const ENGINES = join(PACKAGE_ROOT, 'src', 'providers', 'engines')

/** The lines of config.ts that name a variable, what it may be and its default. */
export function ownSettings(): string {
  const source = readFileSync(join(PACKAGE_ROOT, 'src', 'config.ts'), 'utf8')
  return source.slice(source.indexOf('environmentSchema'), source.indexOf('export type Config'))
}

export function settingNames(): Set<string> {
  const own = [...ownSettings().matchAll(/^ {2}([A-Z][A-Z0-9_]+):/gmu)]
  const sources = readdirSync(ENGINES).map((name) => readFileSync(join(ENGINES, name), 'utf8'))
  const ofEngines = sources.flatMap((source) => [
    ...source.matchAll(/\b([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+): (?:httpAddress|headerText|z)\b/gu),
  ])
  const keyed = [...sources.join('\n').matchAll(/keyedEnvironment\('([A-Z]+)'\)/gu)].flatMap(
    ([, prefix = '']) => [`${prefix}_API_KEY`, `${prefix}_URL`],
  )
  return new Set([...[...own, ...ofEngines].map(([, name = '']) => name), ...keyed])
}
