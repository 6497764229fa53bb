// What we ship that others wrote: the list of it is valid, its licences are such that we may, and the audit fails for
// known holes and for nothing else. The registry here is one on loopback, asked by the real npm.
import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Spec, Validation } from '@cyclonedx/cyclonedx-library'
import satisfies from 'spdx-satisfies'
import { afterEach, describe, expect, test } from 'vitest'
import { listenOnLoopback } from '../support/loopback.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

interface Component {
  name: string
  version: string
  licenses?: { license?: { id?: string; name?: string }; expression?: string }[]
}
interface Sbom {
  metadata: { component: { name: string } }
  components: Component[]
}

/** Licences that ask for no more than their text, as SPDX names them. */
const ALLOWED = ['MIT', 'ISC', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD', 'BlueOak-1.0.0']
/** Named one by one, with the reason why they may ship in spite of their licence. */
const EXCEPTIONS: readonly { name: RegExp; licence: string; reason: string }[] = [
  {
    name: /^@img\/sharp-/u,
    licence: 'LGPL-3.0-or-later',
    reason:
      'libvips, a shared library of its own that anyone may replace; optional, and images are never read',
  },
]

let text = ''
const sbom = (): Sbom => {
  text ||= spawnSync(process.execPath, ['--import', 'tsx', join('scripts', 'sbom.ts')], {
    cwd: ROOT,
    encoding: 'utf8',
  }).stdout
  return JSON.parse(text) as Sbom
}
const licenceOf = ({ licenses = [] }: Component): string =>
  licenses
    .map(({ license, expression }) => expression ?? license?.id ?? license?.name ?? 'none')
    .join(' AND ') || 'none'

describe('the list of what ships', () => {
  test('is valid CycloneDX by the official schema, names us, and holds every direct dependency', async () => {
    const { metadata, components } = sbom()
    const faults = await new Validation.JsonStrictValidator(Spec.Version.v1dot5).validate(text)
    expect(faults).toBeNull()
    expect(metadata.component.name).toBe('verbatim')
    const listed = new Set(components.map(({ name }) => name))
    const { dependencies } = (await import('../../package.json', { with: { type: 'json' } })).default
    expect(Object.keys(dependencies).filter((name) => !listed.has(name))).toEqual([])
    expect(listed).not.toContain('vitest')
  })

  test('names no licence that asks more than to be quoted, but for exceptions with a reason', () => {
    const refused = sbom().components.filter((component) => {
      const exception = EXCEPTIONS.find(({ name }) => name.test(component.name))
      const allowed = exception === undefined ? ALLOWED : [...ALLOWED, exception.licence]
      return licenceOf(component) === 'none' || !satisfies(licenceOf(component), allowed)
    })
    expect(refused.map((component) => `${component.name}: ${licenceOf(component)}`)).toEqual([])
  })
})

describe('the audit', () => {
  /** A folder with one dependency, and a registry that tells `advisories` of it, or `status` and nothing. */
  async function auditWith(advisories: object, status = 200) {
    const folder = mkdtempSync(join(tmpdir(), 'verbatim-audit-'))
    closers.push(() => rmSync(folder, { recursive: true, force: true }))
    const manifest = { name: 'of-the-test', version: '1.0.0', dependencies: { leaky: '1.0.0' } }
    writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
    const packages = { '': manifest, 'node_modules/leaky': { version: '1.0.0', license: 'MIT' } }
    const { name, version } = manifest
    writeFileSync(
      join(folder, 'package-lock.json'),
      JSON.stringify({ name, version, lockfileVersion: 3, requires: true, packages }),
    )
    const registry = createServer((request, response) => {
      const isBulk = request.url?.endsWith('/advisories/bulk') === true
      request.resume()
      response.writeHead(isBulk ? status : 404, { 'Content-Type': 'application/json' })
      response.end(isBulk && status === 200 ? JSON.stringify(advisories) : '{}')
    })
    const registryUrl = await listenOnLoopback(registry)
    closers.push(() => registry.close())
    const env = {
      ...process.env,
      npm_config_registry: registryUrl,
      npm_config_cache: folder,
    }
    const script = [
      join(ROOT, 'node_modules', 'tsx', 'dist', 'loader.mjs'),
      join(ROOT, 'scripts', 'audit.ts'),
    ]
    return new Promise<{ code: number; said: string }>((resolve) => {
      const child = execFile(
        process.execPath,
        ['--import', ...script],
        { cwd: folder, env, encoding: 'utf8' },
        (_error, stdout, stderr) => resolve({ code: child.exitCode ?? -1, said: stdout + stderr }),
      )
    })
  }
  const advisory = (severity: string) => ({
    leaky: [
      {
        id: 1,
        url: 'https://advisories.example/1',
        title: 'It leaks',
        severity,
        vulnerable_versions: '<2.0.0',
        cwe: [],
        cvss: { score: 8, vectorString: null },
      },
    ],
  })

  test.each(['high', 'critical'])('fails for a known hole that is %s, and names it', async (severity) => {
    const { code, said } = await auditWith(advisory(severity))
    expect(said).toContain(`leaky (${severity}, in node_modules/leaky)`)
    expect(code).toBe(1)
  })

  test.each([
    ['no hole', {}],
    ['a moderate one', advisory('moderate')],
  ])('passes with %s', async (_, known) => {
    const { code, said } = await auditWith(known)
    expect(said).toContain('Known high or critical holes: nothing found')
    expect(code).toBe(0)
  })

  test('says loudly that it could not ask, and passes', async () => {
    const { code, said } = await auditWith({}, 405)
    expect(said).toContain('*** Known high or critical holes WERE NOT CHECKED')
    expect(code).toBe(0)
  })
})
