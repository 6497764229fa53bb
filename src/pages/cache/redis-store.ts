// Read pages in Redis, shared by all replicas: compressed, each with its own age limit. The bytes of all together are
// bounded by Redis itself (`maxmemory` with an LRU policy), those of one page here.
import { promisify } from 'node:util'
import { constants, gunzip, gzip } from 'node:zlib'
import { z } from 'zod'
import type { CachedPage, CacheStore } from './memory-store.ts'

/** What of ioredis's `Redis` and `Cluster` is used. */
interface RedisCommands {
  getBuffer(key: string): Promise<Buffer | null>
  set(key: string, value: Buffer, unit: 'PX', milliseconds: number): Promise<unknown>
}

export interface RedisCacheOptions {
  redis: RedisCommands
  /** Before every key, so that several services can share one Redis. */
  prefix?: string
  /** Of one page after compression. */
  entryBytesMax?: number
}

/** A page holds at most as much after decompression as any loader reads. */
const CONTENT_BYTES_MAX = 64 * 1_024 * 1_024
const compress = promisify<Buffer, { level: number }, Buffer>(gzip)
const decompress = promisify<Buffer, { maxOutputLength: number }, Buffer>(gunzip)

/** The first line of a value; the content follows as it is. Another version than ours is no page. */
const headSchema = z.object({
  version: z.literal(1),
  contentIs: z.enum(['text', 'bytes']),
  capture: z.object({
    id: z.string(),
    requestedUrl: z.string(),
    url: z.string(),
    mediaType: z.string(),
    lastModified: z.string().nullable(),
    contentLanguage: z.string().nullable(),
    fetchedAt: z.string(),
    readBy: z.enum(['static', 'browser', 'cache']),
    warning: z.null(),
  }),
  validators: z
    .object({ url: z.string(), etag: z.string().nullable(), lastModified: z.string().nullable() })
    .nullable(),
  freshUntilMs: z.number(),
  answeredLanguage: z.string().nullish(),
})

/** Pages in Redis, single or Cluster. Rejects when Redis cannot be reached; whoever opened the client closes it. */
export function createRedisCacheStore({
  redis,
  prefix = 'verbatim:page:',
  entryBytesMax = 2 * 1_024 * 1_024,
}: RedisCacheOptions): CacheStore {
  return {
    async get(key) {
      const value = await redis.getBuffer(prefix + key)
      return value === null ? null : decode(value)
    },
    async set(key, page, keepMs) {
      if (page.capture.warning !== null) return
      const value = await compress(encode(page), { level: constants.Z_BEST_SPEED })
      if (value.length <= entryBytesMax)
        await redis.set(prefix + key, value, 'PX', Math.max(1, Math.ceil(keepMs)))
    },
  }
}

function encode({ capture, ...kept }: CachedPage): Buffer {
  const { content, ...about } = capture
  const contentIs = typeof content === 'string' ? 'text' : 'bytes'
  const head = JSON.stringify({ version: 1, contentIs, capture: about, ...kept })
  return Buffer.concat([
    Buffer.from(`${head}\n`),
    typeof content === 'string' ? Buffer.from(content) : content,
  ])
}

/** Null for a value that is not one of ours: written by another version, or damaged. */
async function decode(value: Buffer): Promise<CachedPage | null> {
  const bytes = await decompress(value, { maxOutputLength: CONTENT_BYTES_MAX }).catch(() => null)
  const end = bytes?.indexOf(0x0a) ?? -1
  if (bytes === null || end === -1) return null
  const head = headSchema.safeParse(parseJson(bytes.subarray(0, end).toString()))
  if (!head.success) return null
  const { contentIs, capture, validators, freshUntilMs, answeredLanguage } = head.data
  const body = bytes.subarray(end + 1)
  const content = contentIs === 'text' ? body.toString() : new Uint8Array(body)
  return { capture: { ...capture, content }, validators, freshUntilMs, answeredLanguage }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
