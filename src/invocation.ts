// How a command of this program is called where it was started: whoever reads a remedy has a checkout with npm's scripts,
// an installed package, or a container of the image.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { env as environment } from 'node:process'

const ROOT = join(import.meta.dirname, '..')

type Invocation = 'checkout' | 'npx' | 'package' | 'image'

interface InvocationOptions {
  /** The folder above the bundle, or above the sources. */
  root?: string
  env?: Readonly<Record<string, string | undefined>>
}

/** A package brings the program that npm links, an image neither that nor set-up. */
export function invocationOf({ root = ROOT, env = environment }: InvocationOptions = {}): Invocation {
  if (existsSync(join(root, 'scripts', 'setup.mjs'))) return 'checkout'
  if (!existsSync(join(root, 'scripts', 'verbatim.mjs'))) return 'image'
  return env['npm_command'] === 'exec' ? 'npx' : 'package'
}

/** It stays what it is while the program runs: no page of the dashboard asks the disk for it. */
const HERE = invocationOf()

/** The line that runs `words`, such as `keys list`, as whoever started this program types it. */
export function commandLine(words: string, invocation = HERE): string {
  if (invocation === 'npx') return `npx verbatim ${words}`
  if (invocation === 'package') return `verbatim ${words}`
  if (invocation === 'image') return `docker exec CONTAINER node dist/main.js ${words}`
  const models = /^models (?=\S)/u.exec(words)?.[0]
  return models === undefined
    ? `npm run -s verbatim -- ${words}`
    : `npm run models -- ${words.slice(models.length)}`
}

/** The line that fetches models, or the usual ones: those of an image lie in its layers, which no container writes. */
export function prefetchLine(models: readonly string[], invocation = HERE): string {
  return invocation === 'image'
    ? `docker build --build-arg MODELS="${models.join(' ') || 'precise balanced exhaustive'}" .`
    : commandLine(['models prefetch', ...models].join(' '), invocation)
}
