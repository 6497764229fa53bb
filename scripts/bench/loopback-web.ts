// A web on loopback for load tests: an engine in the form of SearXNG whose every answer finds pages nobody has seen
// before, and a site for each of two hundred addresses of 127/8 that makes them. Apart from the measurements, because
// load and cache want the same web.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

const DOCUMENTATION = join(import.meta.dirname, '..', '..', 'docs')

export interface LoopbackWebOptions {
  /** What the engine and each page take to answer, as if they were far away. */
  engineDelayMs: number
  pageDelayMs: number
}

/** What the child tells when it listens. */
const readySchema = z.object({ enginePort: z.number() })
export type ReadyMessage = z.output<typeof readySchema>

/** From now on every answer finds new pages; or every answer the same ten. */
export interface FindMessage {
  find: 'fresh' | 'same'
}

export type LoopbackWeb = Awaited<ReturnType<typeof startLoopbackWeb>>

export async function startLoopbackWeb(options: LoopbackWebOptions) {
  const child = fork(join(import.meta.dirname, 'loopback-web-child.ts'), [JSON.stringify(options)], {
    execArgv: ['--import', 'tsx'],
  })
  const ended = once(child, 'exit')
  const failed = ended.then(() => Promise.reject(new Error('the loopback web did not start')))
  const [ready] = await Promise.race([once(child, 'message'), failed])
  const { enginePort } = readySchema.parse(ready)
  return {
    engineUrl: `http://127.0.0.1:${enginePort}`,
    find: (which: FindMessage['find']) => child.send({ find: which } satisfies FindMessage),
    async close(): Promise<void> {
      child.disconnect()
      await ended
    },
  }
}

/** Questions that the documentation answers: its own headings. */
export function readQuestions(): string[] {
  return readDocumentation().flatMap((text) =>
    [...text.matchAll(/^## (.+\?)$/gmu)].map(([, question]) => question ?? ''),
  )
}

export function readDocumentation(): string[] {
  const names = readdirSync(DOCUMENTATION).filter((name) => name.endsWith('.md'))
  return names.toSorted().map((name) => readFileSync(join(DOCUMENTATION, name), 'utf8'))
}
