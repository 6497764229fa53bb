// Signing keys in a file of the data folder that its owner alone can read.
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { z } from 'zod'
import { errorCode, OperatorError } from '../../errors.ts'
import { makeFolder } from '../../folders.ts'
import { keptKeySchema, makeKey, replaceKeys, type KeptKey, type KeyStore } from './signing-key.ts'

/** `verbatim backup` copies it, too. */
export const KEY_FILE = 'signing-keys.json'

const fileSchema = z.object({ keys: z.array(keptKeySchema).min(1) })

/**
 * Keys in `dataDir`; the first is made when they are first asked for. What is asked of it throws OperatorError when the
 * file is damaged, or cannot be read or written.
 */
export function createKeyFile(dataDir: string): KeyStore {
  const path = join(dataDir, KEY_FILE)

  async function read(): Promise<KeptKey[] | null> {
    const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null
      throw error
    })
    return text === null ? null : parse(text, path)
  }

  /** In full or not at all: `put` gives the finished file its name. */
  async function write(keys: readonly KeptKey[], put: (from: string, to: string) => Promise<void>) {
    makeFolder(dataDir, 0o700)
    const part = `${path}.${randomUUID()}`
    try {
      await writeFile(part, `${JSON.stringify({ keys }, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
      await put(part, path)
    } finally {
      // On a full disk too, where a part of a secret would be left for each page that is to be signed.
      await rm(part, { force: true })
    }
  }

  async function load(): Promise<KeptKey[]> {
    const kept = await read()
    if (kept !== null) return kept
    const made = [makeKey()]
    try {
      // A link, unlike a renaming, never takes the place of the key that another process made meanwhile.
      await write(made, link)
      return made
    } catch (error) {
      const others = await read()
      if (others === null) throw error
      return others
    }
  }

  async function replace(areTrusted: boolean): Promise<void> {
    await write(replaceKeys((await read()) ?? [], areTrusted), rename)
  }

  function refuse(cause: unknown): never {
    // Whatever has no code of the system is a sentence already, or a fault of ours.
    if (errorCode(cause) === '') throw cause
    throw new OperatorError(
      `${path} cannot be read or written. Check the owner and mode of the file and of its folder, and that the disk is neither full nor read-only.`,
      { cause },
    )
  }

  return {
    load: () => load().catch(refuse),
    replace: (areTrusted) => replace(areTrusted).catch(refuse),
    close: async () => undefined,
  }
}

/** Damage is never mended by a new key: it would make all earlier proofs worthless without a word. */
function parse(text: string, path: string): KeptKey[] {
  try {
    return fileSchema.parse(JSON.parse(text)).keys
  } catch {
    throw new OperatorError(
      `${path} is damaged. Restore it from a backup; or remove it, and proofs signed before count as unknown.`,
    )
  }
}
