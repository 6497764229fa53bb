// `npm run eval -- …`: how well passages are ranked, whether scores mean what they say, and how well pages are read; USAGE
// names what can be asked.
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { pino } from 'pino'
import { reliabilityOf } from '../src/score/calibrate/fit.ts'
import { modelOf, readCatalog } from '../src/score/models/catalog.ts'
import { loadTransformer } from '../src/score/models/transformer.ts'
import { openScorer } from '../src/score/scorer.ts'
import { createFirstStage } from '../src/score/relevance/first-stage.ts'
import { loadRelevanceModel } from '../src/score/relevance/relevance-model.ts'
import { readStaticModel } from '../src/score/static/static-model.ts'
import { loadWordPiece } from '../src/score/models/word-piece.ts'
import { THRESHOLD_HEAD, thresholdLines } from './eval/depth-thresholds.ts'
import { documentationQueries, fewPassageQueries, readLabelledQueries } from './eval/evaluation-set.ts'
import { openInstalledTiers } from './eval/installed-tiers.ts'
import { baselineMethods, evaluate } from './eval/ranking.ts'
import { reliabilityPlot } from './eval/reliability-plot.ts'
import { publish, setTable, summaryTable } from './eval/score-tables.ts'

const MODELS = join(import.meta.dirname, '..', 'models')
const BUNDLED = join(MODELS, 'bundled')
const MINI_LM = 'all-MiniLM-L6-v2'
const PAGE = 'docs/scores.md'
const PLOT = 'docs/images/reliability.svg'

const USAGE = `npm run eval [-- --data FILE] [--pages DIR] [--publish]
    how well passages are ranked, whether scores mean what they say, and, given saved pages, how well text is
    extracted; without --data, on the documentation's own questions
npm run eval -- --passages --pages DIR --questions FILE[,FILE]
    whether the right passage of whole pages comes first
npm run eval -- --rerank [--data FILE] [--limit N]
    whether reranking puts what answers first, with N questions of each set
npm run eval -- --highlights --pages DIR --questions FILE[,FILE] [--limit N]
    whether limited answers and highlights hold the answer, and which passages are flagged
npm run eval -- --reading --pages DIR [--questions FILE] [--weights FILE]
    how well saved pages are read, and nothing else
npm run eval -- --tables
    whether cells of labelled tables have the headers that they have to a reader
npm run eval -- --documents [--write DIR]
    how well files made by LibreOffice are read, and what is said of broken ones
npm run eval -- --hostile [--pages DIR]
    whether challenges, walls and broken pages are told for what they are
npm run eval -- --copies [--pages DIR]
    whether pages that print one text are told from all others
npm run eval -- --verify --pages DIR
    whether quotes made from saved pages are told for what they are, and nothing else
npm run eval -- --proof --pages DIR [--limit N]
    what signed bundles take and bear, and whether edits of saved pages are told

DIR holds truth.jsonl and html/ID.html; FILE is a set of questions, as docs/scores.md says.`

const OPTIONS = {
  data: { type: 'string' },
  pages: { type: 'string' },
  models: { type: 'string', default: process.env['MODEL_DIR'] ?? '.models' },
  publish: { type: 'boolean', default: false },
  reading: { type: 'boolean', default: false },
  tables: { type: 'boolean', default: false },
  verify: { type: 'boolean', default: false },
  hostile: { type: 'boolean', default: false },
  proof: { type: 'boolean', default: false },
  copies: { type: 'boolean', default: false },
  documents: { type: 'boolean', default: false },
  write: { type: 'string' },
  passages: { type: 'boolean', default: false },
  highlights: { type: 'boolean', default: false },
  rerank: { type: 'boolean', default: false },
  limit: { type: 'string' },
  questions: { type: 'string' },
  weights: { type: 'string' },
  help: { type: 'boolean', default: false },
} as const

/** What was asked; ends the program where that cannot be. */
function readOptions() {
  try {
    return parseArgs({ options: OPTIONS }).values
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`)
    return process.exit(2)
  }
}

const options = readOptions()

if (options.help) {
  console.log(USAGE)
  process.exit(0)
}
if (options.reading) {
  if (options.pages === undefined) {
    console.error('--reading needs --pages DIR: a folder with truth.jsonl and html/ID.html.')
    process.exit(2)
  }
  const { evaluateReading } = await import('./eval/reading.ts')
  await evaluateReading(options.pages, options.questions ?? null, options.weights ?? null)
  process.exit(0)
}
if (options.tables) {
  const { evaluateTables } = await import('./eval/tables.ts')
  await evaluateTables()
  process.exit(0)
}
if (options.hostile) {
  const { evaluateHostile } = await import('./eval/hostile.ts')
  await evaluateHostile(options.pages ?? null)
  process.exit(0)
}
if (options.copies) {
  const { evaluateCopies } = await import('./eval/copies.ts')
  await evaluateCopies(options.pages ?? null)
  process.exit(0)
}
if (options.documents) {
  const { evaluateDocuments } = await import('./eval/documents.ts')
  await evaluateDocuments(options.write ?? null)
  process.exit(0)
}
if (options.verify) {
  if (options.pages === undefined) {
    console.error('--verify needs --pages DIR: a folder with html/ID.html.')
    process.exit(2)
  }
  const { evaluateVerification } = await import('./eval/verification.ts')
  await evaluateVerification(options.pages)
  process.exit(0)
}
if (options.proof) {
  if (options.pages === undefined) {
    console.error('--proof needs --pages DIR: a folder with html/ID.html.')
    process.exit(2)
  }
  const { evaluateProof } = await import('./eval/proof.ts')
  await evaluateProof(options.pages, options.limit === undefined ? null : Number(options.limit))
  process.exit(0)
}
if (options.data === undefined && options.publish) {
  console.error('--publish needs --data FILE: the documentation alone is too little to publish.')
  process.exit(2)
}
const readJson = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'))
const firstStage = createFirstStage({
  model: readStaticModel(readFileSync(`${BUNDLED}/onnx/model_quantized.onnx`)),
  wordPiece: loadWordPiece(readJson(`${BUNDLED}/tokenizer.json`)),
})
const fit = loadRelevanceModel(readJson(join(MODELS, 'relevance', 'first-stage.json')))
const catalog = await readCatalog(join(MODELS, 'catalog.json'))
const miniLm = await loadTransformer({
  id: MINI_LM,
  directory: join(MODELS, MINI_LM),
  device: 'cpu',
  spec: modelOf(catalog, MINI_LM),
})
const scoring = {
  // Absolute: what reads models on threads takes a relative folder for a name on the hub.
  catalogPath: join(MODELS, 'catalog.json'),
  bundledDirectory: BUNDLED,
  modelDirectory: resolve(options.models),
  log: pino({ level: 'silent' }),
}
if (options.highlights) {
  if (options.pages === undefined || options.questions === undefined) {
    console.error('--highlights needs --pages DIR with html/ID.html and --questions FILE[,FILE].')
    process.exit(2)
  }
  const { evaluateHighlights } = await import('./eval/highlights.ts')
  const scorer = await openScorer({ ...scoring, device: 'cpu', threads: null })
  const limit = options.limit === undefined ? null : Number(options.limit)
  await evaluateHighlights(join(options.pages, 'html'), options.questions.split(','), scorer, limit)
  await scorer.close()
  process.exit(0)
}
if (options.passages) {
  if (options.pages === undefined || options.questions === undefined) {
    console.error('--passages needs --pages DIR with html/ID.html and --questions FILE[,FILE].')
    process.exit(2)
  }
  const { evaluatePassages } = await import('./eval/passages.ts')
  const scorer = await openScorer({ ...scoring, device: 'cpu', threads: null })
  await evaluatePassages(join(options.pages, 'html'), options.questions.split(','), {
    firstStage,
    firstFit: fit,
    miniLm,
    scorer,
  })
  await scorer.close()
  process.exit(0)
}
if (options.rerank) {
  const { evaluateRerank } = await import('./eval/rerank.ts')
  const { openReadingPool } = await import('../src/search/reading/reading-pool.ts')
  const scorer = await openScorer({ ...scoring, device: 'cpu', threads: null })
  const reading = await openReadingPool()
  const labelled =
    options.data === undefined ? documentationQueries('docs') : readLabelledQueries(options.data)
  const limit = options.limit === undefined ? null : Number(options.limit)
  await evaluateRerank(labelled, { scorer, cutTexts: reading.cutTexts, miniLm, limit })
  await Promise.all([reading.close(), scorer.close()])
  process.exit(0)
}
if (options.data === undefined)
  console.log("Without --data FILE: measured on the documentation's own questions and paragraphs.\n")
const given = options.data === undefined ? documentationQueries('docs') : readLabelledQueries(options.data)
const queries = [...given, ...fewPassageQueries(given)]
const tiers = await openInstalledTiers(scoring)
const methods = [...baselineMethods(firstStage, fit, miniLm), ...tiers.methods]
const results = []
try {
  for (const method of methods) results.push(await evaluate(method, queries))
} finally {
  await tiers.close()
}

const fused = results[2]
if (!fused) throw new Error('The first stage was not evaluated.')
const measured = [
  summaryTable(results),
  setTable(results),
  `${THRESHOLD_HEAD}\n${thresholdLines(fused).join('\n')}`,
].join('\n\n')
console.log(measured)
if (options.publish) {
  publish(PAGE, measured)
  const bins = reliabilityOf(Array.from(fused.judged.values()).flat())
  writeFileSync(PLOT, reliabilityPlot('First stage: promise and finding', bins))
}

if (options.pages !== undefined) {
  const { evaluateExtraction } = await import('./eval/extraction.ts')
  await evaluateExtraction(options.pages)
  const { evaluateRenderingAgreement } = await import('./eval/rendering-agreement.ts')
  await evaluateRenderingAgreement(options.pages)
}
