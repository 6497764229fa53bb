// Whether a stretch of a page is worth quoting, by what it is made of.
import type { Block, PageText } from '../document.ts'
import { linksWithin } from '../links-within.ts'
import type { Group } from './pack-units.ts'
import type { Unit } from './page-units.ts'
import { weighedLength } from './spans.ts'

/** Shorter texts are quoted only when they say something: a price, a row, a whole sentence. */
const LOOSE_CHARACTERS = { alphabet: 80, dense: 30 } as const
const DENSE = /[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]/u
const SAYS_SOMETHING = /[.!?…。！？]["'”’»)]?$|\p{Sc}|\d/u
/** So many lines that name parts of the page make a contents list. */
const CONTENTS_LINES_MIN = 3
const CONTENTS_SHARE = 0.6
/** A caption below this says what a picture shows and no more; in characters of an alphabet. */
const CAPTION_CHARACTERS = 200
/** Short lines that are links for so great a part, and so hardly content, are a menu however many they are. */
const MENU = { linkShare: 0.8, weight: 0.06, lineCharacters: 25 } as const

/** `loose` is quoted where a page says nothing else, `empty` never: a bare heading, a contents list. */
export type Worth = 'quotable' | 'loose' | 'empty'

/** Returns a function that judges groups of `units`, which are those of `page`. */
export function createQuoteJudge(page: PageText, units: readonly Unit[]): (group: Group) => Worth {
  const fold = (unit: Unit): string =>
    page.text.slice(unit.start, unit.end).replace(/\s+/gu, ' ').toLowerCase()
  const headings = new Set(units.filter((unit) => unit.isHeading).map(fold))
  const namesPart = (unit: Unit): boolean => headings.has(fold(unit)) || leadsIntoPage(unit)

  return (group) => {
    const body = group.filter((unit) => !unit.isHeading)
    if (body.length === 0 || isBareHeading(body)) return 'empty'
    const naming = body.filter(namesPart)
    if (naming.length >= CONTENTS_LINES_MIN && lengthOf(naming) >= lengthOf(body) * CONTENTS_SHARE)
      return 'empty'
    const text = page.text.slice(group[0]?.start, group.at(-1)?.end)
    if (isMenu(body, text) || isShortCaption(body, text)) return 'loose'
    const isLoose = text.length < (DENSE.test(text) ? LOOSE_CHARACTERS.dense : LOOSE_CHARACTERS.alphabet)
    if (!isLoose || body.some(({ block }) => block.kind === 'definition' || block.kind === 'term'))
      return 'quotable'
    return SAYS_SOMETHING.test(text) ? 'quotable' : 'loose'
  }
}

const isBareHeading = (body: Group): boolean => body.length === 1 && body[0]?.block.kind === 'heading'

const isShortCaption = (body: Group, text: string): boolean =>
  body.every(({ block }) => block.kind === 'caption') && weighedLength(text) < CAPTION_CHARACTERS

const PLACE_ON_PAGE = /^#./u

/** The whole line is a link to a place on the page itself. */
const leadsIntoPage = ({ block, start, end }: Unit): boolean =>
  linksWithin(block, start, end).some(
    (link) => link.start <= start && link.end >= end && PLACE_ON_PAGE.test(link.target),
  )

const lengthOf = (units: Group): number => units.reduce((sum, { start, end }) => sum + end - start, 0)

function isMenu(body: Group, text: string): boolean {
  const characters = lengthOf(body)
  const linked = body.reduce((sum, { block, start, end }) => sum + linkedWithin(block, start, end), 0)
  const weight = body.reduce((sum, { block, start, end }) => sum + block.contentWeight * (end - start), 0)
  return (
    weighedLength(text) < body.length * MENU.lineCharacters &&
    linked >= characters * MENU.linkShare &&
    weight < characters * MENU.weight
  )
}

const linkedWithin = (block: Block, start: number, end: number): number =>
  linksWithin(block, start, end).reduce(
    (sum, link) => sum + Math.min(end, link.end) - Math.max(start, link.start),
    0,
  )
