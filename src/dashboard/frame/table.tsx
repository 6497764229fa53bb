// A table that turns into cards on narrow screens: each column is described once, with its label and what its cells hold.
import type { ComponentChildren, JSX } from 'preact'

export interface Column<Row> {
  /** Heads the column, and each of its cells where rows are cards. */
  label: string
  /** The cell names its row. */
  isRowHead?: boolean
  /** The label is for those who hear the page: the cells show by themselves what they are, as buttons do. */
  isLabelHidden?: boolean
  /** `number`: aligned at its end, in head and cells; `nowrap`: a cell on one line; `prose`: sentences, below the label of a card; `breakable`: one long word. */
  look?: 'number' | 'nowrap' | 'number nowrap' | 'prose' | 'breakable'
  cell: (row: Row) => ComponentChildren
}

interface CardTableProperties<Row> {
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  /** For the style sheet of a page. */
  name?: string
  /** Where a row is linked to. */
  idOf?: (row: Row) => string
}

export function CardTable<Row>({ columns, rows, name, idOf }: CardTableProperties<Row>): JSX.Element {
  return (
    <table class={name === undefined ? 'cards' : `cards ${name}`}>
      <thead>
        <tr>
          {columns.map((column) => (
            <th scope="col" class={column.look?.startsWith('number') === true ? 'number' : undefined}>
              {column.isLabelHidden === true ? (
                <span class="visually-hidden">{column.label}</span>
              ) : (
                column.label
              )}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr id={idOf?.(row)}>
            {columns.map((column) => (
              <Cell column={column} row={row} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Cell<Row>({ column, row }: { column: Column<Row>; row: Row }) {
  const { label, isRowHead = false, isLabelHidden = false, look, cell } = column
  if (isRowHead)
    return (
      <th scope="row" class={look}>
        {cell(row)}
      </th>
    )
  return (
    <td data-label={isLabelHidden ? undefined : label} class={look}>
      {cell(row)}
    </td>
  )
}
