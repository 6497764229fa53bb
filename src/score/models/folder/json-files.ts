// The JSON files beside a model: there or not, and of the shape that is read.
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import type { z } from 'zod'

/** A model's files say something that cannot be obeyed; the message goes on after "cannot be read: ". */
export class ModelUnreadableError extends Error {
  override readonly name = 'ModelUnreadableError'
}

const isAbsent = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')

/**
 * The content of a file; null when it is not there.
 * @throws {ModelUnreadableError} when it is no JSON of that shape.
 */
export async function readJsonFile<Schema extends z.ZodType>(
  path: string,
  schema: Schema,
): Promise<z.output<Schema> | null> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (isAbsent(error)) return null
    throw error
  })
  if (text === null) return null
  try {
    return schema.parse(JSON.parse(text))
  } catch (cause) {
    throw new ModelUnreadableError(`its ${basename(path)} is not what such a file is`, { cause })
  }
}

/** As `readJsonFile`, of a file that must be there. */
export async function requireJsonFile<Schema extends z.ZodType>(
  path: string,
  schema: Schema,
): Promise<z.output<Schema>> {
  const content = await readJsonFile(path, schema)
  if (content === null) throw new ModelUnreadableError(`it has no ${basename(path)}`)
  return content
}
