// Where a page keeps its styles: the text of its `<style>` elements, and whether it asks for sheets from elsewhere.
import { judgeMedia } from './media-queries.ts'

export interface StyleSources {
  readonly sheets: readonly string[]
  /** The page loads style sheets that are not read. */
  readonly hasOthers: boolean
}

const MOST_CHARACTERS = 2_000_000
const MOST_SHEETS = 500
/** Begins of what is of interest, and of what its like may stand in as text. */
const BEGIN =
  /<(?:!--|(script|style|template|noscript|textarea|title|xmp|iframe|noembed|noframes|link)(?=[\s/>]))/gi
const IMPORT = /@import\b/i
const LONGEST_TAG = 2_000

/** Finds the style sheets of a page anywhere in its markup: a rule holds for what stands before it, too. */
export function findStyles(html: string): StyleSources {
  const sheets: string[] = []
  let characters = 0
  let hasOthers = false
  BEGIN.lastIndex = 0
  for (let begin = BEGIN.exec(html); begin !== null; begin = BEGIN.exec(html)) {
    const name = begin[1]?.toLowerCase()
    const tagEnd = html.indexOf('>', begin.index)
    if (name === undefined) {
      const end = html.indexOf('-->', begin.index + 2)
      if (end === -1) break
      BEGIN.lastIndex = end + 3
      continue
    }
    if (tagEnd === -1) break
    const tag = html.slice(begin.index, Math.min(tagEnd, begin.index + LONGEST_TAG))
    BEGIN.lastIndex = tagEnd + 1
    if (name === 'link') {
      hasOthers ||= tag.toLowerCase().includes('stylesheet')
      continue
    }
    const end = endOf(html, name, tagEnd + 1)
    BEGIN.lastIndex = end
    if (name !== 'style' || characters >= MOST_CHARACTERS || sheets.length >= MOST_SHEETS) continue
    const sheet = html.slice(tagEnd + 1, Math.min(end, tagEnd + 1 + MOST_CHARACTERS - characters))
    characters += sheet.length
    if (isForScreen(tag)) sheets.push(sheet)
    else hasOthers = true
    hasOthers ||= IMPORT.test(sheet)
  }
  return { sheets, hasOthers }
}

/** Where the text of an element ends: at its end tag, or with the page. */
function endOf(html: string, name: string, from: number): number {
  const end = END_TAGS.get(name)
  if (end === undefined) return from
  end.lastIndex = from
  const found = end.exec(html)
  return found === null ? html.length : found.index
}

const END_TAGS: ReadonlyMap<string, RegExp> = new Map(
  'script style template noscript textarea title xmp iframe noembed noframes'
    .split(' ')
    .map((name) => [name, new RegExp(`</${name}(?=[\\s/>])`, 'gi')]),
)

/** Another medium may be a trick to load it late. */
function isForScreen(tag: string): boolean {
  const media = /\bmedia\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))/i.exec(tag)
  const query = media?.[1] ?? media?.[2] ?? media?.[3]
  return query === undefined || judgeMedia(query) === 'holds'
}
