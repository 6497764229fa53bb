// Whether Redis serves, asked each second by a write: a connection alone says nothing of one that hangs, is full or is
// a replica. Told once an outage, and while one hangs nobody waits for it.
import type { Cluster, Redis } from 'ioredis'
import type { Logger } from '../telemetry/log.ts'
import { createOutage } from '../telemetry/outage.ts'

const PROBE_EVERY_MS = 1_000
/** A single late answer may be this process's own: its thread was busy with something else. */
const SILENCES_MAX = 2
const KEY = 'verbatim:alive'
const KEEP_MS = 10_000

/** What Redis says when it refuses a write, and what to do. */
const ADVICE: readonly (readonly [said: RegExp, advice: string])[] = [
  [/^READONLY/u, 'It is a replica: REDIS_URL must name the primary, or sentinels.'],
  [/^OOM/u, 'Its maxmemory is used up: raise it, or set maxmemory-policy to allkeys-lru.'],
  [/^MOVED/u, 'It is a node of a Redis Cluster: put ?cluster behind REDIS_URL.'],
  [/^(?:WRONGPASS|NOAUTH|NOPERM)/u, 'Check user and password in REDIS_URL, and what they may do.'],
]

export interface RedisWatch {
  /** Whether it took the last write in time. */
  serves(): boolean
  /** Asks now. */
  probe(): Promise<void>
  close(): void
}

export function watchRedis(client: Redis | Cluster, place: string, log: Logger): RedisWatch {
  let silences = 0
  let isProbing = false
  const outage = createOutage({
    begins: (error) => log.warn({ err: error }, outageWords(error, place)),
    ends: () => log.info(`Redis at ${place} answers`),
  })
  client.on('error', outage.fails)
  client.once('ready', () => {
    if (!outage.isOut()) log.info(`Redis at ${place} answers`)
  })
  // What is sent over a new connection, its greeting included, is no longer held up by the old one.
  client.on('close', () => (silences = 0))
  refuseWhile(client, () => silences >= SILENCES_MAX && !isProbing, place)

  async function ask(): Promise<void> {
    if (client.status !== 'ready') throw new Error(`the connection is not ready (${client.status})`)
    isProbing = true
    const asked = client.set(KEY, '1', 'PX', KEEP_MS)
    isProbing = false
    await asked
  }

  async function probe(): Promise<void> {
    try {
      await ask()
      silences = 0
      outage.works()
    } catch (error) {
      const isAnswer = error instanceof Error && error.name === 'ReplyError'
      silences = isAnswer ? 0 : silences + 1
      if (isAnswer || silences >= SILENCES_MAX) outage.fails(error)
    }
  }

  const timer = setInterval(() => void probe(), PROBE_EVERY_MS).unref()
  return {
    serves: () => client.status === 'ready' && !outage.isOut(),
    probe,
    close: () => clearInterval(timer),
  }
}

function outageWords(error: unknown, place: string): string {
  const said = error instanceof Error ? error.message : ''
  const advice = ADVICE.find(([words]) => words.test(said))?.[1]
  const does = error instanceof Error && error.name === 'ReplyError' ? 'takes no writes' : 'does not answer'
  return [`Redis at ${place} ${does}; going on without it.`, advice].filter(Boolean).join(' ')
}

/** While `isHung` commands fail at once: each that waited would cost its request half a second. */
function refuseWhile(client: Redis | Cluster, isHung: () => boolean, place: string): void {
  const send: unknown = Reflect.get(client, 'sendCommand')
  if (typeof send !== 'function') throw new Error('a client of Redis sends nothing')
  const sendCommand = (command: Parameters<Redis['sendCommand']>[0], ...rest: unknown[]): unknown => {
    if (!isHung()) return Reflect.apply(send, client, [command, ...rest])
    command.reject(new Error(`Redis at ${place} does not answer`))
    return command.promise
  }
  Object.assign(client, { sendCommand })
}
