// How well the headers of cells are told, over the tables that were labelled by hand.
import { type ReadCell, readLabelledTables, TABLE_FOLDERS } from './labelled-tables.ts'

const GOAL = 0.95

/** Prints the share of labelled cells with the right headers, and every cell that has others. */
export async function evaluateTables(): Promise<void> {
  for (const folder of TABLE_FOLDERS) {
    const { tables, cells } = await readLabelledTables(folder)
    console.log(`${folder}: ${tables} tables, ${cells.length} cells`)
    report(cells)
  }
}

function report(cells: readonly ReadCell[]): void {
  const share = (holds: (cell: ReadCell) => boolean): string =>
    (cells.filter(holds).length / cells.length).toFixed(3)
  console.log(`right row headers                        ${share(({ hasRowHeaders }) => hasRowHeaders)}`)
  console.log(`right column headers                     ${share(({ hasColumnHeaders }) => hasColumnHeaders)}`)
  console.log(`both                                     ${share(isRight)}  goal ${GOAL}`)
  console.log(
    `headers in the passage of the cell or beside it ${share(({ isQuotedWithHeaders }) => isQuotedWithHeaders)}`,
  )
  for (const cell of cells.filter((each) => !isRight(each))) console.log(`  ${faultOf(cell)}`)
}

/** Whether the cell has the headers that it has to a reader. */
export const isRight = ({ hasRowHeaders, hasColumnHeaders }: ReadCell): boolean =>
  hasRowHeaders && hasColumnHeaders

function faultOf({ file, truth, found }: ReadCell): string {
  if (found === null) return `${file}: "${truth.text}" is no cell`
  const headers = [found.rowHeaders, found.columnHeaders].map((list) => list.join(' > '))
  return `${file}: "${truth.text}" has ${headers.map((list) => `"${list}"`).join(' and ')}`
}
