// What the image holds and weighs, and that it serves, proven without a container engine: the Dockerfile's steps are done in
// a clean root. `npm run bench -- image` builds the image itself where buildah is.
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  bytesOf,
  canMakeImageRoot,
  endImageRoot,
  makeImageRoot,
  programsIn,
  startImageRoot,
} from '../support/image-root.ts'
import { freePort, waitUntil } from '../support/programs.ts'
import { registerSecretsIn } from '../support/suite-secrets.ts'

/** Megabytes on a disk at most, by issue; an edit of the sources compressed. */
const MOST = { without: 350, with: 900, edit: 5 }
/** What lies below the application, as weighed in the image itself (docs/decisions/14-image.md): the Node here may be another. */
const BASE = { without: 117, with: 192 + 451 }
const START_MS = 120_000

describe.skipIf(!canMakeImageRoot)('the image', () => {
  const folder = mkdtempSync(join(tmpdir(), 'verbatim-image-root-'))
  let root = ''
  beforeAll(() => {
    root = makeImageRoot(folder)
  }, 600_000)
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const megabytes = (...path: string[]): number => bytesOf(join(root, ...path)) / 1e6

  test('without Chromium holds Node, an init process and the service, and no shell, package manager or compiler', () => {
    const programs = programsIn(root)
    expect(programs).toEqual(expect.arrayContaining(['node', 'tini']))
    const unwanted =
      /^(?:sh|bash|dash|busybox|apt.*|dpkg|npm|npx|corepack|yarn|gcc|g\+\+|make|python.*|perl)$/u
    expect(programs.filter((name) => unwanted.test(name))).toEqual([])
    expect(programs.length).toBeLessThan(30)
  })

  test('holds of the application what runs or is read, and neither sources nor tests nor what they are made with', () => {
    expect(readdirSync(join(root, 'app')).toSorted()).toEqual([
      'CHANGELOG.md',
      'dist',
      'docs',
      'model-store',
      'models',
      'node_modules',
      'package.json',
      'packages',
      'public',
    ])
    const files = readdirSync(join(root, 'app'), { recursive: true, encoding: 'utf8' })
    const unwanted =
      /\.(?:map|tsx?|py|tgz)$|^models\/(?:training|recipes)|^docs\/decisions|\/esbuild\/|\/vitest\//u
    expect(files.filter((path) => unwanted.test(path))).toEqual([])
    for (const needed of ['dist/main.js', 'dist/NOTICES.txt', 'models/catalog.json', 'docs/openapi.json'])
      expect(files).toContain(needed)
  })

  test('weighs at most 350 MB without Chromium, 900 with it, and an edit of the sources ships at most 5', () => {
    const application = megabytes('app')
    const dist = readdirSync(join(root, 'app', 'dist')).map((name) =>
      readFileSync(join(root, 'app', 'dist', name)),
    )
    const sizes = {
      without: Math.max(BASE.without, megabytes() - application) + application,
      with: BASE.with + application,
      edit: gzipSync(Buffer.concat(dist)).length / 1e6,
    }
    console.log(
      'MB:',
      JSON.stringify({
        ...sizes,
        application,
        packages: megabytes('app', 'node_modules'),
        models: megabytes('app', 'models'),
      }),
    )
    for (const [what, most] of Object.entries(MOST))
      expect([what, sizes[what as keyof typeof sizes] <= most]).toEqual([what, true])
  })

  test('serves as its own user on a root that nobody can write, and tells remedies that fit a container', async () => {
    const port = await freePort()
    const settings = [`PORT=${port}`, 'HOST=127.0.0.1', 'LOG_LEVEL=error']
    const child = startImageRoot(root, join(folder, 'data'), settings)
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        output += chunk.toString()
        registerSecretsIn(chunk.toString())
      })
    try {
      await waitUntil(() => {
        if (child.exitCode === null && !output.includes('curl -s')) throw new Error(output)
      }, START_MS)
      expect([child.exitCode, output]).toEqual([null, expect.stringContaining('curl -s')])
      expect(output).toContain('docker exec CONTAINER node dist/main.js index add URL')
      expect(output).not.toContain('npm run')
      expect((await fetch(`http://127.0.0.1:${port}/ready`)).status).toBe(200)
      const response = await fetch(`http://127.0.0.1:${port}/v1/search`, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${/API key\s+(vbt_\w+)/u.exec(output)?.[1] ?? ''}`,
          'Content-Type': 'application/json',
        },
        body: JSON.stringify({ query: 'How do I revoke an API key?' }),
      })
      expect(await response.text()).toContain('To revoke an API key')
    } finally {
      await endImageRoot(child)
    }
  })
})
