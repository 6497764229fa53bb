// Compares the files of a model, as they lie on the disk, with what they must be.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { filesFor, type CatalogModel, type Device } from '../catalog.ts'
import { expected, readLock } from './lock-file.ts'

/** Of the catalog, or as the hub describes it. */
export type DownloadedModel = Pick<CatalogModel, 'hub' | 'revision' | 'files'>

/** 0 for a file that is not there. */
export async function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    (found) => found.size,
    () => 0,
  )
}

/** SHA-256 of a file on disk, hexadecimal. */
export async function digestOf(path: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path, { signal })) hash.update(chunk)
  return hash.digest('hex')
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
