// Tables of paragraphs, as word processors and slides have them: a row of several cells becomes a line, a row of one
// cell, which is there for its frame, stays the paragraphs it holds.
import type { DocumentWriter } from './document-writer.ts'

interface OpenTable<P> {
  rows: number
  row: P[][]
  cell: P[] | null
}

/** `write` takes the paragraphs that stand in no table, and those of frames. */
export function createTableCells<P extends { text: string }>(
  writer: Pick<DocumentWriter, 'beginTable' | 'row'>,
  write: (paragraph: P) => void,
) {
  const tables: OpenTable<P>[] = []

  function take(paragraph: P): void {
    const cell = tables.at(-1)?.cell ?? null
    if (cell === null) write(paragraph)
    else cell.push(paragraph)
  }
  return {
    take,
    /** Whether a table is open: what is written now would stand before its row. */
    isOpen: (): boolean => tables.length > 0,
    openTable(): void {
      tables.push({ rows: 0, row: [], cell: null })
      if (tables.length === 1) writer.beginTable()
    },
    openRow(): void {
      const table = tables.at(-1)
      if (table !== undefined) table.row = []
    },
    openCell(): void {
      const table = tables.at(-1)
      if (table !== undefined) table.cell = []
    },
    /** `repeats`: how many cells of the row it stands for. */
    closeCell(repeats = 1): void {
      const table = tables.at(-1)
      const cell = table?.cell ?? null
      if (table === undefined || cell === null) return
      for (let at = 0; at < repeats; at += 1) table.row.push(cell)
      table.cell = null
    },
    closeRow(): void {
      const table = tables.at(-1)
      if (table === undefined) return
      table.rows += 1
      const { row } = table
      table.row = []
      const outer = tables.at(-2)?.cell ?? null
      if (outer !== null) outer.push(...row.flat())
      else if (row.length === 1) for (const paragraph of row.flat()) write(paragraph)
      else
        writer.row(
          row.map((cell) => cell.map(({ text }) => text).join(' ')),
          table.rows === 1,
        )
    },
    closeTable(): void {
      tables.pop()
    },
  }
}
