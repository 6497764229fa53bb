// What was trusted on first use lies beside the models: the commit each came from, and size and digest of its files.
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { CatalogFile } from '../catalog.ts'

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

/** What was trusted on first use, by model id. An absent file is an empty lock. */
export async function readLock(modelDirectory: string): Promise<Lock> {
  const text = await readFile(join(modelDirectory, LOCK_FILE), 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '{}'
    throw error
  })
  return lockSchema.parse(JSON.parse(text))
}

/** Puts `locked` in the place of what was kept of the model. */
export async function writeLocked(modelDirectory: string, id: string, locked: LockedModel): Promise<void> {
  const lock = { ...(await readLock(modelDirectory)), [id]: locked }
  const path = join(modelDirectory, LOCK_FILE)
  await writeFile(`${path}.part`, `${JSON.stringify(lock, null, 2)}\n`)
  await rename(`${path}.part`, path)
}

/** What a file must be: as the catalog says, else as the first download found it, else unknown. */
export function expected(
  file: CatalogFile,
  locked: LockedModel | undefined,
): Pick<CatalogFile, 'sizeBytes' | 'sha256'> {
  const known = locked?.files[file.path]
  return {
    sizeBytes: file.sizeBytes ?? known?.sizeBytes ?? null,
    sha256: file.sha256 ?? known?.sha256 ?? null,
  }
}
