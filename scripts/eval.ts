// `npm run eval [-- --data FILE] [--pages DIR] [--fit] [--publish]`: how well passages are ranked, whether scores mean
// what they say, and, given saved pages, how well text is extracted. Without --data, on the documentation's own questions.
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { pino } from 'pino'
import {
  expectedCalibrationError,
  fitCalibration,
  reliabilityOf,
  shownScores,
} from '../src/score/calibrate/fit.ts'
import { loadCalibration, type CalibrationMap } from '../src/score/relevance/calibration.ts'
import {
  createFirstStage,
  FIRST_STAGE_FEATURES,
  FIRST_STAGE_MODEL,
} from '../src/score/relevance/first-stage.ts'
import { readStaticModel } from '../src/score/static/static-model.ts'
import { loadWordPiece } from '../src/score/models/word-piece.ts'
import { THRESHOLD_HEAD, thresholdLines } from './eval/depth-thresholds.ts'
import { documentationQueries, fewPassageQueries, readLabelledQueries } from './eval/evaluation-set.ts'
import { openInstalledTiers } from './eval/installed-tiers.ts'
import { evaluate, firstStageMethods, labelledPools } from './eval/ranking.ts'
import { reliabilityPlot } from './eval/reliability-plot.ts'
import { publish, setTable, summaryTable } from './eval/score-tables.ts'

const BUNDLED = 'models/bundled'
const CALIBRATION = 'models/calibration.json'
const PAGE = 'docs/scores.md'
const PLOT = 'docs/images/reliability.svg'

const { values: options } = parseArgs({
  options: {
    data: { type: 'string' },
    pages: { type: 'string' },
    models: { type: 'string', default: process.env['MODEL_DIR'] ?? '.models' },
    fit: { type: 'boolean', default: false },
    publish: { type: 'boolean', default: false },
  },
})

if (options.data === undefined && (options.fit || options.publish)) {
  console.error(
    '--fit and --publish need --data FILE: the documentation alone is too little to fit or to publish.',
  )
  process.exit(2)
}
if (options.data === undefined)
  console.log("Without --data FILE: measured on the documentation's own questions and paragraphs.\n")
const given = options.data === undefined ? documentationQueries('docs') : readLabelledQueries(options.data)
const queries = [...given, ...fewPassageQueries(given)]

const readMaps = () => loadCalibration(JSON.parse(readFileSync(CALIBRATION, 'utf8')))

const firstStage = createFirstStage({
  model: readStaticModel(readFileSync(`${BUNDLED}/onnx/model_quantized.onnx`)),
  wordPiece: loadWordPiece(JSON.parse(readFileSync(`${BUNDLED}/tokenizer.json`, 'utf8'))),
  calibration: readMaps(),
})
const pools = labelledPools(firstStage, queries)

/** Replaces the first stage's map in models/calibration.json. */
function writeMap(map: CalibrationMap): void {
  const file: { maps: Record<string, unknown> } = JSON.parse(readFileSync(CALIBRATION, 'utf8'))
  const rounded = JSON.stringify(
    { maps: { ...file.maps, [FIRST_STAGE_MODEL]: map } },
    (_key, value: unknown) => (typeof value === 'number' ? Number(value.toFixed(4)) : value),
    2,
  )
  writeFileSync(CALIBRATION, `${rounded}\n`)
}

function fit(): Map<string, number> {
  const { map, heldOut } = fitCalibration(pools, FIRST_STAGE_FEATURES)
  writeMap(map)
  console.log(`fitted: ECE ${map.expectedCalibrationError?.toFixed(4)} on sets left out`, map.weights)
  return new Map(
    Array.from(heldOut, ([set, weights]) => {
      const judged = pools.filter((pool) => pool.set === set).flatMap((pool) => shownScores(pool, weights))
      return [set, expectedCalibrationError(reliabilityOf(judged))]
    }),
  )
}

const heldOutErrors = options.fit ? fit() : null
const tiers = await openInstalledTiers({
  catalogPath: 'models/catalog.json',
  bundledDirectory: BUNDLED,
  modelDirectory: options.models,
  log: pino({ level: 'silent' }),
})
const map = readMaps().mapOf(FIRST_STAGE_MODEL)
const methods = [...firstStageMethods(queries, pools, map), ...tiers.methods]
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
  setTable(results, heldOutErrors),
  `${THRESHOLD_HEAD}\n${thresholdLines(fused).join('\n')}`,
].join('\n\n')
console.log(measured)
if (tiers.methods.length === 0) console.log('\nNo tier has its own model here: npm run models -- prefetch')
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
