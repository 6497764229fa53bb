// Whether the right passage of whole pages comes first, by every way of ranking them that a user could pick instead.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { RecursiveCharacterTextSplitter } from '@langchain/textsplitters'
import { Readability } from '@mozilla/readability'
import { JSDOM, VirtualConsole } from 'jsdom'
import {
  createPools,
  isAnswer,
  readQuestions,
  UNANSWERABLE,
  type Question,
} from '../../models/relevance/questions.ts'
import { createReadOnce } from '../../models/relevance/read-once.ts'
import { contextLine, type ScoredPassage } from '../../src/score/passage.ts'
import {
  expectedCalibrationError,
  reliabilityOf,
  type JudgedScore,
} from '../../src/score/calibrate/reliability.ts'
import { createLexical } from '../../src/score/lexical/bm25.ts'
import { SIMILARITIES } from '../../src/score/models/token-similarity.ts'
import type { RelatedText, Transformer } from '../../src/score/models/transformer.ts'
import { comparePassages } from '../../src/score/relevance/feature-table.ts'
import type { FirstStage } from '../../src/score/relevance/first-stage.ts'
import { descending } from '../../src/score/relevance/model-stage.ts'
import type { RelevanceModel } from '../../src/score/relevance/relevance-model.ts'
import type { Scorer } from '../../src/score/scorer.ts'
import { scorePagesOf } from './scored-pages.ts'

/** What the methods are made of. */
export interface PassageRankers {
  firstStage: FirstStage
  firstFit: RelevanceModel
  /** The published MiniLM, for what people wire by hand. */
  miniLm: Transformer
  scorer: Scorer
}

interface Ranked {
  passages: readonly Pick<ScoredPassage, 'text' | 'page'>[]
  scores: ArrayLike<number>
}

interface RankingMethod {
  name: string
  isCalibrated: boolean
  rank(question: Question): Promise<Ranked>
}

/** About the length that tutorials split at. */
const CHUNK_CHARACTERS = 500
const SURE = 0.5

const relatedText = (passage: ScoredPassage): RelatedText => ({
  context: contextLine(passage),
  text: passage.text,
})

/** The chain that people wire: Readability, a splitter by characters, no heading and no title. */
function createHandWiredPools(pagesFolder: string) {
  const splitter = new RecursiveCharacterTextSplitter({ chunkSize: CHUNK_CHARACTERS, chunkOverlap: 0 })
  const known = new Map<string, Promise<string[]>>()
  function chunksOf(id: string): Promise<string[]> {
    const html = readFileSync(join(pagesFolder, `${id}.html`), 'utf8')
    const { window } = new JSDOM(html, {
      url: `http://127.0.0.1/${id}`,
      virtualConsole: new VirtualConsole(),
    })
    const text = new Readability(window.document).parse()?.textContent ?? ''
    window.close()
    return splitter.splitText(text)
  }
  return async (question: Question): Promise<ScoredPassage[]> => {
    const pool: ScoredPassage[] = []
    for (const [page, id] of (question.pages ?? [question.id, ...question.others]).entries()) {
      const chunks = known.get(id) ?? chunksOf(id)
      known.set(id, chunks)
      for (const text of await chunks)
        pool.push({ text, page, title: '', headings: [], contentWeight: 1, place: 0 })
    }
    return pool
  }
}

function methodsOf(
  pagesFolder: string,
  { firstStage, firstFit, miniLm, scorer }: PassageRankers,
): RankingMethod[] {
  const poolOf = createPools(pagesFolder)
  const handWiredPoolOf = createHandWiredPools(pagesFolder)
  const readOnce = createReadOnce()
  const plainBm25 = createLexical(() => undefined, { functionWordWeight: 1 })
  async function byCosine(query: string, passages: readonly ScoredPassage[]): Promise<Ranked> {
    const values = await miniLm.compareRead(query, await readOnce(miniLm, passages.map(relatedText)))
    return { passages, scores: passages.map((_passage, index) => values[index * SIMILARITIES.length] ?? 0) }
  }
  return [
    {
      name: 'Readability, 500-character chunks, MiniLM cosine',
      isCalibrated: false,
      rank: async (question) => byCosine(question.query, await handWiredPoolOf(question)),
    },
    {
      name: 'BM25 over title, headings and text',
      isCalibrated: false,
      async rank(question) {
        const passages = await poolOf(question)
        const read = passages.map((passage) => ({ text: passage.text, heading: contextLine(passage) }))
        return { passages, scores: plainBm25.score(question.query, read).bm25Full }
      },
    },
    {
      name: "MiniLM's cosine",
      isCalibrated: false,
      rank: async (question) => byCosine(question.query, await poolOf(question)),
    },
    {
      name: 'first stage alone',
      isCalibrated: true,
      async rank(question) {
        const passages = await poolOf(question)
        const table = firstStage.readPool(question.query, passages)
        comparePassages(
          table,
          passages.map(({ page }) => page),
        )
        return { passages, scores: firstFit.judge(table) }
      },
    },
    {
      name: 'Verbatim, balanced',
      isCalibrated: true,
      async rank(question) {
        const pages = await scorePagesOf(scorer, question, await poolOf(question), { threshold: 0 })
        const passages = pages.flatMap((list, page) => list.map((passage) => ({ ...passage, page })))
        return { passages, scores: passages.map(({ relevance }) => relevance) }
      },
    },
  ]
}

/** What became of the questions of one group. */
interface Outcome {
  /** Rank of the first right passage, from 0; infinite where none is in the pool. */
  ranks: number[]
  first: JudgedScore[]
  /** Best score of each question that no page answers. */
  unanswerable: number[]
}

const noOutcome = (): Outcome => ({ ranks: [], first: [], unanswerable: [] })

function settle(outcome: Outcome, question: Question, { passages, scores }: Ranked): void {
  const order = descending(scores)
  const best = scores[order[0] ?? 0] ?? 0
  if (question.style === UNANSWERABLE) {
    outcome.unanswerable.push(best)
    outcome.first.push({ score: best, isRelevant: false })
    return
  }
  const isRight = (row: number | undefined): boolean => {
    const passage = passages[row ?? -1]
    return passage !== undefined && isAnswer(question, passage)
  }
  const rank = order.findIndex(isRight)
  outcome.ranks.push(rank < 0 ? Number.POSITIVE_INFINITY : rank)
  outcome.first.push({ score: best, isRelevant: rank === 0 })
}

/** Groups smaller than this say little. */
const GROUP_LEAST = 25
const shareOf = (values: readonly number[], holds: (value: number) => boolean): string =>
  values.length === 0 ? '–' : (values.filter(holds).length / values.length).toFixed(3)

function lineOf(
  group: string,
  { isCalibrated }: RankingMethod,
  { ranks, first, unanswerable }: Outcome,
): string {
  const calibration = isCalibrated
    ? `${expectedCalibrationError(reliabilityOf(first)).toFixed(3)} | ${shareOf(unanswerable, (score) => score >= SURE)}`
    : '– | –'
  return `| ${group} | ${ranks.length} | ${shareOf(ranks, (rank) => rank < 1)} | ${shareOf(ranks, (rank) => rank < 3)} | ${shareOf(ranks, (rank) => rank < 10)} | ${calibration} |`
}

/**
 * Prints, for every method, the share of questions whose right passage stands first, among three, among ten, the
 * calibration of the first and how many of the unanswerable get a sure one. `questionsFiles`: in the form of
 * models/relevance/questions.ts; `pagesFolder` holds ID.html. What was fitted on these questions shows too well here:
 * its figures for pages left out of the fit are printed by models/relevance/fit.py.
 */
export async function evaluatePassages(
  pagesFolder: string,
  questionsFiles: readonly string[],
  rankers: PassageRankers,
): Promise<void> {
  const sets = questionsFiles.map((file) => readQuestions(file))
  for (const method of methodsOf(pagesFolder, rankers)) {
    const groups = new Map<string, Outcome>()
    for (const [index, questions] of sets.entries())
      for (const question of questions) {
        const ranked = await method.rank(question)
        if (ranked.passages.length === 0) continue
        for (const group of [
          `${index + 1}`,
          `${index + 1}: ${question.style}`,
          `${index + 1}: in ${question.lang}`,
        ]) {
          const outcome = groups.get(group) ?? noOutcome()
          groups.set(group, outcome)
          settle(outcome, question, ranked)
        }
      }
    console.log(`\n${method.name}\n`)
    console.log(
      '| set | questions | first | in 3 | in 10 | ECE of first | unanswerable ≥ .5 |\n|---|---|---|---|---|---|---|',
    )
    for (const [group, outcome] of groups)
      if (outcome.first.length >= GROUP_LEAST || !group.includes(':'))
        console.log(lineOf(group, method, outcome))
  }
}
