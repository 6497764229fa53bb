// Writes to standard output what this version is made of: a CycloneDX list of everything that ships, from the lockfile
// alone, so that it is the same on every machine and needs no network.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

const ROOT = join(import.meta.dirname, '..')

const sbomSchema = z.looseObject({
  metadata: z.looseObject({ component: z.looseObject({ name: z.string() }) }),
  components: z.array(
    z.looseObject({ 'bom-ref': z.string(), properties: z.array(z.object({ name: z.string() })).optional() }),
  ),
  dependencies: z.array(z.looseObject({ ref: z.string(), dependsOn: z.array(z.string()).optional() })),
})

const manifest: unknown = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
const { name } = z.object({ name: z.string() }).parse(manifest)
const options = ['--sbom-format=cyclonedx', '--sbom-type=application', '--package-lock-only']
const { status, stdout, stderr } = spawnSync('npm', ['sbom', ...options], {
  cwd: ROOT,
  encoding: 'utf8',
  maxBuffer: 64 * 1024 * 1024,
})
if (status !== 0) throw new Error(`npm sbom failed: ${stderr}`)
const all = sbomSchema.parse(JSON.parse(stdout))

// npm's own --omit=dev (11.19) leaves out what a development dependency asks for as a peer, Koa and zod among them.
const components = all.components.filter(
  ({ properties = [] }) => !properties.some((property) => property.name === 'cdx:npm:package:development'),
)
const shipped = new Set(components.map((component) => component['bom-ref']))
const isShipped = (ref: string): boolean => shipped.has(ref) || ref.startsWith(`${name}@`)
const dependencies = all.dependencies.filter(({ ref }) => isShipped(ref))
for (const one of dependencies) one.dependsOn = one.dependsOn?.filter(isShipped) ?? []
// npm names the whole after the folder that it lies in.
all.metadata.component.name = name
process.stdout.write(`${JSON.stringify({ ...all, components, dependencies }, null, 2)}\n`)
