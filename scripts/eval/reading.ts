// How well pages are read: what of them is text, which of that is content, titles, dates, passages, and the time it takes.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { assessRendering } from '../../src/extract/classify/rendering-need.ts'
import type { PageText } from '../../src/extract/document.ts'
import { cutPassages, type Passage } from '../../src/extract/passages/cut-passages.ts'
import { meanScore, type PageScore, readTruth, scorePage, type TruePage } from './extraction-scorer.ts'
import { contentOf, readHtmlPage, UNKNOWN_ADDRESS } from './read-html-page.ts'

const questionSchema = z.object({ id: z.string(), style: z.string(), answers: z.array(z.string()) })
const weightsSchema = z.record(z.string(), z.array(z.number()))
type Question = z.output<typeof questionSchema>

const UNANSWERABLE = 'unanswerable'
const MOST_PASSAGES = 1_000
/** The engine's compiler needs some pages before reading is as fast as in a service. */
const WARM_UP_PAGES = 200
const LITTLE_TEXT_CHARACTERS = 400
const SHORT_CHARACTERS = { alphabet: 80, dense: 30 } as const
const DENSE = /[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]/u

/** What issue 14 asks for; null where it asks for no number. */
interface Figure {
  name: string
  value: number
  goal: number | null
  isLessBetter?: true
}

interface ReadPage {
  truth: TruePage
  page: PageText
  passages: Passage[]
  score: PageScore
  /** Too little was read, although there is more, and no browser would be asked for it. */
  isLeftEmpty: boolean
}

interface Tally {
  cases: number
  right: number
}

const shareOf = ({ cases, right }: Tally): number => (cases === 0 ? NaN : right / cases)

/** Compared as a reader would: without case, white space, invisible characters and the shape of quotation marks. */
const squashed = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/[\s\u00ad\u200b-\u200f\ufeff]+/gu, ' ')
    .replace(/[\u2018\u2019]/gu, "'")
    .replace(/[\u201c\u201d]/gu, '"')
    .trim()
    .toLowerCase()

/**
 * Prints one line a figure. `pagesFolder` holds `html/ID.html` and `truth.jsonl`; `questionsFile` is JSONL of `id`, `style` and
 * `answers` over the same pages, null for no such figures. The classifier was fitted on pages like these and knows too much of
 * them: `weightsFile`, what `models/extraction/train.py cv` writes, holds the weights of trees that saw no page of the same
 * domain; null for those that ship.
 */
export async function evaluateReading(
  pagesFolder: string,
  questionsFile: string | null,
  weightsFile: string | null,
): Promise<void> {
  const read: ReadPage[] = []
  const weights = weightsFile === null ? null : readWeights(weightsFile)
  let cpuMs = 0
  let timed = 0
  for (const [index, truth] of readTruth(pagesFolder).entries()) {
    const html = readFileSync(join(pagesFolder, 'html', `${truth.id}.html`), 'utf8')
    const before = process.cpuUsage()
    const page = reweighed(await readHtmlPage(html, truth.url), weights?.[truth.id])
    const passages = cutPassages(page, { overlap: false, limit: MOST_PASSAGES })
    const { user, system } = process.cpuUsage(before)
    if (index >= WARM_UP_PAGES) {
      cpuMs += (user + system) / 1_000
      timed++
    }
    const isLeftEmpty = await leavesEmpty(page, truth, html)
    read.push({ truth, page, passages, score: scorePage(truth, contentOf(page)), isLeftEmpty })
  }
  const figures = [
    ...(questionsFile === null ? [] : answerFigures(read, readQuestions(questionsFile))),
    ...contentFigures(read),
    ...headFigures(read),
    ...passageFigures(read),
    { name: 'pages per CPU second, reading and cutting', value: (timed * 1_000) / cpuMs, goal: 90 },
  ]
  console.log(`${read.length} pages`)
  for (const figure of figures) console.log(lineOf(figure))
}

const readWeights = (file: string): z.output<typeof weightsSchema> =>
  weightsSchema.parse(JSON.parse(readFileSync(file, 'utf8')))

/** Weights are of the runs that a page shows: one that is read from its data has none. */
function reweighed(page: PageText, weights: readonly number[] | undefined): PageText {
  if (weights === undefined || page.isFromData === true) return page
  if (weights.length !== page.blocks.length)
    throw new Error('The weights are of other runs than these: dump the features again.')
  return {
    ...page,
    blocks: page.blocks.map((block, index) => ({ ...block, contentWeight: weights[index] ?? 0 })),
  }
}

async function leavesEmpty({ text }: PageText, truth: TruePage, html: string): Promise<boolean> {
  if (text.length >= LITTLE_TEXT_CHARACTERS) return false
  if (truth.text !== null && lettersIn(truth.text) <= lettersIn(text)) return false
  const { signal } = new AbortController()
  return (await assessRendering(html, truth.url ?? UNKNOWN_ADDRESS, signal)).verdict === 'enough'
}

const lettersIn = (text: string): number => text.match(/[\p{L}\p{N}]/gu)?.length ?? 0

const readQuestions = (file: string): Question[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => questionSchema.parse(JSON.parse(line)))
    .filter(({ style }) => style !== UNANSWERABLE)

/** Where the answers of questions stand: in the text at all, and whole in one passage. */
function answerFigures(read: readonly ReadPage[], questions: readonly Question[]): Figure[] {
  const byId = new Map(
    read.map(({ truth, page, passages }) => [
      truth.id,
      { text: squashed(page.text), passages: passages.map(({ text }) => squashed(text)) },
    ]),
  )
  const inText: Tally = { cases: 0, right: 0 }
  const inPassage: Tally = { cases: 0, right: 0 }
  for (const { id, answers } of questions) {
    const found = byId.get(id)
    if (found === undefined) continue
    const wanted = answers.map(squashed)
    inText.cases++
    inPassage.cases++
    if (wanted.some((answer) => found.text.includes(answer))) inText.right++
    if (wanted.some((answer) => found.passages.some((text) => text.includes(answer)))) inPassage.right++
  }
  return [
    { name: 'answers in the text read', value: shareOf(inText), goal: 0.985 },
    { name: 'answers whole in one passage', value: shareOf(inPassage), goal: 0.975 },
  ]
}

function contentFigures(read: readonly ReadPage[]): Figure[] {
  const scored = read.filter(({ truth }) => truth.text !== null || truth.with.length > 0)
  const all = meanScore(scored.map(({ score }) => score))
  const kept = scored.map(({ truth, passages }) =>
    scorePage(truth, passages.map(({ text }) => text).join('\n')),
  )
  const f1Of = (type: string): number =>
    meanScore(scored.filter(({ truth }) => truth.type === type).map(({ score }) => score)).wordF1 ?? NaN
  return [
    { name: 'content: word F1', value: all.wordF1 ?? NaN, goal: null },
    { name: 'content: true passages kept', value: all.passagesKept ?? NaN, goal: null },
    { name: 'true passages kept after cutting', value: meanScore(kept).passagesKept ?? NaN, goal: 0.94 },
    { name: 'product: word F1', value: f1Of('product'), goal: 0.7 },
    { name: 'forum: word F1', value: f1Of('forum'), goal: 0.78 },
  ]
}

function headFigures(read: readonly ReadPage[]): Figure[] {
  const titles: Tally = { cases: 0, right: 0 }
  const dates: Tally = { cases: 0, right: 0 }
  for (const { truth, page } of read) {
    if (truth.title !== null && truth.title !== '') {
      titles.cases++
      if (squashed(page.title ?? '') === squashed(truth.title)) titles.right++
    }
    if (truth.date === null || truth.date === '') continue
    const isUpdate = truth.src === 'htmldate-m'
    const found = isUpdate ? (page.lastUpdated ?? page.publishDate) : page.publishDate
    dates.cases++
    if (found?.iso.slice(0, 10) === truth.date.slice(0, 10)) dates.right++
  }
  return [
    { name: 'titles exact', value: shareOf(titles), goal: 0.82 },
    { name: 'dates right', value: shareOf(dates), goal: 0.9 },
  ]
}

function passageFigures(read: readonly ReadPage[]): Figure[] {
  const texts = read.flatMap(({ passages }) => passages.map(({ text }) => text))
  const short = texts.filter(
    (text) => text.length < (DENSE.test(text) ? SHORT_CHARACTERS.dense : SHORT_CHARACTERS.alphabet),
  )
  const lengths = texts.map(({ length }) => length).toSorted((left, right) => left - right)
  return [
    {
      name: `pages under ${LITTLE_TEXT_CHARACTERS} characters that hold more`,
      value: read.filter(({ isLeftEmpty }) => isLeftEmpty).length,
      goal: 0,
      isLessBetter: true,
    },
    {
      name: 'passages under 80 (30 dense) characters',
      value: short.length / texts.length,
      goal: 0.05,
      isLessBetter: true,
    },
    { name: 'median length of passages', value: lengths[lengths.length >> 1] ?? NaN, goal: 350 },
  ]
}

function lineOf({ name, value, goal, isLessBetter }: Figure): string {
  const shown = Number.isInteger(value) ? String(value) : value.toFixed(value < 2 ? 4 : 1)
  const columns = [name.padEnd(44), shown.padStart(8)]
  if (goal === null) return columns.join(' ')
  const isReached = isLessBetter ? value <= goal : value >= goal
  return [...columns, `  goal ${goal}`.padEnd(14), isReached ? 'reached' : 'MISSED'].join(' ')
}
