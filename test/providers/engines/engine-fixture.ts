// An engine's folder of fixtures: its settings, the requests it must send, the answers it must read.
import { readdirSync, readFileSync } from 'node:fs'
import { z } from 'zod'
import { RECENCIES } from '../../../src/contract.ts'
import type { EngineSettings } from '../../../src/providers/registry.ts'

const FIXTURES = new URL('../../fixtures/providers/', import.meta.url)

/** Of a request only what the fixture names is compared; the parameters named `absent` must not be there. */
export const requestSchema = z.strictObject({
  method: z.string().optional(),
  path: z.string().optional(),
  query: z.record(z.string(), z.string()).optional(),
  absent: z.array(z.string()).default([]),
  headers: z.record(z.string(), z.string()).optional(),
  body: z.unknown().optional(),
})

/** As many hits are needed as are asked for, unless the fixture says otherwise. */
export const querySchema = z
  .strictObject({
    text: z.string().default('window class'),
    count: z.int().default(5),
    needed: z.int().optional(),
    recency: z.enum(RECENCIES).nullable().default(null),
    language: z.string().default('en'),
    includeDomains: z.array(z.string()).default([]),
    excludeDomains: z.array(z.string()).default([]),
  })
  .transform((query) => ({ ...query, needed: query.needed ?? query.count }))

/** `answers` are given in order, afterwards the empty one; `hits` is the file with the hits, or their number. */
const questionSchema = z.strictObject({
  title: z.string(),
  question: querySchema,
  answers: z.array(z.string()),
  requests: z.array(requestSchema),
  hits: z.union([z.string(), z.int()]),
})

const failureSchema = z.strictObject({
  title: z.string(),
  status: z.int(),
  answer: z.string(),
  failure: z.string(),
  message: z.string().default(''),
})

/**
 * `secrets` must appear in no error, log line or answer; `html` says that the engine answers with HTML and not with
 * JSON; `statuses` are those that mean something else to this engine, `domainsMax` how many included domains it can be
 * asked for.
 */
const engineSchema = z.strictObject({
  settings: z.custom<EngineSettings>((value) => typeof value === 'object'),
  secrets: z.array(z.string()).default([]),
  html: z.boolean().default(false),
  statuses: z.record(z.string(), z.string()).default({}),
  domainsMax: z.int().default(Number.MAX_SAFE_INTEGER),
  questions: z.array(questionSchema),
  failures: z.array(failureSchema).default([]),
})

export const engineFixtureNames = (): string[] =>
  readdirSync(FIXTURES, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)

export const readFixture = (name: string, file: string): string =>
  readFileSync(new URL(`${name}/${file}`, FIXTURES), 'utf8')

/** `{day:-7}` in a fixture stands for the date seven days ago, compactday for its digits, `{base}` for the server. */
export function readFilled(name: string, file: string, base: string): unknown {
  const dated = readFixture(name, file).replaceAll(
    /\{(compact)?day:(-?\d+)\}/gu,
    (_, compact, days: string) => {
      const day = new Date(Date.now() + Number(days) * 86_400_000).toISOString().slice(0, 10)
      return compact === undefined ? day : day.replaceAll('-', '')
    },
  )
  return JSON.parse(dated.replaceAll('{base}', base))
}

/** `engine.json` of an engine whose server is at `base`. */
export const readEngineFixture = (name: string, base: string) =>
  engineSchema.parse(readFilled(name, 'engine.json', base))
