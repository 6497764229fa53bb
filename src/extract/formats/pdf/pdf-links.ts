// What the links of a printed page cover: a PDF knows areas of the page, a reader words.
import type { Link } from '../../document.ts'

/** In points from the lower left corner of the page. */
export interface LinkArea {
  left: number
  bottom: number
  right: number
  top: number
  target: string
}

/** A stretch of a line: where it stands in the line's text, and on the page from its left end to its right, in points. */
export interface PrintedPiece {
  start: number
  end: number
  x: number
  right: number
}

interface PrintedLine {
  text: string
  /** How high on the page the letters stand. */
  middle: number
  pieces: readonly PrintedPiece[]
}

/** More than any page has; each is looked for in every line. */
const MOST_AREAS = 500
const NUMBERS_OF_QUAD = 8

/** The areas of a page that lead to addresses, of what pdf.js tells of its annotations. */
export function linkAreasOf(annotations: readonly unknown[]): LinkArea[] {
  return annotations
    .flatMap((annotation) => {
      if (typeof annotation !== 'object' || annotation === null) return []
      // Without a scheme that leads somewhere pdf.js gives no `url`.
      const { url, rect, quadPoints } = Object.fromEntries(Object.entries(annotation))
      if (typeof url !== 'string') return []
      const quads = numbersOf(quadPoints)
      const corners = quads.length < NUMBERS_OF_QUAD ? [numbersOf(rect)] : inQuads(quads)
      return corners.filter(({ length }) => length >= 4).map((points) => areaAround(points, url))
    })
    .slice(0, MOST_AREAS)
}

const numbersOf = (values: unknown): number[] =>
  Array.isArray(values) || ArrayBuffer.isView(values) ? Array.from(Object.values(values), Number) : []

/** A link that goes on in the next line has a quadrilateral for each. */
const inQuads = (numbers: readonly number[]): number[][] =>
  Array.from({ length: Math.floor(numbers.length / NUMBERS_OF_QUAD) }, (_, quad) =>
    numbers.slice(quad * NUMBERS_OF_QUAD, (quad + 1) * NUMBERS_OF_QUAD),
  )

function areaAround(points: readonly number[], target: string): LinkArea {
  const [across, up] = [0, 1].map((axis) => points.filter((_, index) => index % 2 === axis))
  return {
    left: Math.min(...(across ?? [])),
    right: Math.max(...(across ?? [])),
    bottom: Math.min(...(up ?? [])),
    top: Math.max(...(up ?? [])),
    target,
  }
}

/** The links of a line: whole words, in order, none within another. */
export function linksIn(line: PrintedLine, areas: readonly LinkArea[]): Link[] {
  const found = areas
    .filter(({ bottom, top }) => bottom <= line.middle && line.middle <= top)
    .flatMap((area) => linkOf(area, line) ?? [])
    .toSorted((left, right) => left.start - right.start)
  const links: Link[] = []
  for (const link of found) if (link.start >= (links.at(-1)?.end ?? 0)) links.push(link)
  return links
}

function linkOf(area: LinkArea, { text, pieces }: PrintedLine): Link | null {
  const words = pieces.flatMap((piece) => wordsWithin(area, text, piece))
  const [first, last] = [words[0], words.at(-1)]
  return first === undefined || last === undefined
    ? null
    : { start: first.start, end: last.end, target: area.target }
}

/** Words of a piece whose middle lies in the area: letters are taken for equally wide. */
function wordsWithin(area: LinkArea, text: string, piece: PrintedPiece): { start: number; end: number }[] {
  if (piece.x >= area.right || piece.right <= area.left) return []
  const width = (piece.right - piece.x) / Math.max(1, piece.end - piece.start)
  const words = [...text.slice(piece.start, piece.end).matchAll(/\S+/gu)]
  return words.flatMap(({ index, 0: word }) => {
    const middle = piece.x + (index + word.length / 2) * width
    const start = piece.start + index
    return middle >= area.left && middle <= area.right ? [{ start, end: start + word.length }] : []
  })
}

/** Links of lines that are joined by a line break each, as links of the text that starts at `start`; those that go on are one. */
export function joinedLinks(
  lines: readonly { text: string; links?: readonly Link[] }[],
  start: number,
): Link[] {
  const joined: Link[] = []
  let at = start
  for (const { text, links = [] } of lines) {
    for (const link of links) {
      const last = joined.at(-1)
      const goesOn = last?.target === link.target && last.end === at - 1 && link.start === 0
      if (goesOn) last.end = at + link.end
      else joined.push({ ...link, start: at + link.start, end: at + link.end })
    }
    at += text.length + 1
  }
  return joined
}
