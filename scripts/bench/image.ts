// What the image weighs, layer by layer, and that it serves: both variants of the Dockerfile, built by buildah and started
// by podman as a user without privileges on a read-only root. Where the base cannot be pulled, one of the same name is made
// by debootstrap with the same Node. Needs root, buildah, and for these two podman and debootstrap.
import { execFileSync, spawnSync } from 'node:child_process'
import { createReadStream, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createGunzip } from 'node:zlib'
import { freePort } from '../../test/support/programs.ts'
import { makeImageBase } from './image-base.ts'
import { describeFigure } from './setup-figures.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const DOCKERFILE = readFileSync(join(ROOT, 'Dockerfile'), 'utf8')
const BASE = /^ARG NODE=(\S+)$/mu.exec(DOCKERFILE)?.[1] ?? ''
const VARIANTS = ['without', 'with'] as const
/** Megabytes on a disk. */
const AIMS = { without: 350, with: 900 }
const READY_MS = 60_000
const POLL_MS = 200
const QUESTION = 'How do I revoke an API key?'

interface Layer {
  digest: string
  size: number
}

const run = (program: string, words: readonly string[]): string =>
  execFileSync(program, words, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })

export async function benchImage(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'verbatim-image-'))
  try {
    if (!canHaveBase()) makeImageBase(`docker.io/library/${BASE}`, join(folder, 'base'))
    for (const variant of VARIANTS) {
      const image = build(variant, folder)
      await tellLayers(variant, image, join(folder, variant))
      if (spawnSync('podman', ['--version']).status === 0) await tellStart(image)
      else console.log('podman is not here, so the image was not started')
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const canHaveBase = (): boolean =>
  spawnSync('buildah', ['inspect', '--type', 'image', `docker.io/library/${BASE}`]).status === 0 ||
  spawnSync('buildah', ['pull', '-q', `docker.io/library/${BASE}`]).status === 0

/** buildah below 1.30 finds no stage whose name holds an argument, so the name is written out. */
function build(variant: (typeof VARIANTS)[number], folder: string): string {
  const file = join(folder, `Dockerfile.${variant}`)
  writeFileSync(file, DOCKERFILE.replaceAll('${CHROMIUM}', variant))
  const image = `localhost/verbatim:${variant}-chromium`
  const startedAt = Date.now()
  execFileSync(
    'buildah',
    ['bud', '--isolation', 'chroot', '--layers', '--format', 'docker', '-f', file, '-t', image, '.'],
    {
      cwd: ROOT,
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  )
  console.log(`\n${image}: built in ${((Date.now() - startedAt) / 1000).toFixed(0)} s`)
  return image
}

/** Each layer as a registry ships it and as it lies on a disk, with what made it. */
async function tellLayers(variant: (typeof VARIANTS)[number], image: string, folder: string): Promise<void> {
  run('buildah', ['push', '-q', image, `oci:${folder}:image`])
  const blob = (digest: string): string => join(folder, 'blobs', digest.replace(':', '/'))
  const read = (digest: string): unknown => JSON.parse(readFileSync(blob(digest), 'utf8'))
  const index = JSON.parse(readFileSync(join(folder, 'index.json'), 'utf8')) as { manifests: Layer[] }
  const manifest = read(index.manifests[0]?.digest ?? '') as { config: Layer; layers: Layer[] }
  const { history } = read(manifest.config.digest) as {
    history: { created_by?: string; empty_layer?: boolean }[]
  }
  const makers = history.filter(({ empty_layer: isEmpty }) => isEmpty !== true)
  const total = { shipped: 0, onDisk: 0 }
  for (const [place, { digest, size }] of manifest.layers.entries()) {
    const onDisk = await unpackedSize(blob(digest))
    total.shipped += size
    total.onDisk += onDisk
    const maker = (makers[place]?.created_by ?? '').replaceAll(/\s+/gu, ' ').slice(0, 90)
    console.log(`${megabytes(onDisk)} MB on a disk, ${megabytes(size)} shipped: ${maker}`)
  }
  console.log(`${megabytes(total.onDisk)} MB on a disk, ${megabytes(total.shipped)} shipped: all`)
  const all = { what: `image ${variant} Chromium, on a disk`, value: total.onDisk / 1e6, unit: 'MB' } as const
  console.log(describeFigure({ ...all, aim: AIMS[variant] }))
}

const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(1).padStart(6)

async function unpackedSize(path: string): Promise<number> {
  let size = 0
  for await (const chunk of createReadStream(path).pipe(createGunzip())) size += (chunk as Buffer).length
  return size
}

/** On a read-only root, healthy by the image's own check, and with an answer from its own documentation. */
async function tellStart(image: string): Promise<void> {
  const port = String(await freePort())
  const startedAt = Date.now()
  const limits = [
    '--read-only',
    '--cap-drop',
    'ALL',
    '--tmpfs',
    '/tmp',
    '--network',
    'host',
    '--shm-size',
    '1g',
  ]
  const security = ['--security-opt', `seccomp=${join(ROOT, 'deploy', 'seccomp.json')}`]
  const words = ['run', '-d', ...limits, ...security, '-e', `PORT=${port}`, '-e', 'HOST=127.0.0.1', image]
  const container = run('podman', words).trim()
  try {
    await untilHealthy(container)
    const seconds = ((Date.now() - startedAt) / 1000).toFixed(1)
    const log = spawnSync('podman', ['logs', container], { encoding: 'utf8' })
    const key = /vbt_\w+/u.exec(log.stdout + log.stderr)?.[0] ?? ''
    const response = await fetch(`http://127.0.0.1:${port}/v1/search`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ query: QUESTION, search_depth: 'exhaustive' }),
    })
    const isRight = (await response.text()).includes('To revoke an API key')
    console.log(`healthy after ${seconds} s, ${isRight ? 'and answers' : `but answers ${response.status}`}`)
    console.log(run('podman', ['exec', container, 'node', 'dist/main.js', 'doctor']).trim())
  } finally {
    run('podman', ['rm', '-f', container])
  }
}

async function untilHealthy(container: string): Promise<void> {
  const deadline = Date.now() + READY_MS
  while (spawnSync('podman', ['healthcheck', 'run', container]).status !== 0) {
    if (Date.now() > deadline) throw new Error(run('podman', ['logs', container]))
    await sleep(POLL_MS)
  }
}
