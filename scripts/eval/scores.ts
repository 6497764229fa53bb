// How well passages are ranked and whether scores mean what they say, every installed tier beside BM25 and MiniLM.
import { THRESHOLD_HEAD, thresholdLines } from './depth-thresholds.ts'
import { documentationQueries, fewPassageQueries, readLabelledQueries } from './evaluation-set.ts'
import { openInstalledTiers } from './installed-tiers.ts'
import { baselineMethods, evaluate, type MethodResult } from './ranking.ts'
import { setTable, summaryTable } from './score-tables.ts'
import { loadFirstStage, loadMiniLm, scorerFolders } from './shared-models.ts'

/** Prints the tables over `data`, or over the documentation's own questions. */
export async function evaluateScores(data: string | null, models: string): Promise<void> {
  if (data === null)
    console.log("Without --data FILE: measured on the documentation's own questions and paragraphs.\n")
  const given = data === null ? documentationQueries('docs') : readLabelledQueries(data)
  const results = await evaluateMethods([...given, ...fewPassageQueries(given)], models)
  const fused = results[2]
  if (!fused) throw new Error('The first stage was not evaluated.')
  console.log(summaryTable(results))
  console.log(`\n${setTable(results)}`)
  console.log(`\n${THRESHOLD_HEAD}\n${thresholdLines(fused).join('\n')}`)
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
