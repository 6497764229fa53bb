// Where a printed line is parted into cells: by wide gaps, and by narrow ones below or above which a cell begins.
import type { PrintedPiece } from './pdf-links.ts'

/** Words as they are printed at once. */
export interface PlacedPiece extends PrintedPiece {
  /** Of its base line, which is not the line's where cells stand in the middle of their rows. */
  y: number
  height: number
  /** The name of its font in the file; null where several are. */
  font: string | null
}

/** A place in a line's text with the words there. One space stands between two of them. */
export interface PrintedCell extends PlacedPiece {
  text: string
}

export interface PiecedLine {
  text: string
  height: number
  pieces: readonly PlacedPiece[]
}

/** A wider gap parts two cells of a table, in heights of the line. */
const CELL_GAP = 1
/** A wider one may; spaces in lines that are drawn out to both margins are as wide. */
const NARROW_GAP = 0.6
/** Letters of one size whose base lines are further apart, in their heights, are of two cells; raised ones are smaller. */
const OTHER_LINE = 0.45
/** Lines before and behind that tell where cells begin. */
const LINES_AROUND = 8
/** Places that are no further apart are one, in points. */
const TOLERANCE = 1.5
/** Cells that end above one another: where columns are even to the left, one ends anywhere. */
const LEAST_ENDS = 2

/** Lines of more cells are no rows: each is compared with those around it. */
const MOST_CELLS = 50

/** The cells of each of the `lines` of a page; none where words are not printed from left to right. */
export function partedLines(lines: readonly PiecedLine[]): (readonly PrintedCell[])[] {
  const wide = lines.map((line) => cellsIn(line, CELL_GAP))
  return lines.map((line, index) => {
    const cells = wide[index] ?? []
    const narrow = cellsIn(line, NARROW_GAP)
    if (narrow.length === cells.length || narrow.length > MOST_CELLS) return cells
    const around = wide.slice(Math.max(0, index - LINES_AROUND), index + LINES_AROUND + 1)
    const others = around.filter((other) => other.length <= MOST_CELLS).flat()
    return joinedCells(line, narrow, others)
  })
}

/** `narrow` without the gaps at which no cell of the line, or of `others` around it, ends or begins. */
function joinedCells(
  { text, height }: PiecedLine,
  narrow: readonly PrintedCell[],
  others: readonly PrintedCell[],
): PrintedCell[] {
  const own: PrintedCell[] = []
  for (const cell of narrow) {
    const last = own.at(-1)
    if (last === undefined || isApart(last, cell, CELL_GAP * height) || isEdge(last, cell, others))
      own.push(cell)
    else own[own.length - 1] = withText(joined(last, cell), text)
  }
  return own
}

const isNear = (one: number, other: number): boolean => Math.abs(one - other) <= TOLERANCE

function isEdge(last: PrintedCell, cell: PrintedCell, others: readonly PrintedCell[]): boolean {
  if (others.some(({ x }) => isNear(x, cell.x))) return true
  return others.filter(({ right }) => isNear(right, last.right)).length >= LEAST_ENDS
}

const isApart = (last: PlacedPiece, piece: PlacedPiece, gap: number): boolean =>
  piece.x - last.right > gap ||
  (piece.height === last.height && Math.abs(piece.y - last.y) > OTHER_LINE * piece.height)

const joined = (one: PlacedPiece, next: PlacedPiece): PlacedPiece => ({
  ...one,
  end: next.end,
  right: Math.max(one.right, next.right),
  font: one.font === next.font ? one.font : null,
})

/** All words of the line in order; none where they are not printed from left to right, or not parted by a space. */
function cellsIn({ text, height, pieces }: PiecedLine, gap: number): PrintedCell[] {
  const cells: PlacedPiece[] = []
  for (const piece of pieces) {
    const last = cells.at(-1)
    if (last !== undefined && piece.x < last.x) return []
    if (last === undefined || isApart(last, piece, gap * height)) cells.push(piece)
    else cells[cells.length - 1] = joined(last, piece)
  }
  const printed = cells.map((cell) => withText(cell, text))
  const isParted = printed.every(({ start }, index) => start === (printed[index - 1]?.end ?? -1) + 1)
  return isParted && printed.at(-1)?.end === text.length ? printed : []
}

function withText(piece: PlacedPiece, line: string): PrintedCell {
  const text = line.slice(piece.start, piece.end)
  const start = piece.start + text.length - text.trimStart().length
  return { ...piece, text: text.trim(), start, end: start + text.trim().length }
}
