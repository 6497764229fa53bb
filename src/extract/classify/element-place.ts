// What the elements around a text make of it: heading, list item, row of a table, code, quotation, answer. The same for
// all text of an element, so each element is asked once.
import type { BlockKind, ListItem } from '../document.ts'
import type { HtmlElement } from '../html/element-tree.ts'
import { headingLevel, isPreformatted } from '../html/elements.ts'
import type { StructureMarks } from '../html/structure-marks.ts'
import { isData } from '../html/table-marks.ts'

export interface ElementPlace {
  /** 1 to 6 inside a heading, 7 inside a `<summary>`, else 0. */
  readonly level: number
  /** The nearest kind that an element gives; null for none. */
  readonly kind: BlockKind | null
  /** The element outside which a heading in it no longer holds, null for the whole page. */
  readonly headingScope: HtmlElement | null
  /** The row of a table that is no mere layout. */
  readonly row: HtmlElement | null
  readonly table: HtmlElement | null
  readonly item: ListItem | null
  readonly quoteDepth: number
  /** The preformatted element; below the row of a table only when it stands inside it. */
  readonly preformatted: HtmlElement | null
  readonly part: 'question' | 'answer' | null
}

/** The level of a `<summary>`: below every heading. */
const SUMMARY_LEVEL = 7
/** Headings in these say nothing about what follows the element. */
const HEADING_SCOPES: ReadonlySet<string> = new Set([
  'details',
  'article',
  'aside',
  'nav',
  'footer',
  'dialog',
])

const KIND_BY_ELEMENT: ReadonlyMap<string, BlockKind> = new Map([
  ['pre', 'code'],
  ['li', 'list'],
  ['dt', 'term'],
  ['dd', 'definition'],
  ['blockquote', 'quote'],
  ['q', 'quote'],
  ['figcaption', 'caption'],
  ['caption', 'caption'],
])
/** What systems call a picture's caption that is no `<figcaption>`; what stands around picture and caption has other names. */
const CAPTION_CLASS =
  /(?:^|[\s_-])(?:(?:image|img|photo|picture|figure|media)[-_]{0,2}caption|wp-caption-text)(?:$|\s)/iu
/** Most names are no captions at all, and are looked at for no longer than that takes. */
const isNamedCaption = ({ classes }: HtmlElement): boolean =>
  classes.includes('aption') && CAPTION_CLASS.test(classes)
const NO_KIND_ABOVE: ReadonlySet<string> = new Set(['article', 'section', 'main', 'body', 'table'])

const NOWHERE: ElementPlace = {
  level: 0,
  kind: null,
  headingScope: null,
  row: null,
  table: null,
  item: null,
  quoteDepth: 0,
  preformatted: null,
  part: null,
}

/** Returns a function that tells the place of an element. Items are numbered in the order in which they are asked for. */
export function createPlaces(marks: StructureMarks): (element: HtmlElement) => ElementPlace {
  const known = new Map<HtmlElement, ElementPlace>()
  const lists = new Map<HtmlElement | null, { list: number; items: number }>()

  function itemOf(element: HtmlElement, around: ElementPlace): ListItem {
    const list = lists.get(element.parent) ?? { list: lists.size, items: 0 }
    lists.set(element.parent, list)
    return {
      list: list.list,
      index: list.items++,
      number: marks.numberOf(element),
      parent: around.item,
      quoteDepth: around.quoteDepth,
    }
  }

  function rowOf(row: HtmlElement, { table }: ElementPlace): HtmlElement | null {
    const mark = table === null ? undefined : marks.tables.get(table)
    return mark === undefined || isData(mark) ? row : null
  }

  function placeOf(element: HtmlElement): ElementPlace {
    const before = known.get(element)
    if (before !== undefined) return before
    const around = element.parent === null ? NOWHERE : placeOf(element.parent)
    const place = placeIn(around, element)
    known.set(element, place)
    return place
  }

  function placeIn(around: ElementPlace, element: HtmlElement): ElementPlace {
    const name = marks.tableNameOf(element)
    const kind = kindOf(element, name)
    const isBorder = NO_KIND_ABOVE.has(name)
    const part = marks.parts.get(element)
    const isScope = HEADING_SCOPES.has(name)
    const ownLevel = name === 'summary' ? SUMMARY_LEVEL : (marks.levels.get(element) ?? headingLevel(name))
    const isPlain = kind === undefined && !isBorder && !isScope && ownLevel === 0 && name !== 'tr'
    if (isPlain && part === undefined) return around
    return {
      level: ownLevel > 0 ? ownLevel : isBorder || kind !== undefined ? 0 : around.level,
      kind: kind ?? (isBorder ? null : around.kind),
      headingScope: isScope ? element : around.headingScope,
      row: name === 'tr' ? rowOf(element, around) : name === 'table' || name === 'body' ? null : around.row,
      table: name === 'table' ? element : around.table,
      item: name === 'li' ? itemOf(element, around) : isBorder && name !== 'table' ? null : around.item,
      quoteDepth: around.quoteDepth + (name === 'blockquote' ? 1 : 0),
      preformatted: preformattedIn(element, name, around),
      part: part ?? around.part,
    }
  }

  return placeOf
}

const kindOf = (element: HtmlElement, name: string): BlockKind | undefined =>
  isPreformatted(element)
    ? 'code'
    : (KIND_BY_ELEMENT.get(name) ?? (isNamedCaption(element) ? 'caption' : undefined))

function preformattedIn(element: HtmlElement, name: string, around: ElementPlace): HtmlElement | null {
  if (name === 'pre') return element
  if (isPreformatted(element)) return around.preformatted ?? element
  return name === 'tr' ? null : around.preformatted
}
