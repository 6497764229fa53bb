// How well an extracted text matches the truth about a page: word and 4-gram overlap, passages kept, snippets found.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

/** The truth about one saved page; `text` is its main content, or null where only snippets of it are known. */
const truePageSchema = z.object({
  id: z.string(),
  src: z.string(),
  url: z.string().nullable().default(null),
  type: z.string(),
  text: z.string().nullable().default(null),
  with: z
    .array(z.string())
    .nullish()
    .transform((list) => list ?? []),
  without: z
    .array(z.string())
    .nullish()
    .transform((list) => list ?? []),
  title: z.string().nullable().default(null),
  date: z.string().nullable().default(null),
  lang: z.string().nullable().default(null),
})

export type TruePage = z.output<typeof truePageSchema>

export interface PageScore {
  wordPrecision?: number
  wordRecall?: number
  wordF1?: number
  gramPrecision?: number
  gramRecall?: number
  /** Share of the truth's lines of 6 words or more of which 90 % of the 3-grams occur in the output. */
  passagesKept?: number
  /** Share of the snippets that must be in the text and are. */
  wanted?: number
  /** Share of the snippets that must not be in the text and are. */
  unwanted?: number
}

/** Reads `truth.jsonl` of a folder of saved pages. */
export function readTruth(folder: string): TruePage[] {
  return readFileSync(join(folder, 'truth.jsonl'), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => truePageSchema.parse(JSON.parse(line)))
}

const UNSPACED = '\\u3040-\\u30ff\\u3400-\\u4dbf\\u4e00-\\u9fff\\uac00-\\ud7af\\uf900-\\ufaff\\u0e00-\\u0e7f'
const TOKEN = new RegExp(
  `[${UNSPACED}]|[\\p{L}\\p{N}\\p{M}_]+?(?=[${UNSPACED}]|[^\\p{L}\\p{N}\\p{M}_]|$)`,
  'gu',
)

/** Words in lower case; each character of a script without spaces is one. */
export const tokensOf = (text: string): string[] => text.normalize('NFC').toLowerCase().match(TOKEN) ?? []

const count = (items: readonly string[]): Map<string, number> => {
  const counts = new Map<string, number>()
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1)
  return counts
}

const gramsOf = (tokens: readonly string[], length: number): string[] => {
  if (tokens.length === 0) return []
  const last = Math.max(1, tokens.length - length + 1)
  return Array.from({ length: last }, (_, at) => tokens.slice(at, at + length).join('\u0001'))
}

const overlap = (left: ReadonlyMap<string, number>, right: ReadonlyMap<string, number>): number => {
  let shared = 0
  for (const [item, times] of left) shared += Math.min(times, right.get(item) ?? 0)
  return shared
}

const plain = (text: string): string => text.normalize('NFC').replace(/\s+/g, ' ').trim().toLowerCase()

/** Scores one extracted text. Only the measures that the truth allows are set. */
export function scorePage(truth: TruePage, extracted: string): PageScore {
  const score: PageScore = truth.text === null ? {} : scoreText(truth.text, extracted)
  const text = plain(extracted)
  const shareFound = (snippets: readonly string[]) =>
    snippets.filter((snippet) => text.includes(plain(snippet))).length / snippets.length
  if (truth.with.length > 0) score.wanted = shareFound(truth.with)
  if (truth.without.length > 0) score.unwanted = shareFound(truth.without)
  return score
}

function scoreText(truth: string, extracted: string): PageScore {
  const want = tokensOf(truth)
  const have = tokensOf(extracted)
  const score: PageScore = wordScore(want, have)
  const wantGrams = gramsOf(want, 4)
  const haveGrams = gramsOf(have, 4)
  const shared = overlap(count(wantGrams), count(haveGrams))
  if (haveGrams.length > 0) score.gramPrecision = shared / haveGrams.length
  if (wantGrams.length > 0) score.gramRecall = shared / wantGrams.length
  const kept = passagesKept(truth, new Set(gramsOf(have, 3)))
  if (kept !== null) score.passagesKept = kept
  return score
}

function wordScore(want: readonly string[], have: readonly string[]): PageScore {
  if (want.length === 0 || have.length === 0) {
    const both = want.length === have.length ? 1 : 0
    return { wordPrecision: both, wordRecall: both, wordF1: both }
  }
  const shared = overlap(count(want), count(have))
  const precision = shared / have.length
  const recall = shared / want.length
  const f1 = shared === 0 ? 0 : (2 * precision * recall) / (precision + recall)
  return { wordPrecision: precision, wordRecall: recall, wordF1: f1 }
}

function passagesKept(truth: string, have: ReadonlySet<string>): number | null {
  let passages = 0
  let kept = 0
  for (const line of truth.split(/\n+/)) {
    const tokens = tokensOf(line)
    if (tokens.length < 6) continue
    passages++
    const grams = gramsOf(tokens, 3)
    if (grams.filter((gram) => have.has(gram)).length / grams.length >= 0.9) kept++
  }
  return passages === 0 ? null : kept / passages
}

/** The mean of each measure over the pages that have it. */
export function meanScore(scores: readonly PageScore[]): PageScore {
  const mean: PageScore = {}
  const measures = [
    'wordPrecision',
    'wordRecall',
    'wordF1',
    'gramPrecision',
    'gramRecall',
    'passagesKept',
    'wanted',
    'unwanted',
  ] as const
  for (const measure of measures) {
    const values = scores.map((score) => score[measure]).filter((value) => value !== undefined)
    if (values.length > 0) mean[measure] = values.reduce((sum, value) => sum + value, 0) / values.length
  }
  return mean
}
