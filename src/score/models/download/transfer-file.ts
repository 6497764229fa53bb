// Fetches one file of a model: goes on where an earlier try broke off, and puts it in place when its digest is right.
import { mkdir, open, rename, rm, type FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { CatalogFile } from '../catalog.ts'
import { headerOf, type Hub, type HubResponse } from '../hub.ts'
import { digestOf, type DownloadedModel, sizeOf } from './verify-model.ts'

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
export async function fetchFile(
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
