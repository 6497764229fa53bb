// `npm run eval -- --highlights --pages DIR --questions FILE[,FILE] [--limit N]`: whether limited answers hold the answer,
// and whether highlights do and how likely they say they do. By the scorer as it ships, which was fitted on such questions:
// what models/highlights/fit.py prints of folds is the honest figure, this one is for comparing.
import {
  answeringParts,
  createPools,
  readQuestions,
  UNANSWERABLE,
  type Question,
} from '../../models/relevance/questions.ts'
import {
  expectedCalibrationError,
  reliabilityOf,
  type JudgedScore,
} from '../../src/score/calibrate/reliability.ts'
import type { Scorer } from '../../src/score/scorer.ts'
import { fillBudget } from '../../src/search/highlights/fill-budget.ts'
import { highlightsOf } from '../../src/search/highlights/highlight.ts'
import type { ScoredPassage } from '../../src/search/rank.ts'
import { pickSnippets } from '../../src/search/snippets/pick-snippets.ts'
import { scorePagesOf } from './scored-pages.ts'

const BUDGETS = [500, 1_000, 2_000] as const
/** As the search has them. */
const HIGHLIGHTED = 60
const OFFERED_PER_PAGE = 8
const SNIPPETS_PER_PAGE = 3
/** First passages of a question whose parts are judged. */
const JUDGED = 5

interface Findings {
  filled: Map<number, number>
  cut: Map<number, number>
  questions: number
  shown: number
  shownCharacters: number[]
  answering: number
  judged: JudgedScore[]
}

const squash = (text: string): string => text.replace(/\s+/gu, ' ').trim().toLowerCase()

function holdsAnswer(question: Question, texts: readonly string[]): boolean {
  return (question.answers ?? []).some((answer) =>
    texts.some((text) => squash(text).includes(squash(answer))),
  )
}

/** Snippets of all pages, best first, until the budget is used up; the last one is cut off. */
function cutOff(pages: readonly (readonly ScoredPassage[])[], budget: number): string[] {
  const texts: string[] = []
  let left = budget
  for (const { text } of pages.flat().toSorted((a, b) => b.relevance - a.relevance)) {
    if (left <= 0) break
    texts.push(text.slice(0, left))
    left -= text.length
  }
  return texts
}

function measure(question: Question, pages: readonly ScoredPassage[][], findings: Findings): void {
  const offered = pages.map((list) => pickSnippets(list, { threshold: 0, count: OFFERED_PER_PAGE }))
  const snippets = offered.map((list) => list.slice(0, SNIPPETS_PER_PAGE))
  const best = snippets.flat().toSorted((a, b) => b.relevance - a.relevance)
  for (const snippet of best.slice(0, JUDGED)) judgeParts(question, snippet, findings)
  const [first] = best
  if (question.style === UNANSWERABLE || first === undefined) return
  findings.questions += 1
  for (const characters of BUDGETS) {
    const filled = fillBudget(offered, { characters, tokens: null, perPage: SNIPPETS_PER_PAGE }).flat()
    const isFilled = holdsAnswer(
      question,
      filled.map(({ text }) => text),
    )
    findings.filled.set(characters, (findings.filled.get(characters) ?? 0) + (isFilled ? 1 : 0))
    const isCut = holdsAnswer(question, cutOff(snippets, characters))
    findings.cut.set(characters, (findings.cut.get(characters) ?? 0) + (isCut ? 1 : 0))
  }
  if (!holdsAnswer(question, [first.text])) return
  const shown = highlightsOf(first).map(({ start, end }) => first.text.slice(start, end))
  findings.answering += 1
  findings.shown += holdsAnswer(question, [shown.join(' ')]) ? 1 : 0
  findings.shownCharacters.push(shown.join('').length / first.text.length)
}

function judgeParts(question: Question, { text, parts }: ScoredPassage, { judged }: Findings): void {
  const runs = answeringParts(question, { text, parts: parts ?? [] })
  for (const [at, { relevance }] of (parts ?? []).entries())
    judged.push({ score: relevance, isRelevant: runs.some(([first, last]) => at >= first && at <= last) })
}

const share = (count: number, of: number): string => (count / Math.max(1, of)).toFixed(3)
const mean = (values: readonly number[]): string =>
  share(
    values.reduce((sum, value) => sum + value, 0),
    values.length,
  )

function report({ filled, cut, questions, shown, shownCharacters, answering, judged }: Findings): void {
  console.log('| budget in characters | by gain | snippets cut off |\n|---|---|---|')
  for (const budget of BUDGETS)
    console.log(
      `| ${budget} | ${share(filled.get(budget) ?? 0, questions)} | ${share(cut.get(budget) ?? 0, questions)} |`,
    )
  console.log(
    `\n${questions} answerable questions; the first snippet answers ${answering}, its highlights ${share(shown, answering)} of them in ${mean(shownCharacters)} of its characters.`,
  )
  const likely = judged.filter(({ score }) => score >= 0.2)
  console.log(
    `ECE of parts ${expectedCalibrationError(reliabilityOf(judged)).toFixed(3)}, of those from .2 on ${expectedCalibrationError(reliabilityOf(likely)).toFixed(3)}.`,
  )
}

/** Prints everything. `limit` questions of each file, evenly spread; null for all. */
export async function evaluateHighlights(
  pagesFolder: string,
  files: readonly string[],
  scorer: Scorer,
  limit: number | null,
): Promise<void> {
  const poolOf = createPools(pagesFolder)
  const findings: Findings = {
    filled: new Map(),
    cut: new Map(),
    questions: 0,
    shown: 0,
    shownCharacters: [],
    answering: 0,
    judged: [],
  }
  for (const file of files) {
    const questions = readQuestions(file)
    const step = limit === null ? 1 : Math.max(1, Math.floor(questions.length / limit))
    for (const question of questions.filter((_, index) => index % step === 0)) {
      const pool = await poolOf(question)
      if (pool.length === 0) continue
      const told = { threshold: 0, highlighted: HIGHLIGHTED }
      measure(question, await scorePagesOf(scorer, question, pool, told), findings)
    }
  }
  report(findings)
}
