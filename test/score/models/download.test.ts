import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { createServer, request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { CatalogModel } from '../../../src/score/models/catalog.ts'
import { downloadModel } from '../../../src/score/models/download.ts'
import { LOCK_FILE, readLock } from '../../../src/score/models/download/lock-file.ts'
import { DigestMismatchError } from '../../../src/score/models/download/transfer-file.ts'
import { verifyModel } from '../../../src/score/models/download/verify-model.ts'
import {
  HubRefusedError,
  HubUnavailableError,
  openHub,
  type HubOptions,
} from '../../../src/score/models/hub.ts'
import { patternedBytes, sha256Of, startHub } from '../../support/hub-server.ts'
import { endServer, listenOnLoopback } from '../../support/loopback.ts'

const WEIGHTS = patternedBytes(300_000)
const CONFIG = Buffer.from('{"model_type":"bert"}')
const COMMIT = 'c'.repeat(40)
const PINNED = 'a'.repeat(40)
const never = new AbortController().signal

function modelOf(pinned: boolean): CatalogModel {
  const known = (bytes: Buffer) =>
    pinned ? { sizeBytes: bytes.length, sha256: sha256Of(bytes) } : { sizeBytes: null, sha256: null }
  return {
    hub: 'owner/tiny',
    revision: pinned ? PINNED : null,
    licence: 'Apache-2.0',
    kind: 'embedding',
    tokenizer: 'word-piece',
    dimensions: 8,
    maximumTokens: 128,
    pooling: 'mean',
    files: [
      { path: 'config.json', ...known(CONFIG) },
      { path: 'onnx/model_quantized.onnx', device: 'cpu', ...known(WEIGHTS) },
      { path: 'onnx/model.onnx', device: 'cuda', sizeBytes: null, sha256: null },
    ],
  }
}

let hubServer: Awaited<ReturnType<typeof startHub>>
let modelDirectory: string
const openHubs: ReturnType<typeof openHub>[] = []

beforeEach(async () => {
  hubServer = await startHub({
    'owner/tiny/config.json': CONFIG,
    'owner/tiny/onnx/model_quantized.onnx': WEIGHTS,
  })
  modelDirectory = await mkdtemp(join(tmpdir(), 'verbatim-models-'))
})

afterEach(async () => {
  await Promise.all(openHubs.splice(0).map((hub) => hub.close()))
  await hubServer.close()
  await rm(modelDirectory, { recursive: true })
})

function hubFor(options: Partial<HubOptions> = {}) {
  const hub = openHub({ endpoint: hubServer.url, offline: false, firstBackoffMs: 1, ...options })
  openHubs.push(hub)
  return hub
}

const download = (model: CatalogModel, options: Partial<HubOptions> = {}, signal: AbortSignal = never) =>
  downloadModel(
    'tiny',
    model,
    { hub: hubFor(options), modelDirectory, device: 'cpu', onProgress: () => {} },
    signal,
  )

const weightsOnDisk = () => readFile(join(modelDirectory, 'tiny', 'onnx', 'model_quantized.onnx'))
const weightsPart = () => join(modelDirectory, 'tiny', 'onnx', 'model_quantized.onnx.part')
/** A body that breaks off after `bytes`, when the part on disk has grown to `atBytes`. */
const cutAfter = (bytes: number, atBytes = bytes) => ({
  kind: 'cut' as const,
  afterBytes: bytes,
  taken: () => vi.waitFor(async () => expect((await stat(weightsPart())).size).toBe(atBytes), 10_000),
})
const rangesAsked = () =>
  hubServer.seen.filter(({ path }) => path.endsWith('.onnx')).map(({ range }) => range)

describe('downloading a model', () => {
  it('brings every file of the device byte for byte, from the pinned revision, and leaves nothing else', async () => {
    await expect(download(modelOf(true))).resolves.toBe('downloaded')
    expect((await weightsOnDisk()).equals(WEIGHTS)).toBe(true)
    expect(await readdir(join(modelDirectory, 'tiny'), { recursive: true })).toEqual(
      expect.arrayContaining(['config.json', 'onnx', join('onnx', 'model_quantized.onnx')]),
    )
    expect(await readdir(join(modelDirectory, 'tiny', 'onnx'))).toHaveLength(1)
    expect(hubServer.seen.every(({ path }) => path.startsWith(`/owner/tiny/resolve/${PINNED}/`))).toBe(true)
  })

  it('asks the hub for nothing when everything is there and right', async () => {
    await download(modelOf(true))
    hubServer.seen.length = 0
    await expect(download(modelOf(true))).resolves.toBe('already there')
    expect(hubServer.seen).toEqual([])
  })

  it('resumes where the connection broke, asking only for the bytes that are missing', async () => {
    hubServer.faults.push(null, cutAfter(100_000), cutAfter(70_000, 170_000))
    await download(modelOf(true))
    expect((await weightsOnDisk()).equals(WEIGHTS)).toBe(true)
    expect(rangesAsked()).toEqual([null, 'bytes=100000-', 'bytes=170000-'])
  })

  it('resumes what an earlier run left behind', async () => {
    await mkdir(join(modelDirectory, 'tiny', 'onnx'), { recursive: true })
    await writeFile(weightsPart(), WEIGHTS.subarray(0, 250_000))
    await download(modelOf(true))
    expect((await weightsOnDisk()).equals(WEIGHTS)).toBe(true)
    expect(rangesAsked()).toEqual(['bytes=250000-'])
  })

  it('starts over when the hub answers a range with the whole file', async () => {
    hubServer.faults.push(null, cutAfter(100_000), { kind: 'ignore range' })
    await download(modelOf(true))
    expect((await weightsOnDisk()).equals(WEIGHTS)).toBe(true)
  })

  it('finishes a part that was complete but never moved into place', async () => {
    await mkdir(join(modelDirectory, 'tiny', 'onnx'), { recursive: true })
    await writeFile(weightsPart(), WEIGHTS)
    await download(modelOf(true))
    expect((await weightsOnDisk()).equals(WEIGHTS)).toBe(true)
  })

  it('fetches a corrupt file anew, once', async () => {
    hubServer.faults.push(null, { kind: 'corrupt' })
    await download(modelOf(true))
    expect((await weightsOnDisk()).equals(WEIGHTS)).toBe(true)
  })

  it('recovers when the part left behind holds wrong bytes', async () => {
    await mkdir(join(modelDirectory, 'tiny', 'onnx'), { recursive: true })
    await writeFile(weightsPart(), patternedBytes(50_000, 7))
    await download(modelOf(true))
    expect((await weightsOnDisk()).equals(WEIGHTS)).toBe(true)
  })

  it('refuses a file that is corrupt twice, and leaves no trace of it', async () => {
    hubServer.faults.push(null, { kind: 'corrupt' }, { kind: 'corrupt' })
    await expect(download(modelOf(true))).rejects.toThrow(DigestMismatchError)
    expect(await readdir(join(modelDirectory, 'tiny', 'onnx'))).toEqual([])
  })

  it('refuses a file that is longer than the catalog says before reading it all', async () => {
    hubServer.faults.push(null, { kind: 'append', bytes: 5_000_000 }, { kind: 'append', bytes: 5_000_000 })
    await expect(download(modelOf(true))).rejects.toThrow(/300000 are expected/u)
  })

  it('replaces a file on disk that was damaged after it was downloaded', async () => {
    await download(modelOf(true))
    await writeFile(join(modelDirectory, 'tiny', 'onnx', 'model_quantized.onnx'), WEIGHTS.subarray(1))
    await expect(download(modelOf(true))).resolves.toBe('downloaded')
    expect((await weightsOnDisk()).equals(WEIGHTS)).toBe(true)
  })

  it('tells its progress as bytes of a known total that only grow', async () => {
    const heard: number[] = []
    const onProgress = (progress: { path: string; receivedBytes: number; totalBytes: number | null }) => {
      if (!progress.path.endsWith('.onnx')) return
      expect(progress.totalBytes).toBe(WEIGHTS.length)
      heard.push(progress.receivedBytes)
    }
    await downloadModel(
      'tiny',
      modelOf(true),
      { hub: hubFor(), modelDirectory, device: 'cpu', onProgress },
      never,
    )
    expect(heard.at(-1)).toBe(WEIGHTS.length)
    expect(heard).toEqual(heard.toSorted((a, b) => a - b))
  })
})

describe('two processes at once', () => {
  it('bring a model once: the second waits and finds it there', async () => {
    const outcomes = await Promise.all([download(modelOf(true)), download(modelOf(true))])
    expect(outcomes.toSorted()).toEqual(['already there', 'downloaded'])
    expect(hubServer.seen).toHaveLength(2)
    expect((await weightsOnDisk()).equals(WEIGHTS)).toBe(true)
  })

  it('take over the lock of one that died', async () => {
    const lock = join(modelDirectory, '.lock')
    await writeFile(lock, '')
    const longAgo = new Date(Date.now() - 60_000)
    await utimes(lock, longAgo, longAgo)
    await expect(download(modelOf(true))).resolves.toBe('downloaded')
    expect(await readdir(modelDirectory)).not.toContain('.lock')
  })
})

describe('a hub in trouble', () => {
  it('follows redirects, relative ones and to another host', async () => {
    const storage = await startHub({ 'some/where/blob': WEIGHTS })
    hubServer.faults.push(
      { kind: 'redirect', location: `/owner/tiny/resolve/${PINNED}/config.json?again` },
      null,
      { kind: 'redirect', location: `${storage.url}/some/where/resolve/x/blob` },
    )
    await download(modelOf(true))
    expect((await weightsOnDisk()).equals(WEIGHTS)).toBe(true)
    expect(storage.seen).toHaveLength(1)
    await storage.close()
  })

  it.each([
    ['in circles', 'same'],
    ['to a file of this machine', 'file:///etc/passwd'],
  ])('refuses to be redirected %s', async (_name, location) => {
    const target = location === 'same' ? `/owner/tiny/resolve/${PINNED}/config.json` : location
    for (let count = 0; count < 10; count++) hubServer.faults.push({ kind: 'redirect', location: target })
    await expect(download(modelOf(true))).rejects.toThrow(HubRefusedError)
  })

  it('waits as long as Retry-After asks, on 429 and on 503', async () => {
    hubServer.faults.push({ kind: 'status', status: 429, headers: { 'retry-after': '1' } })
    hubServer.faults.push({ kind: 'status', status: 503, headers: { 'retry-after': '0' } })
    await expect(download(modelOf(true))).resolves.toBe('downloaded')
    const [first, second] = hubServer.seen
    expect((second?.atMs ?? 0) - (first?.atMs ?? 0)).toBeGreaterThanOrEqual(990)
  })

  it('gives up on a hub that stays overloaded, after six attempts', async () => {
    for (let count = 0; count < 20; count++) hubServer.faults.push({ kind: 'status', status: 503 })
    await expect(download(modelOf(true))).rejects.toThrow(HubUnavailableError)
    expect(hubServer.seen).toHaveLength(6)
  })

  it('does not ask twice for what is not there', async () => {
    delete hubServer.files['owner/tiny/config.json']
    await expect(download(modelOf(true))).rejects.toThrow(HubRefusedError)
    expect(hubServer.seen).toHaveLength(1)
  })

  it('says that the hub cannot be reached when nothing listens there', async () => {
    await expect(download(modelOf(true), { endpoint: 'http://127.0.0.1:9' })).rejects.toThrow(
      HubUnavailableError,
    )
  })

  it('says why at once when no TLS is agreed, and names the proxy it asks through', async () => {
    const secure = { endpoint: hubServer.url.replace('http:', 'https:') }
    await expect(download(modelOf(true), secure)).rejects.toThrow(
      /cannot be reached or stays overloaded \(ERR_SSL\w+\)\. .*NODE_EXTRA_CA_CERTS/u,
    )
    await expect(
      download(modelOf(true), { endpoint: 'http://127.0.0.1:9', httpProxy: 'http://127.0.0.1:9' }),
    ).rejects.toThrow('(ECONNREFUSED). It is asked through HTTP_PROXY or HTTPS_PROXY.')
  })

  it('sends nothing at all in offline mode', async () => {
    await expect(download(modelOf(true), { offline: true })).rejects.toThrow(/Offline mode/u)
    expect(hubServer.seen).toEqual([])
  })

  it('stops when it is told to, and the next run resumes', async () => {
    const controller = new AbortController()
    hubServer.faults.push(null, cutAfter(100_000), { kind: 'hang' })
    const stopped = download(modelOf(true), {}, controller.signal)
    const giveUp = setInterval(() => {
      if (hubServer.seen.length === 3) controller.abort(new Error('enough'))
    }, 5)
    await expect(stopped).rejects.toThrow('enough')
    clearInterval(giveUp)
    hubServer.seen.length = 0
    await download(modelOf(true))
    expect(rangesAsked()).toEqual(['bytes=100000-'])
  })
})

describe('a model without known digests', () => {
  it('is trusted once: digests and the commit go to the lock file', async () => {
    await download(modelOf(false))
    const lock = await readLock(modelDirectory)
    expect(lock.tiny?.revision).toBe(COMMIT)
    expect(lock.tiny?.files['onnx/model_quantized.onnx']).toEqual({
      sizeBytes: WEIGHTS.length,
      sha256: sha256Of(WEIGHTS),
    })
    expect(hubServer.seen[0]?.path).toContain('/resolve/main/')
    expect(hubServer.seen[1]?.path).toContain(`/resolve/${COMMIT}/`)
  })

  it('is held to the lock file from then on', async () => {
    await download(modelOf(false))
    await rm(join(modelDirectory, 'tiny', 'onnx', 'model_quantized.onnx'))
    hubServer.files['owner/tiny/onnx/model_quantized.onnx'] = patternedBytes(WEIGHTS.length, 99)
    await expect(download(modelOf(false))).rejects.toThrow(DigestMismatchError)
  })
})

describe('verifying a model', () => {
  const verify = (model: CatalogModel) =>
    verifyModel(
      'tiny',
      model,
      { modelDirectory, directory: join(modelDirectory, 'tiny'), device: 'cpu' },
      never,
    )
  const stateOfWeights = async (model: CatalogModel) => (await verify(model)).at(-1)?.state

  it('tells missing, damaged, good and unknown apart', async () => {
    expect(await stateOfWeights(modelOf(true))).toBe('missing')
    await download(modelOf(true))
    expect(await stateOfWeights(modelOf(true))).toBe('good')
    const flipped = Buffer.from(WEIGHTS)
    flipped.writeUInt8(flipped.readUInt8(12_345) ^ 1, 12_345)
    await writeFile(join(modelDirectory, 'tiny', 'onnx', 'model_quantized.onnx'), flipped)
    expect(await stateOfWeights(modelOf(true))).toBe('damaged')
    await rm(join(modelDirectory, LOCK_FILE))
    expect(await stateOfWeights(modelOf(false))).toBe('unknown')
  })
})

describe('the way to the hub', () => {
  it('answers the probe: yes for a hub, no for a closed port, no when offline', async () => {
    expect(await hubFor().isReachable(never)).toBe(true)
    expect(await hubFor({ endpoint: 'http://127.0.0.1:9' }).isReachable(never)).toBe(false)
    expect(await hubFor({ offline: true }).isReachable(never)).toBe(false)
  })

  it('leads through the proxy, save for hosts that are exempt', async () => {
    const tunnels: string[] = []
    const proxy = createServer((incoming, response) => {
      tunnels.push(incoming.url ?? '')
      incoming.pipe(httpRequest(incoming.url ?? '', (answer) => answer.pipe(response)))
    })
    proxy.on('connect', (incoming, socket) => {
      tunnels.push(incoming.url ?? '')
      const [host, port] = (incoming.url ?? '').split(':')
      const upstream = connect(Number(port), host, () => {
        socket.write('HTTP/1.1 200 Connection Established\r\n\r\n')
        upstream.pipe(socket).pipe(upstream)
      })
      upstream.on('error', () => socket.destroy())
      socket.on('error', () => upstream.destroy())
    })
    const httpProxy = await listenOnLoopback(proxy)
    await download(modelOf(true), { httpProxy })
    expect((await weightsOnDisk()).equals(WEIGHTS)).toBe(true)
    expect(tunnels.length).toBeGreaterThan(0)
    const before = tunnels.length
    expect(await hubFor({ httpProxy, noProxy: '127.0.0.1' }).isReachable(never)).toBe(true)
    expect(tunnels).toHaveLength(before)
    await Promise.all(openHubs.splice(0).map((hub) => hub.close()))
    await endServer(proxy)
  })

  it('names a proxy that is no address', () => {
    expect(() => hubFor({ httpsProxy: 'proxy' })).toThrow('HTTPS_PROXY must be an address such as')
  })
})
