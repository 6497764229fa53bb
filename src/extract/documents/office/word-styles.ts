// Which paragraphs of a Word document are headings, tables of contents and lists, by the names and levels of their
// styles, and which styles hide their text (ECMA-376 Part 1, §17.7).
import { readXml } from '../xml.ts'

export interface ParagraphStyle {
  /** 1 is the outermost; null for what is no heading. */
  headingLevel: number | null
  isContentsList: boolean
  isHidden: boolean
  /** A colour lies behind its text. */
  isShaded: boolean
}

interface StyleRow {
  name: string
  basedOn: string
  /** `outlineLvl` + 1; null when the style does not say. */
  level: number | null
  /** `vanish`; null when the style does not say. */
  isHidden: boolean | null
  isShaded: boolean
}

/** Styles name each other in circles in broken files. */
const ANCESTORS_MAX = 12
const NO_STYLE = { headingLevel: null, isContentsList: false }

/** From the id of a style, of paragraphs or of runs, to what it makes of them. */
export function readWordStyles(stylesXml: string): (id: string) => ParagraphStyle {
  const { rows, isShaded } = readRows(stylesXml)
  return function styleOf(id) {
    const line = lineOf(rows, id)
    const [kind = NO_STYLE] = line.flatMap((row) => judge(row) ?? [])
    return {
      ...kind,
      isHidden: line.find((row) => row.isHidden !== null)?.isHidden ?? false,
      isShaded: isShaded || line.some((row) => row.isShaded),
    }
  }
}

/** The style and those it is based on, the nearest first. */
function lineOf(rows: ReadonlyMap<string, StyleRow>, id: string): StyleRow[] {
  const line: StyleRow[] = []
  for (let row = rows.get(id); row !== undefined && line.length < ANCESTORS_MAX; row = rows.get(row.basedOn))
    line.push(row)
  return line
}

/** The styles by their ids, and whether all text is shaded that does not say otherwise. */
function readRows(xml: string): { rows: ReadonlyMap<string, StyleRow>; isShaded: boolean } {
  const rows = new Map<string, StyleRow>()
  let row: StyleRow | null = null
  let [isDefault, isShaded] = [true, false]
  readXml(xml, {
    open(name, attribute) {
      if (name === 'style') {
        row = { name: '', basedOn: '', level: null, isHidden: null, isShaded: false }
        rows.set(attribute('styleId'), row)
        isDefault = attribute('default') !== '' && attribute('type') === 'paragraph'
      } else if (name === 'shd') {
        if (row !== null) row.isShaded = true
        isShaded ||= isDefault
      } else if (row === null) return
      else if (name === 'name') row.name = attribute('val').toLowerCase()
      else if (name === 'basedOn') row.basedOn = attribute('val')
      else if (name === 'outlineLvl') row.level = outlineLevel(attribute('val'))
      else if (name === 'vanish') row.isHidden = isOn(attribute('val'))
    },
    close(name) {
      if (name === 'style') row = null
    },
  })
  return { rows, isShaded }
}

/** Of a property that is on where nothing else is said. */
export const isOn = (value: string): boolean => !/^(?:0|false|off)$/u.test(value)

/** Levels are written from 0; 9 means body text. */
export function outlineLevel(value: string): number | null {
  return /^[0-8]$/u.test(value) ? Number(value) + 1 : null
}

/** Null when the style it is based on decides. Built-in styles keep their English names in every language. */
function judge({ name, level }: StyleRow): Pick<ParagraphStyle, 'headingLevel' | 'isContentsList'> | null {
  const heading = /^heading ([1-9])$/u.exec(name)?.[1]
  if (heading !== undefined) return { headingLevel: Number(heading), isContentsList: false }
  if (name === 'title') return { headingLevel: 1, isContentsList: false }
  if (/^(?:toc |table of |contents \d)/u.test(name)) return { headingLevel: null, isContentsList: true }
  return level === null ? null : { headingLevel: level, isContentsList: false }
}
