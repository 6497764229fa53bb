// Brings the files of a model into MODEL_DIR: resumable, checked against the catalog, and in place only when whole.
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { filesFor, type CatalogFile, type Device } from './catalog.ts'
import { withDirectoryLock } from './directory-lock.ts'
import { expected, readLock, writeLocked } from './download/lock-file.ts'
import { type DownloadProgress, fetchFile } from './download/transfer-file.ts'
import { type DownloadedModel, verifyModel } from './download/verify-model.ts'
import type { Hub } from './hub.ts'

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
