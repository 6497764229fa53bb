// How well passages are ranked and whether scores mean what they say, every installed tier beside BM25 and MiniLM.
import { writeFileSync } from 'node:fs'
import { reliabilityOf } from '../../src/score/calibrate/fit.ts'
import { THRESHOLD_HEAD, thresholdLines } from './depth-thresholds.ts'
import { documentationQueries, fewPassageQueries, readLabelledQueries } from './evaluation-set.ts'
import { openInstalledTiers } from './installed-tiers.ts'
import { baselineMethods, evaluate, type MethodResult } from './ranking.ts'
import { reliabilityPlot } from './reliability-plot.ts'
import { publish, setTable, summaryTable } from './score-tables.ts'
import { loadFirstStage, loadMiniLm, scorerFolders } from './shared-models.ts'

const PAGE = 'docs/scores.md'
const PLOT = 'docs/images/reliability.svg'

/** Prints the tables over `data`, or over the documentation's own questions, and puts them into the documentation where asked. */
export async function evaluateScores(
  data: string | null,
  { models, isPublished }: { models: string; isPublished: boolean },
): Promise<void> {
  if (data === null)
    console.log("Without --data FILE: measured on the documentation's own questions and paragraphs.\n")
  const given = data === null ? documentationQueries('docs') : readLabelledQueries(data)
  const results = await evaluateMethods([...given, ...fewPassageQueries(given)], models)
  const fused = results[2]
  if (!fused) throw new Error('The first stage was not evaluated.')
  const measured = [
    summaryTable(results),
    setTable(results),
    `${THRESHOLD_HEAD}\n${thresholdLines(fused).join('\n')}`,
  ].join('\n\n')
  console.log(measured)
  if (!isPublished) return
  publish(PAGE, measured)
  const bins = reliabilityOf(Array.from(fused.judged.values()).flat())
  writeFileSync(PLOT, reliabilityPlot('First stage: promise and finding', bins))
}

async function evaluateMethods(
  queries: Parameters<typeof evaluate>[1],
  models: string,
): Promise<MethodResult[]> {
  const { firstStage, firstFit } = loadFirstStage()
  const miniLm = await loadMiniLm()
  const tiers = await openInstalledTiers(scorerFolders(models))
  const results = []
  try {
    for (const method of [...baselineMethods(firstStage, firstFit, miniLm), ...tiers.methods])
      results.push(await evaluate(method, queries))
  } finally {
    await tiers.close()
  }
  return results
}
