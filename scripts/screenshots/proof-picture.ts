// Draws a question, the best passage of its answer, and that passage marked where it stands on its page, as an SVG.

export interface Proof {
  question: string
  url: string
  snippet: string
  relevanceScore: number
  /** Of the page's text, as the answer's proof was made of it. */
  pageText: string
  contentSha256: string
  /** The snippet's place in `pageText`. */
  start: number
  end: number
}

const COLUMNS = 92
/** Of the fonts below at 13 px. */
const CHARACTER_WIDTH = 7.8
const LINE_HEIGHT = 20
const MARGIN = 20
const WIDTH = Math.ceil(COLUMNS * CHARACTER_WIDTH) + 2 * MARGIN
const CONTEXT_LINES = 2
const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

interface Line {
  start: number
  text: string
}

/** Throws when the snippet is not the slice that the proof names. */
export function proofPicture(proof: Proof): string {
  const { question, url, snippet, relevanceScore, pageText, contentSha256, start, end } = proof
  if (pageText.slice(start, end) !== snippet) throw new Error('the snippet is not a slice of its page')
  const lines = linesAround(pageText, start, end)
  const marks = lines.flatMap(({ start: at, text }, index) => {
    const from = Math.max(start, at)
    const to = Math.min(end, at + text.length)
    return from < to ? [mark(index, from - at, to - from)] : []
  })
  const texts = lines.map(({ text }, index) => line('page', MARGIN, top(index), text))
  const bottom = top(lines.length)
  const height = bottom + LINE_HEIGHT + MARGIN
  const where = `characters ${start} to ${end} of the text with SHA-256 ${contentSha256.slice(0, 16)}…`
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-label="The question, and the passage that answers it, marked on its page">
<style>text{font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;white-space:pre}.back{fill:#fff;stroke:#d0d7de}.question{font-weight:bold;fill:#1f2328}.page{fill:#1f2328}.about{fill:#59636e}.mark{fill:#fff3a3}</style>
<rect class="back" x=".5" y=".5" width="${WIDTH - 1}" height="${height - 1}" rx="8"/>
${line('question', MARGIN, MARGIN + LINE_HEIGHT / 2, `? ${question}`)}
${line('about', MARGIN, MARGIN + 1.5 * LINE_HEIGHT, `relevance_score ${relevanceScore}   ${url}`)}
${[...marks, ...texts].join('\n')}
${line('about', MARGIN, bottom + LINE_HEIGHT / 2, where)}
</svg>
`
}

const top = (index: number): number => MARGIN + (3.5 + index) * LINE_HEIGHT
/** As wide as the marks take it to be, whatever font there is. */
const line = (kind: string, x: number, y: number, text: string): string =>
  `<text class="${kind}" x="${x}" y="${y}" textLength="${(text.length * CHARACTER_WIDTH).toFixed(1)}">${text.replaceAll(/[&<>"]/gu, (sign) => ESCAPES[sign] ?? sign)}</text>`
const mark = (index: number, column: number, columns: number): string =>
  `<rect class="mark" x="${(MARGIN + column * CHARACTER_WIDTH).toFixed(1)}" y="${top(index) - 14}" width="${(columns * CHARACTER_WIDTH).toFixed(1)}" height="${LINE_HEIGHT}"/>`

/** The page's lines that hold the passage, and a few before and after them, broken between words. */
function linesAround(text: string, start: number, end: number): Line[] {
  const lines = [...text.matchAll(/[^\n]+/gu)].flatMap((paragraph) => broken(paragraph[0], paragraph.index))
  const first = lines.findIndex((one) => one.start + one.text.length > start)
  const last = lines.findLastIndex((one) => one.start < end)
  return lines.slice(Math.max(0, first - CONTEXT_LINES), last + 1 + CONTEXT_LINES)
}

function broken(paragraph: string, start: number): Line[] {
  if (paragraph.length <= COLUMNS) return [{ start, text: paragraph }]
  const space = paragraph.lastIndexOf(' ', COLUMNS)
  const end = space > 0 ? space : COLUMNS
  return [{ start, text: paragraph.slice(0, end) }, ...broken(paragraph.slice(end + 1), start + end + 1)]
}
