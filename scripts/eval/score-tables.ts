// The result of the evaluation as Markdown tables, for the screen and for docs/scores.md.
// Apart from the measuring, which knows no Markdown.
import { readFileSync, writeFileSync } from 'node:fs'
import { calibrationError, macroMeans, type MethodResult } from './ranking.ts'

const START = '<!-- measured: start -->'
const END = '<!-- measured: end -->'

const figure = (value: number | null | undefined): string =>
  value === null || value === undefined ? '–' : value.toFixed(3)

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map((_, index) => (index === 0 ? '---' : '---:'))), ...rows.map(line)].join(
    '\n',
  )
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

/** One row a set: nDCG@5 of every method, the last method's other measures, and its calibration error. */
export function setTable(
  results: readonly MethodResult[],
  heldOutErrors: ReadonlyMap<string, number> | null,
): string {
  const last = results.at(-1)
  const sets = new Set(results.flatMap(({ bySet, judged }) => [...bySet.keys(), ...judged.keys()]))
  const rows = Array.from(sets)
    .toSorted()
    .map((set) => {
      const ndcg = results.map(({ bySet }) => figure(bySet.get(set)?.ndcg5))
      const metrics = last?.bySet.get(set)
      const error = last ? calibrationError(last.judged, set) : null
      const measures = [figure(metrics?.reciprocalRank), figure(metrics?.recall3), figure(error)]
      return [set].concat(ndcg, measures, heldOutErrors ? figure(heldOutErrors.get(set)) : [])
    })
  const measures = ['MRR', 'Recall@3', 'ECE'].map((name) => `${name}, ${last?.name ?? ''}`)
  const head = ['set', ...results.map(({ name }) => `nDCG@5, ${name}`), ...measures]
  return table([...head, ...(heldOutErrors ? ['ECE, set left out of the fit'] : [])], rows)
}

/**
 * Puts the measured part between the markers of a page.
 * @throws {Error} when the page has no markers.
 */
export function publish(page: string, measured: string): void {
  const text = readFileSync(page, 'utf8')
  const start = text.indexOf(START)
  const end = text.indexOf(END)
  if (start < 0 || end < start) throw new Error(`${page} has no place for measured figures.`)
  writeFileSync(page, `${text.slice(0, start + START.length)}\n\n${measured}\n\n${text.slice(end)}`)
}
