// Offers searches at a fixed rate, whether the earlier ones are answered or not, as many strangers do.
import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, request } from 'undici'

export interface OfferedLoad {
  url: string
  headers: Readonly<Record<string, string>>
  /** Sent in turn. */
  bodies: readonly string[]
  ratePerSecond: number
  seconds: number
}

export interface Answered {
  status: number
  /** From the moment the request was due, so that a late generator makes its own lateness visible. */
  elapsedMs: number
}

/** Resolves when the last answer is in. Rejects when a request gets none. */
export async function offerLoad({
  url,
  headers,
  bodies,
  ratePerSecond,
  seconds,
}: OfferedLoad): Promise<Answered[]> {
  const dispatcher = new Agent({ connections: null, pipelining: 1 })
  const startedAt = performance.now()
  const ask = async (number: number): Promise<Answered> => {
    const dueAt = startedAt + (number * 1_000) / ratePerSecond
    await sleep(Math.max(0, dueAt - performance.now()))
    const body = bodies[number % bodies.length] ?? ''
    const answer = await request(url, { dispatcher, method: 'POST', headers, body })
    await answer.body.dump()
    return { status: answer.statusCode, elapsedMs: performance.now() - dueAt }
  }
  try {
    return await Promise.all(
      Array.from({ length: Math.round(ratePerSecond * seconds) }, (_none, number) => ask(number)),
    )
  } finally {
    await dispatcher.close()
  }
}
