// The service in dist/, bundled anew when a source file or a package has changed. Types are checked by `npm run types`, not here.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundle } from './bundle.mjs'
import { digestOf, filesBelow, ROOT } from './files.mjs'
import { noticesOf } from './notices.mjs'

const DIST = join(ROOT, 'dist')
const BUILT = join(DIST, '.built')

/** What somebody loads by its name: the program; tests, which open a service. */
const NAMED = ['main', 'compose/service', 'config', 'telemetry/log']
/** The module of every thread. */
const WORKER = /-worker\.ts$/u

const stateOfSources = () =>
  digestOf([
    'package-lock.json',
    'tsconfig.json',
    ...filesBelow(join('scripts', 'setup')),
    ...filesBelow('src'),
  ])

export const isBuilt = () => existsSync(BUILT) && readFileSync(BUILT, 'utf8') === stateOfSources()

/** Needs the packages that running needs, and the bundler. */
export async function build() {
  const state = stateOfSources()
  rmSync(DIST, { recursive: true, force: true })
  const { metafile } = await bundle({
    entryPoints: [
      ...NAMED.map((name) => join('src', `${name}.ts`)),
      ...filesBelow('src').filter((path) => WORKER.test(path)),
    ],
    outdir: 'dist',
    entryNames: '[name]',
    splitting: true,
  })
  writeFileSync(join(DIST, 'NOTICES.txt'), noticesOf(metafile))
  writeFileSync(BUILT, state)
}
