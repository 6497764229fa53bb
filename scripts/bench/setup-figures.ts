// What a checkout that is set up puts on the disk, and into the layers of the image that are ours: each figure with its aim.
import { execFileSync } from 'node:child_process'
import { existsSync, lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { keepOutside } from '../setup/dependencies.mjs'

export interface Figure {
  what: string
  value: number
  unit: 's' | 'MB'
  /** What it may be at most, where somebody set an aim. */
  aim?: number
}

/** One line: the figure, its aim, and whether it is met. */
export function describeFigure({ what, value, unit, aim }: Figure): string {
  const judged = aim === undefined ? '' : ` (aim: ${aim} ${unit}, ${value <= aim ? 'met' : 'MISSED'})`
  return `${what}: ${value.toFixed(1)} ${unit}${judged}`
}

/** Sizes of a checkout that was set up for running; what the image leaves out is left out of a copy in `scratch`. */
export function sizesOf(checkout: string, scratch: string): Figure[] {
  const at = (...path: string[]): number => sizeOf(join(checkout, ...path))
  const bundle = readBundle(join(checkout, 'dist'))
  const size = (what: string, bytes: number, aim?: number): Figure => ({
    what,
    value: bytes / 1e6,
    unit: 'MB',
    ...(aim === undefined ? {} : { aim }),
  })
  return [
    size('node_modules for running, with the bundler that builds', at('node_modules'), 350),
    size('layer: packages outside of the bundle', prunedSize(checkout, scratch)),
    size('layer: models', at('models')),
    size('layers: documentation and dashboard', at('public') + at('docs')),
    size('layer: the bundled service', bundle.length),
    size('all that an edit of the source ships, compressed', gzipSync(bundle).length, 5),
  ]
}

/** As the stage `running-packages` has them: links to the same files, so that removing one leaves the checkout's. */
function prunedSize(checkout: string, scratch: string): number {
  const folder = mkdtempSync(join(scratch, 'pruned-'))
  const copy = join(folder, 'node_modules')
  try {
    execFileSync('cp', ['-al', join(checkout, 'node_modules'), copy])
    keepOutside(copy, JSON.parse(readFileSync(join(checkout, 'package-lock.json'), 'utf8')))
    return sizeOf(copy)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The image is built without maps. */
function readBundle(dist: string): Buffer {
  const names = readdirSync(dist).filter((name) => !name.endsWith('.map'))
  return Buffer.concat(names.map((name) => readFileSync(join(dist, name))))
}

function sizeOf(path: string): number {
  if (!existsSync(path)) return 0
  const facts = lstatSync(path)
  if (!facts.isDirectory()) return facts.isSymbolicLink() ? 0 : facts.size
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0)
}
