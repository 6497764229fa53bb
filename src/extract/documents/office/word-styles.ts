// Which paragraphs of a Word document are headings, tables of contents and lists, by the names and levels of their
// styles (ECMA-376 Part 1, §17.7).
import { readXml } from '../xml.ts'

export interface ParagraphStyle {
  /** 1 is the outermost; null for what is no heading. */
  headingLevel: number | null
  isContentsList: boolean
}

interface StyleRow {
  name: string
  basedOn: string
  /** `outlineLvl` + 1; null when the style does not say. */
  level: number | null
}

/** Styles name each other in circles in broken files. */
const ANCESTORS_MAX = 12
const NO_STYLE: ParagraphStyle = { headingLevel: null, isContentsList: false }

/** From a style's id to what its paragraphs are. */
export function readWordStyles(stylesXml: string): (id: string) => ParagraphStyle {
  const rows = readRows(stylesXml)
  return function styleOf(id) {
    let [at, row] = [0, rows.get(id)]
    for (; row !== undefined && at < ANCESTORS_MAX; at += 1) {
      const style = judge(row)
      if (style !== null) return style
      row = rows.get(row.basedOn)
    }
    return NO_STYLE
  }
}

function readRows(xml: string): ReadonlyMap<string, StyleRow> {
  const rows = new Map<string, StyleRow>()
  let row: StyleRow | null = null
  readXml(xml, {
    open(name, attribute) {
      if (name === 'style') {
        row = { name: '', basedOn: '', level: null }
        rows.set(attribute('styleId'), row)
      } else if (row === null) return
      else if (name === 'name') row.name = attribute('val').toLowerCase()
      else if (name === 'basedOn') row.basedOn = attribute('val')
      else if (name === 'outlineLvl') row.level = outlineLevel(attribute('val'))
    },
    close(name) {
      if (name === 'style') row = null
    },
  })
  return rows
}

/** Levels are written from 0; 9 means body text. */
export function outlineLevel(value: string): number | null {
  return /^[0-8]$/u.test(value) ? Number(value) + 1 : null
}

/** Null when the style it is based on decides. Built-in styles keep their English names in every language. */
function judge({ name, level }: StyleRow): ParagraphStyle | null {
  const heading = /^heading ([1-9])$/u.exec(name)?.[1]
  if (heading !== undefined) return { headingLevel: Number(heading), isContentsList: false }
  if (name === 'title') return { headingLevel: 1, isContentsList: false }
  if (/^(?:toc |table of |contents \d)/u.test(name)) return { headingLevel: null, isContentsList: true }
  return level === null ? null : { headingLevel: level, isContentsList: false }
}
