// A web on loopback for load tests: an engine in the form of SearXNG whose every answer finds pages nobody has seen
// before, and a site for each of two hundred addresses of 127/8 that makes them.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { questionsOf } from '../eval/evaluation-set.ts'
import { startBenchChild } from './child-process.ts'

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
  const child = startBenchChild('loopback-web-child.ts', JSON.stringify(options))
  const { enginePort } = readySchema.parse(await child.answer())
  return {
    engineUrl: `http://127.0.0.1:${enginePort}`,
    find: (which: FindMessage['find']) => child.tell({ find: which } satisfies FindMessage),
    close: () => child.close(),
  }
}

/** Questions that the documentation answers. */
export const readQuestions = (): string[] => readDocumentation().flatMap(questionsOf)

export function readDocumentation(): string[] {
  const names = readdirSync(DOCUMENTATION).filter((name) => name.endsWith('.md'))
  return names.toSorted().map((name) => readFileSync(join(DOCUMENTATION, name), 'utf8'))
}
