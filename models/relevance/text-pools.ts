// Makes the pools of texts that the standing of texts is fitted on: `tsx models/relevance/text-pools.ts OUT.jsonl
// --labelled FILE --pairs FILE [--count N]`, questions for dump-features.ts, N of every labelled set and of every source of
// pairs. README.md tells what they hold.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { crc32 } from 'node:zlib'
import { z } from 'zod'
import { sharesWordsWith } from './shared-words.ts'

const labelledSchema = z.object({
  set: z.string(),
  query: z.string(),
  passages: z.array(z.string()).min(1),
  relevant: z.array(z.int().nonnegative()),
})
const pairSchema = z.object({
  query: z.string(),
  passage: z.string(),
  source: z.string(),
  kind: z.string(),
  page: z.string(),
})

/** A question with what answers it, what stands near that, nearest first, and its language's or its source's other texts. */
interface Asked {
  set: string
  lang: string
  query: string
  answers: readonly string[]
  near: readonly string[]
}

/** Pairs of these kinds are questions of texts; terms and definitions are answered by texts of a line. */
const KINDS = new Set(['qa', 'heading', 'howto'])
const SIZES = [1, 2, 3, 4, 5, 7, 10, 16, 25, 50, 100, 200, 500]
/** One pool in four holds no answer, and every other lone text is none. */
const WITHOUT_ANSWER_EVERY = 4
/** Of a pool's places, those that texts from near the answer may take: from all, as an engine's best are, to none. */
const NEAR_SHARES = [1, 0.4, 1, 0]
const ROOM_FOR_FILES = 2 ** 30
/** Coprime with any count of texts there will be, so that steps of it reach each of them once. */
const STEP = 7_919

function readLines(file: string): unknown[] {
  const text = file.endsWith('.zst')
    ? execFileSync('zstd', ['-dc', '--long=27', file], { encoding: 'utf8', maxBuffer: ROOM_FOR_FILES })
    : readFileSync(file, 'utf8')
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line): unknown => JSON.parse(line))
}

function groupBy<T>(list: readonly T[], groupOf: (one: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const one of list) {
    const group = groups.get(groupOf(one)) ?? []
    groups.set(groupOf(one), group)
    group.push(one)
  }
  return groups
}

/** The texts of other questions: of the same language, for the sets of one are translated from another. */
const groupOf = ({ set, lang }: Asked): string => (lang === 'en' ? 'en' : set)

function readLabelled(file: string): Asked[] {
  return readLines(file).map((line) => {
    const { set, query, passages, relevant } = labelledSchema.parse(line)
    const answers = relevant.flatMap((index) => passages[index] ?? [])
    const [first = 0] = relevant
    const near = passages
      .map((text, index) => ({ text, distance: Math.abs(index - first) }))
      .filter(({ text }) => !answers.includes(text))
      .toSorted((left, right) => left.distance - right.distance)
      .map(({ text }) => text)
    return { set, lang: /^xquad_(?!en$)(.+)$/u.exec(set)?.[1] ?? 'en', query, answers, near }
  })
}

const LANGUAGES: Readonly<Record<string, string>> = {
  jsquad: 'ja',
  drcd: 'zh',
  cmrc2018: 'zh',
  opensource_guide: 'other',
}

function readPairs(file: string): Asked[] {
  const pairs = readLines(file)
    .map((line) => pairSchema.parse(line))
    .filter(({ kind }) => KINDS.has(kind))
  const pages = groupBy(pairs, ({ source, page }) => `${source} ${page}`)
  return [...pages.values()].flatMap((page) => {
    const passages = [...new Set(page.map(({ passage }) => passage))]
    return [...groupBy(page, ({ query }) => query)].map(([query, asked]) => {
      const answers = [...new Set(asked.map(({ passage }) => passage))]
      const [{ source: set = '' } = {}] = asked
      return {
        set,
        lang: LANGUAGES[set] ?? 'en',
        query,
        answers,
        near: passages.filter((text) => !answers.includes(text)),
      }
    })
  })
}

/** Always the same choice for one name. */
const chosen = (name: string, of: number): number => crc32(name) % of

/** Texts of others in an order of chance, each once. */
function* shuffled(others: readonly string[], query: string): Generator<string> {
  const start = chosen(`others ${query}`, others.length)
  for (let count = 0; count < others.length; count++)
    yield others[(start + count * STEP) % others.length] ?? ''
}

/** A pool for a question, or null where there are too few texts for its size. */
function poolOf({ set, lang, query, answers, near }: Asked, others: readonly string[], turn: number) {
  const size = SIZES[chosen(`size ${query}`, SIZES.length)] ?? 1
  const isAnswered = answers.length > 0 && turn % (size === 1 ? 2 : WITHOUT_ANSWER_EVERY) !== 0
  const mayAnswer = sharesWordsWith(answers)
  const held = (isAnswered ? answers : []).slice(0, size)
  const share = NEAR_SHARES[chosen(`near ${query}`, NEAR_SHARES.length)] ?? 1
  const beside = near.filter((text) => !mayAnswer(text)).slice(0, Math.round((size - held.length) * share))
  const documents = new Set([...held, ...beside])
  for (const other of shuffled(others, query)) {
    if (documents.size === size) break
    if (!answers.includes(other) && !mayAnswer(other)) documents.add(other)
  }
  if (documents.size < size) return null
  const passages = [...documents].toSorted()
  const relevant = held.map((text) => passages.indexOf(text))
  return { id: set, query, style: 'labelled', set: 'texts', lang, passages, relevant }
}

/** `count` of a list, spread by chance, the same at every run. */
const some = (list: readonly Asked[], count: number): Asked[] =>
  list.toSorted((left, right) => crc32(left.query) - crc32(right.query)).slice(0, count)

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    labelled: { type: 'string' },
    pairs: { type: 'string' },
    count: { type: 'string', default: '100' },
  },
})
const [out = ''] = positionals
const all = [
  ...(options.labelled === undefined ? [] : readLabelled(options.labelled)),
  ...(options.pairs === undefined ? [] : readPairs(options.pairs)),
]
const othersOf = new Map(
  [...groupBy(all, groupOf)].map(([group, list]) => [
    group,
    [...new Set(list.flatMap(({ answers, near }) => [...answers, ...near]))],
  ]),
)
const pools = [...groupBy(all, ({ set }) => set).values()].flatMap((list) =>
  some(list, Number(options.count)).flatMap(
    (asked, turn) => poolOf(asked, othersOf.get(groupOf(asked)) ?? [], turn) ?? [],
  ),
)
writeFileSync(out, pools.map((pool) => `${JSON.stringify(pool)}\n`).join(''))
console.error(`${pools.length} pools`)
