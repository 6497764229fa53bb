// The result of the evaluation as Markdown tables.
import { calibrationError, macroMeans, type MethodResult } from './ranking.ts'

const TEXT_COLUMNS: ReadonlySet<string> = new Set(['set', 'method'])

const figure = (value: number | null | undefined): string =>
  value === null || value === undefined ? '–' : value.toFixed(3)

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  return [
    line(head),
    line(head.map((name) => (TEXT_COLUMNS.has(name) ? '---' : '---:'))),
    ...rows.map(line),
  ].join('\n')
}

/** One row a method: the means over the sets, and the calibration error of all shown passages. */
export function summaryTable(results: readonly MethodResult[]): string {
  const rows = results.flatMap((result) =>
    Array.from(macroMeans(result), ([group, metrics]) => [
      `${result.name}, ${group}`,
      figure(metrics.ndcg5),
      figure(metrics.reciprocalRank),
      figure(metrics.recall3),
      figure(calibrationError(result.judged)),
    ]),
  )
  return table(['method', 'nDCG@5', 'MRR', 'Recall@3', 'ECE, all sets'], rows)
}

/** One row a method in each set. */
export function setTable(results: readonly MethodResult[]): string {
  const sets = new Set(results.flatMap(({ bySet, judged }) => [...bySet.keys(), ...judged.keys()]))
  const rows = Array.from(sets)
    .toSorted()
    .flatMap((set) =>
      results.map(({ name, bySet, judged }) => {
        const metrics = bySet.get(set)
        const figures = [
          metrics?.ndcg5,
          metrics?.reciprocalRank,
          metrics?.recall3,
          calibrationError(judged, set),
        ]
        return [set, name, ...figures.map(figure)]
      }),
    )
  return table(['set', 'method', 'nDCG@5', 'MRR', 'Recall@3', 'ECE'], rows)
}
