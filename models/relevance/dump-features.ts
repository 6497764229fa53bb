// Writes what relevance is fitted on: for every question the rows of the feature table, as the service makes them, and
// which of them answer. `tsx models/relevance/dump-features.ts PAGES QUESTIONS OUT [--model DIR] [--reranker DIR]
// [--fits DIR --folds N] [--part K/N]`; the format of questions is told in README.md. What a model reads is chosen by the
// fits in DIR that did not know the question (`fit.py --of-folds DIR --folds N`), or else by those beside this file.
import { existsSync, readFileSync, writeFileSync, appendFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { crc32 } from 'node:zlib'
import { modelOf, readCatalog } from '../../src/score/models/catalog.ts'
import { loadTransformer, type Transformer } from '../../src/score/models/transformer.ts'
import { rankingWidth } from '../../src/score/models/network/part-means.ts'
import { SIMILARITIES, similaritiesWidth } from '../../src/score/models/token-similarity.ts'
import { PART_COLUMNS, readParts, type ReadParts } from '../../src/score/relevance/part-features.ts'
import { loadWordPiece } from '../../src/score/models/word-piece.ts'
import type { ScoredPassage } from '../../src/score/passage.ts'
import {
  columnIndex,
  COLUMNS,
  comparePassages,
  setCell,
  valueAt,
  type FeatureTable,
} from '../../src/score/relevance/feature-table.ts'
import { createFirstStage } from '../../src/score/relevance/first-stage.ts'
import { chooseToRead, descending, relatedText } from '../../src/score/relevance/model-stage.ts'
import { loadRelevanceModel } from '../../src/score/relevance/relevance-model.ts'
import { readStaticModel } from '../../src/score/static/static-model.ts'
import { whatIsAsked } from '../../src/score/what-is-asked.ts'
import { DEPTHS } from '../../src/search/depth.ts'
import { createReadOnce } from './read-once.ts'
import { answeringParts, createPools, isAnswer, readQuestions, type Question } from './questions.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const BUNDLED = join(ROOT, 'models', 'bundled')
const { candidates: READ, reranked: RERANKED } = DEPTHS.balanced
/** Rows kept of a pool beside those that answer: the best of each of these columns, and some by chance. */
const KEPT_BY = ['bm25Full', 'staticFullMaxSim', 'cosine', 'bestSentence', 'maxSim', 'crossEncoder']
const KEPT_OF_EACH = 15
const KEPT_BY_CHANCE = 15

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    model: { type: 'string' },
    reranker: { type: 'string' },
    fits: { type: 'string' },
    folds: { type: 'string', default: '4' },
    part: { type: 'string', default: '1/1' },
  },
})
const [pagesFolder = '', questionsFile = '', out = ''] = positionals
const [part = 1, parts = 1] = options.part.split('/').map(Number)

const poolOf = createPools(pagesFolder)

const catalog = await readCatalog(join(ROOT, 'models', 'catalog.json'))

/** A model of the catalog in its folder. */
async function loadModel(directory: string | undefined): Promise<Transformer | null> {
  if (directory === undefined) return null
  const id = basename(directory)
  return loadTransformer({ id, directory: resolve(directory), device: 'cpu', spec: modelOf(catalog, id) })
}

const firstStage = createFirstStage({
  model: readStaticModel(readFileSync(join(BUNDLED, 'onnx', 'model_quantized.onnx'))),
  wordPiece: loadWordPiece(JSON.parse(readFileSync(join(BUNDLED, 'tokenizer.json'), 'utf8'))),
  memoryBytes: 512 * 1024 * 1024,
})

/** A fit, or null while there is none. */
const readFit = (path: string) =>
  existsSync(path) ? loadRelevanceModel(JSON.parse(readFileSync(path, 'utf8'))) : null

/** The fits of the stages before the last: of each fold, or one for all. */
function readFits(stage: string) {
  const { fits: folder, folds } = options
  const paths =
    folder === undefined
      ? [join(ROOT, 'models', 'relevance', `${stage}.json`)]
      : Array.from({ length: Number(folds) }, (_, fold) => join(folder, `${stage}.${fold}.json`))
  return paths.map(readFit)
}

/** The one that did not know the question, by the folds of fit.py. */
const fitFor = (fits: ReturnType<typeof readFits>, { id }: Question) => fits[crc32(id) % fits.length] ?? null

const column = Object.fromEntries(COLUMNS.map((name) => [name, columnIndex(name)]))
const at = (table: FeatureTable, row: number, name: string): number => {
  const value = valueAt(table, row, column[name] ?? 0)
  return Number.isNaN(value) ? -1 : value
}

/** What orders the passages before anything is fitted. */
const unfitted = (table: FeatureTable): Float64Array =>
  Float64Array.from(
    { length: table.rows },
    (_, row) =>
      at(table, row, 'bm25Full') +
      0.5 * at(table, row, 'staticFullMaxSim') +
      0.3 * at(table, row, 'spelling') +
      2 * Math.max(0, at(table, row, 'cosine')) +
      Math.max(0, at(table, row, 'bestSentence')) -
      (at(table, row, 'contentWeight') < 0.1 ? 0.3 : 0),
  )

const readOnce = createReadOnce()

async function describe(
  question: Question,
  pool: readonly ScoredPassage[],
  fits: { first: ReturnType<typeof readFit>; second: ReturnType<typeof readFit> },
  model: Transformer | null,
  reranker: Transformer | null,
): Promise<{ table: FeatureTable; read: Map<number, ReadParts> }> {
  const read = new Map<number, ReadParts>()
  const table = firstStage.readPool(question.query, pool, question.passages !== undefined)
  const pages = pool.map(({ page }) => page)
  comparePassages(table, pages)
  if (model !== null) {
    const rows = chooseToRead(fits.first?.judge(table, pages) ?? unfitted(table), READ, 'model')
    const texts = rows.map((row) => relatedText(pool[row]))
    const values = await model.compareRead(question.query, await readOnce(model, texts))
    let at = 0
    for (const [index, row] of rows.entries()) {
      const end = at + similaritiesWidth(texts[index]?.parts?.length ?? 0)
      for (const [offset, name] of SIMILARITIES.entries())
        setCell(table, row, columnIndex(name), values[at + offset] ?? Number.NaN)
      read.set(row, { similarities: values.slice(at + SIMILARITIES.length, end) })
      at = end
    }
    comparePassages(table, pages)
    if (reranker !== null) {
      const best = chooseToRead(fits.second?.judge(table, pages) ?? unfitted(table), RERANKED, 'reranker')
      const related = best.map((row) => relatedText(pool[row]))
      const said = await reranker.rank(question.query, related)
      let from = 0
      for (const [index, row] of best.entries()) {
        const to = from + rankingWidth(related[index]?.parts?.length ?? 0)
        setCell(table, row, columnIndex('crossEncoder'), said[from] ?? Number.NaN)
        read.set(row, { ...read.get(row), answering: said.slice(from + 1, to) })
        from = to
      }
      comparePassages(table, pages)
    }
  }
  return { table, read }
}

/**
 * Of the passages that a search might return: where their parts stand, which runs of them answer, and a row of PART_COLUMNS
 * for each part; of those that answer, the text.
 */
function describeParts(
  question: Question,
  pool: readonly ScoredPassage[],
  rows: readonly number[],
  read: ReadonlyMap<number, ReadParts>,
) {
  const asked = rows.flatMap((row) => {
    const passage = pool[row]
    return passage === undefined ? [] : [{ passage, relevance: 0, ...read.get(row) }]
  })
  const runs = asked.map(({ passage }) => (passage.page === 0 ? answeringParts(question, passage) : []))
  return {
    values: readParts(firstStage, question.query, asked),
    spans: asked.map(({ passage }) => (passage.parts ?? []).map(({ start, end }) => [start, end])),
    runs,
    texts: asked.map(({ passage }, index) => {
      const { context, text } = relatedText(passage)
      return runs[index]?.length === 0 ? null : { context, text }
    }),
  }
}

function keptRows(table: FeatureTable, labels: readonly boolean[]): number[] {
  const kept = new Set<number>()
  for (const [row, label] of labels.entries()) if (label) kept.add(row)
  for (const name of KEPT_BY) {
    const values = Float64Array.from({ length: table.rows }, (_, row) => at(table, row, name))
    for (const row of descending(values).slice(0, KEPT_OF_EACH)) kept.add(row)
  }
  for (let count = 0; count < KEPT_BY_CHANCE; count++) kept.add((count * 7919 + table.rows * 31) % table.rows)
  return [...kept].toSorted((left, right) => left - right)
}

const questions = readQuestions(questionsFile)
  .filter((_, index) => index % parts === part - 1)
  .map((question) => ({ ...question, query: whatIsAsked(question.query) }))
const model = await loadModel(options.model)
const reranker = await loadModel(options.reranker)
const firstFits = readFits('first-stage')
const secondFits = options.model === undefined ? [] : readFits(basename(options.model))
writeFileSync(`${out}.rows`, '')
writeFileSync(`${out}.parts`, '')
writeFileSync(`${out}.jsonl`, '')
for (const [index, question] of questions.entries()) {
  const pool = await poolOf(question)
  if (pool.length === 0) continue
  const labels = pool.map((passage) => isAnswer(question, passage))
  const fits = { first: fitFor(firstFits, question), second: fitFor(secondFits, question) }
  const { table, read } = await describe(question, pool, fits, model, reranker)
  const rows = keptRows(table, labels)
  const width = COLUMNS.length
  const values = new Float32Array(rows.length * width)
  for (const [to, row] of rows.entries())
    values.set(table.values.subarray(row * width, (row + 1) * width), to * width)
  appendFileSync(`${out}.rows`, Buffer.from(values.buffer))
  const parts = describeParts(question, pool, rows, read)
  appendFileSync(`${out}.parts`, Buffer.from(parts.values.buffer))
  const {
    passages: _passages,
    answers: _answers,
    section: _section,
    pages: _pages,
    others: _others,
    relevant: _relevant,
    ...facts
  } = question
  const more = {
    rows: rows.length,
    pool: pool.length,
    labels: rows.map((row) => (labels[row] === true ? 1 : 0)),
    places: rows,
  }
  const pages = rows.map((row) => pool[row]?.page ?? 0)
  const lengths = rows.map((row) => pool[row]?.text.length ?? 0)
  const { values: _values, ...told } = parts
  appendFileSync(`${out}.jsonl`, `${JSON.stringify({ ...facts, ...more, pages, lengths, ...told })}\n`)
  if (index % 200 === 0) console.error(`${index} of ${questions.length}`)
}
writeFileSync(`${out}.columns.json`, JSON.stringify(COLUMNS))
writeFileSync(`${out}.part-columns.json`, JSON.stringify(PART_COLUMNS))
