// A page as the shared proof stores keep it: one compressed piece of bytes.
import { promisify } from 'node:util'
import { constants, gunzip, gzip } from 'node:zlib'
import { z } from 'zod'
import type { ProvablePage } from './proof-store.ts'

const compress = promisify<Buffer, { level: number }, Buffer>(gzip)
const decompress = promisify<Buffer, { maxOutputLength: number }, Buffer>(gunzip)

/** A page's text holds at most a million characters. */
const PAGE_BYTES_MAX = 16 * 2 ** 20

const pageSchema = z.object({
  url: z.string(),
  title: z.string().nullable(),
  text: z.string(),
  fetchedAt: z.string(),
  origin: z
    .object({
      askedUrl: z.string(),
      capture: z.object({ sha256: z.string(), bytes: z.int() }),
      mediaType: z.string(),
      reader: z.string(),
    })
    .optional(),
  opening: z
    .object({
      rendering: z.enum(['static', 'auto', 'browser']),
      scroll: z.boolean(),
      language: z.string().exactOptional(),
    })
    .optional(),
})

export const packPage = (page: ProvablePage): Promise<Buffer> =>
  compress(Buffer.from(JSON.stringify(page)), { level: constants.Z_BEST_SPEED })

/** Null for bytes that are no page of ours: written by another version, or damaged. */
export async function unpackPage(bytes: Buffer): Promise<ProvablePage | null> {
  try {
    const json = await decompress(bytes, { maxOutputLength: PAGE_BYTES_MAX })
    return pageSchema.safeParse(JSON.parse(json.toString())).data ?? null
  } catch {
    return null
  }
}
