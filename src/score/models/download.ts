// Brings the files of a model into MODEL_DIR: resumable, checked against the catalog, and in place only when whole.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, readFile, rename, rm, stat, writeFile, type FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { filesFor, type CatalogFile, type CatalogModel, type Device } from './catalog.ts'
import { withDirectoryLock } from './directory-lock.ts'
import { headerOf, type Hub, type HubResponse } from './hub.ts'

/** Largest file that is accepted where the catalog knows no size. */
const MAX_UNPINNED_BYTES = 512 * 1024 * 1024
/** Bytes an attempt must bring to count as progress. */
const PROGRESS_BYTES = 64 * 1024
/** Times a file whose content is wrong is fetched again from its first byte. */
const MAX_FRESH_STARTS = 1

/** A file is not what the catalog or the lock file says, even when fetched anew. */
export class DigestMismatchError extends Error {
  override readonly name = 'DigestMismatchError'
}

const lockSchema = z.record(
  z.string(),
  z.object({
    /** The commit the files were taken from; null where the hub did not say. */
    revision: z.string().nullable(),
    files: z.record(z.string(), z.object({ sizeBytes: z.int(), sha256: z.string() })),
  }),
)
type Lock = z.infer<typeof lockSchema>
type LockedModel = Lock[string]

export const LOCK_FILE = 'models.lock.json'

/** Of the catalog, or as the hub describes it. */
type DownloadedModel = Pick<CatalogModel, 'hub' | 'revision' | 'files'>

/** What was trusted on first use, by model id. An absent file is an empty lock. */
export async function readLock(modelDirectory: string): Promise<Lock> {
  const text = await readFile(join(modelDirectory, LOCK_FILE), 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '{}'
    throw error
  })
  return lockSchema.parse(JSON.parse(text))
}

async function writeLocked(modelDirectory: string, id: string, locked: LockedModel): Promise<void> {
  const lock = { ...(await readLock(modelDirectory)), [id]: locked }
  const path = join(modelDirectory, LOCK_FILE)
  await writeFile(`${path}.part`, `${JSON.stringify(lock, null, 2)}\n`)
  await rename(`${path}.part`, path)
}

async function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    (found) => found.size,
    () => 0,
  )
}

/** SHA-256 of a file on disk, hexadecimal. */
async function digestOf(path: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path, { signal })) hash.update(chunk)
  return hash.digest('hex')
}

/** What a file must be: as the catalog says, else as the first download found it, else unknown. */
function expected(
  file: CatalogFile,
  locked: LockedModel | undefined,
): Pick<CatalogFile, 'sizeBytes' | 'sha256'> {
  const known = locked?.files[file.path]
  return {
    sizeBytes: file.sizeBytes ?? known?.sizeBytes ?? null,
    sha256: file.sha256 ?? known?.sha256 ?? null,
  }
}

export type FileState = 'good' | 'unknown' | 'missing' | 'damaged'

/**
 * Compares every file of a model with the catalog and the lock file, digests included. `unknown` is a file nobody has
 * a digest for: the repository's own, or one that was copied there by hand.
 */
export async function verifyModel(
  id: string,
  model: DownloadedModel,
  options: { modelDirectory: string; directory: string; device: Device },
  signal: AbortSignal,
): Promise<{ path: string; state: FileState }[]> {
  const locked = (await readLock(options.modelDirectory))[id]
  const states: { path: string; state: FileState }[] = []
  for (const file of filesFor(model, options.device)) {
    const path = join(options.directory, file.path)
    const { sizeBytes, sha256 } = expected(file, locked)
    const found = await sizeOf(path)
    let state: FileState
    if (found === 0) state = 'missing'
    else if (sizeBytes !== null && found !== sizeBytes) state = 'damaged'
    else if (sha256 === null) state = 'unknown'
    else state = (await digestOf(path, signal)) === sha256 ? 'good' : 'damaged'
    states.push({ path: file.path, state })
  }
  return states
}

export interface DownloadProgress {
  model: string
  path: string
  receivedBytes: number
  /** Null until the catalog or the hub says. */
  totalBytes: number | null
}

interface Transfer {
  hub: Hub
  id: string
  model: DownloadedModel
  revision: string
  file: CatalogFile
  /** Where the file goes; its unfinished part lies beside it as `.part`. */
  target: string
  want: Pick<CatalogFile, 'sizeBytes' | 'sha256'>
  onProgress: (progress: DownloadProgress) => void
}

/** RFC 9110 section 14.4: `bytes 100-199/200`. Total is null when the hub does not tell it. */
function contentRange(response: HubResponse): { start: number; total: number | null } | null {
  const match = /^bytes (\d+)-\d+\/(\d+|\*)$/u.exec(headerOf(response, 'content-range') ?? '')
  if (!match) return null
  return { start: Number(match[1]), total: match[2] === '*' ? null : Number(match[2]) }
}

/** The size the answer promises for the whole file, and the byte its body starts at. */
function promised(response: HubResponse, offset: number): { start: number; total: number | null } {
  if (response.statusCode === 206) return contentRange(response) ?? { start: offset, total: null }
  const length = Number(headerOf(response, 'content-length') ?? Number.NaN)
  return { start: 0, total: Number.isSafeInteger(length) ? length : null }
}

/** Appends the body to the part from `start` on, and stops at the limit. */
async function receive(
  transfer: Transfer,
  response: HubResponse,
  handle: FileHandle,
  progressed: () => void,
): Promise<void> {
  const { want, file, id } = transfer
  const offset = (await handle.stat()).size
  const { start, total } = promised(response, offset)
  const limit = want.sizeBytes ?? MAX_UNPINNED_BYTES
  if (start > offset || (total !== null && (want.sizeBytes === null ? total > limit : total !== limit))) {
    response.body.destroy()
    throw new DigestMismatchError(
      `${id}/${file.path}: the hub offers ${total ?? 'an unknown number of'} bytes, ${limit} are expected.`,
    )
  }
  let received = start
  let fresh = 0
  await handle.truncate(start)
  const body: AsyncIterable<Uint8Array> = response.body
  for await (const bytes of body) {
    if (received + bytes.length > limit) {
      response.body.destroy()
      throw new DigestMismatchError(`${id}/${file.path}: more than the ${limit} bytes expected.`)
    }
    await handle.write(bytes, 0, bytes.length, received)
    received += bytes.length
    fresh += bytes.length
    if (fresh >= PROGRESS_BYTES) progressed()
    transfer.onProgress({
      model: id,
      path: file.path,
      receivedBytes: received,
      totalBytes: want.sizeBytes ?? total,
    })
  }
  if (total !== null && received < total)
    throw Object.assign(new Error('The body ended early.'), { code: 'ECONNRESET' })
  await handle.sync()
}

/** Fetches what the part lacks. Resolves to the commit the hub named. */
async function fetchPart(transfer: Transfer, part: string, signal: AbortSignal): Promise<string | undefined> {
  const { hub, model, revision, file } = transfer
  const path = `${model.hub ?? ''}/resolve/${revision}/${file.path}`
  const headers = async (): Promise<Record<string, string>> => {
    const offset = await sizeOf(part)
    // Compression would make the range and the length speak of other bytes than the file's.
    return { 'accept-encoding': 'identity', ...(offset > 0 ? { range: `bytes=${offset}-` } : {}) }
  }
  return hub.get(
    path,
    headers,
    async (response, commit, progressed) => {
      if (response.statusCode === 416) {
        // The part is as long as the file, or longer: the digest that follows tells which.
        await response.body.dump()
        return commit
      }
      const handle = await open(part, 'a+').then(async (created) => {
        await created.close()
        return open(part, 'r+')
      })
      try {
        await receive(transfer, response, handle, progressed)
      } finally {
        await handle.close()
      }
      return commit
    },
    signal,
  )
}

/** Fetches one file whole, checks it as it lies on disk and moves it into place. */
async function fetchFile(
  transfer: Transfer,
  signal: AbortSignal,
): Promise<{ commit: string | undefined; sizeBytes: number; sha256: string }> {
  const { id, file, target, want } = transfer
  const part = `${target}.part`
  await mkdir(dirname(target), { recursive: true })
  for (let start = 0; ; start++) {
    try {
      const commit = await fetchPart(transfer, part, signal)
      const sizeBytes = await sizeOf(part)
      const sha256 = await digestOf(part, signal)
      const isWhole = sizeBytes > 0 && (want.sizeBytes === null || sizeBytes === want.sizeBytes)
      if (!isWhole || (want.sha256 !== null && sha256 !== want.sha256)) {
        throw new DigestMismatchError(`${id}/${file.path}: the file received is not the one in the catalog.`)
      }
      await rename(part, target)
      return { commit, sizeBytes, sha256 }
    } catch (error) {
      if (!(error instanceof DigestMismatchError)) throw error
      await rm(part, { force: true })
      if (start >= MAX_FRESH_STARTS) throw error
    }
  }
}

export interface DownloadOptions {
  hub: Hub
  /** MODEL_DIR: models lie in folders named by their id, the lock file beside them. */
  modelDirectory: string
  device: Device
  onProgress: (progress: DownloadProgress) => void
}

/**
 * Makes a model of the catalog complete in `modelDirectory/id`. Files that are already right are left alone; broken
 * downloads resume. Where the catalog has no digest, the first download is trusted and kept in the lock file, the
 * commit it came from included.
 *
 * @throws {DigestMismatchError} when a file is wrong twice; {HubUnavailableError} and {HubRefusedError} as `Hub.get`.
 */
export async function downloadModel(
  id: string,
  model: DownloadedModel,
  options: DownloadOptions,
  signal: AbortSignal,
): Promise<'already there' | 'downloaded'> {
  if (model.hub === null) return 'already there'
  // Looked at before anything is written: a complete MODEL_DIR may be read-only.
  if ((await missingFiles(id, model, options, signal)).length === 0) return 'already there'
  await mkdir(options.modelDirectory, { recursive: true })
  // The whole of MODEL_DIR, because its lock file is shared by the models.
  return withDirectoryLock(options.modelDirectory, () => complete(id, model, options, signal), signal)
}

/** The files that are not there or not right. */
async function missingFiles(
  id: string,
  model: DownloadedModel,
  { modelDirectory, device }: DownloadOptions,
  signal: AbortSignal,
): Promise<CatalogFile[]> {
  const directory = join(modelDirectory, id)
  const states = await verifyModel(id, model, { modelDirectory, directory, device }, signal)
  const wanted = new Set(
    states.filter(({ state }) => state === 'missing' || state === 'damaged').map(({ path }) => path),
  )
  return filesFor(model, device).filter(({ path }) => wanted.has(path))
}

/** Fetches what is missing or damaged in the model's folder. */
async function complete(
  id: string,
  model: DownloadedModel,
  options: DownloadOptions,
  signal: AbortSignal,
): Promise<'already there' | 'downloaded'> {
  const { hub, modelDirectory, onProgress } = options
  // Once more: whoever held the lock before may have brought them.
  const missing = await missingFiles(id, model, options, signal)
  for (const file of missing) {
    const locked = (await readLock(modelDirectory))[id]
    const revision = model.revision ?? locked?.revision ?? 'main'
    const target = join(modelDirectory, id, file.path)
    const transfer = { hub, id, model, revision, file, target, want: expected(file, locked), onProgress }
    const { commit, sizeBytes, sha256 } = await fetchFile(transfer, signal)
    await writeLocked(modelDirectory, id, {
      revision: model.revision ?? locked?.revision ?? commit ?? null,
      files: { ...locked?.files, [file.path]: { sizeBytes, sha256 } },
    })
  }
  return missing.length === 0 ? 'already there' : 'downloaded'
}
