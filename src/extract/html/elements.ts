// What the names of HTML elements mean to the reader: which break a line, which are never shown, which are landmarks.
import { type HtmlElement, someAround } from './element-tree.ts'

const names = (list: string): ReadonlySet<string> => new Set(list.split(' '))

/** What an element is to the layout, as bits. */
export const TRAIT = {
  /** Begins and ends a line. */
  block: 1,
  /** Inline in a browser, but its text is a thing of its own: it is weighed apart from the words around it. */
  detached: 2,
  /** Its content is not shown as text. */
  unshown: 4,
  /** Has no content: nothing to open or close. */
  empty: 8,
  cell: 16,
  /** Lays those right inside it out as boxes of their own: a flex or grid container, by the page's own styles. */
  boxes: 32,
  /** Runs on in its line, whatever its name. */
  inline: 64,
  /** What numbers are in it count lines of code: they are beside it, and none of it. */
  lineNumbers: 128,
  /** Line breaks of its text are shown, also outside `<pre>`; its spaces are, too; none of both is, whatever stands around. */
  keepsLines: 256,
  keepsSpaces: 512,
  foldsLines: 1024,
} as const

/** The traits of an element by its name and by how the page's own styles lay it out. */
export const laidOut = (traits: number, layout: number): number =>
  (layout & TRAIT.inline) === 0 ? traits | layout : (traits & ~TRAIT.block) | layout

const TRAITS_BY_NAME: ReadonlyMap<string, number> = new Map(
  (
    [
      // A browser's default style sheet (HTML standard, §15.3).
      [
        TRAIT.block,
        'address article aside blockquote body center dd details dialog dir div dl dt fieldset figcaption figure footer ' +
          'form frameset h1 h2 h3 h4 h5 h6 header hgroup html legend li listing main menu nav ol optgroup option p ' +
          'plaintext pre search section summary table tbody tfoot thead tr caption ul xmp',
      ],
      [TRAIT.block | TRAIT.empty, 'hr'],
      [TRAIT.detached, 'button label'],
      [
        TRAIT.unshown,
        'script style noscript svg annotation annotation-xml mphantom iframe object embed video audio canvas select datalist textarea ' +
          // Of ruby what stands in the line: a reading above it is in no sentence, and no browser finds it there.
          'noframes noembed rp rt rtc',
      ],
      [
        TRAIT.empty,
        'area base basefont bgsound br col frame img input keygen link meta param source track wbr',
      ],
      [TRAIT.cell, 'td th'],
    ] as const
  ).flatMap(([traits, list]) => list.split(' ').map((name) => [name, traits] as const)),
)

const BLOCK_OF_LINES = TRAIT.block | TRAIT.keepsLines

/** Its white space is shown as it stands: a `<pre>`, and a `<code>` that the page's styles make one. */
export const isPreformatted = ({ name, traits }: Pick<HtmlElement, 'name' | 'traits'>): boolean =>
  name === 'pre' || (name === 'code' && (traits & BLOCK_OF_LINES) === BLOCK_OF_LINES)

/** What stands in these is words of one paragraph, whatever else it is. */
const PHRASES = names('p h1 h2 h3 h4 h5 h6')

/** How far up its `<pre>` is looked for: lines are boxes, or rows of a table, in a box that scrolls. */
const CODE_LEVELS = 6

/** The traits of an element that opens in `parent`. */
export function traitsOf(name: string, parent: HtmlElement): number {
  return TRAITS_BY_NAME.get(name) ?? (name.includes('-') ? traitsOfComponent(name, parent) : 0)
}

/** The elements that MathJax draws a formula with: parts of the line, wherever it stands. */
const DRAWS_FORMULA = 'mjx-'

/**
 * Components are nearly always laid out as blocks, but where they stand among words: a mention, a note, a time; or in code,
 * whose names they explain.
 */
function traitsOfComponent(name: string, parent: HtmlElement): number {
  if (name.startsWith(DRAWS_FORMULA)) return 0
  let line = parent
  while ((line.traits & TRAIT.block) === 0 && line.parent !== null) line = line.parent
  return PHRASES.has(line.name) || isInCode(parent) ? 0 : TRAIT.block
}

const isInCode = (element: HtmlElement): boolean =>
  someAround(element, CODE_LEVELS, ({ name }) => name === 'pre' || name === 'code')

/** Landmarks as bits; the position of a bit is the position of the feature. */
export const LANDMARKS = [
  'nav',
  'header',
  'footer',
  'aside',
  'form',
  'dialog',
  'main',
  'article',
  'body text',
] as const

/** The landmarks as bits, by name. */
export const LANDMARK_BIT = {
  nav: 1,
  header: 2,
  footer: 4,
  aside: 8,
  form: 16,
  dialog: 32,
  main: 64,
  article: 128,
  bodyText: 256,
}

const LANDMARK_BY_ELEMENT: ReadonlyMap<string, number> = new Map([
  ['nav', LANDMARK_BIT.nav],
  ['header', LANDMARK_BIT.header],
  ['footer', LANDMARK_BIT.footer],
  ['aside', LANDMARK_BIT.aside],
  ['form', LANDMARK_BIT.form],
  ['dialog', LANDMARK_BIT.dialog],
  ['main', LANDMARK_BIT.main],
  ['article', LANDMARK_BIT.article],
])

const LANDMARK_BY_ROLE: ReadonlyMap<string, number> = new Map([
  ['navigation', LANDMARK_BIT.nav],
  ['menu', LANDMARK_BIT.nav],
  ['menubar', LANDMARK_BIT.nav],
  ['tablist', LANDMARK_BIT.nav],
  ['toolbar', LANDMARK_BIT.nav],
  ['banner', LANDMARK_BIT.header],
  ['contentinfo', LANDMARK_BIT.footer],
  ['complementary', LANDMARK_BIT.aside],
  ['search', LANDMARK_BIT.form],
  ['listbox', LANDMARK_BIT.form],
  ['form', LANDMARK_BIT.form],
  ['dialog', LANDMARK_BIT.dialog],
  ['alertdialog', LANDMARK_BIT.dialog],
  ['alert', LANDMARK_BIT.dialog],
  ['tooltip', LANDMARK_BIT.dialog],
  ['main', LANDMARK_BIT.main],
  ['article', LANDMARK_BIT.article],
])

const BODY_TEXT_PROPERTIES = names('articleBody description text reviewBody')

/** The landmarks an element stands for, by its name, `role` and `itemprop` (a set of bits, see LANDMARKS). */
export function landmarksOf(name: string, role: string | undefined, itemprop: string | undefined): number {
  let bits = LANDMARK_BY_ELEMENT.get(name) ?? 0
  if (role !== undefined) bits |= LANDMARK_BY_ROLE.get(role) ?? 0
  if (itemprop !== undefined && BODY_TEXT_PROPERTIES.has(itemprop)) bits |= LANDMARK_BIT.bodyText
  return bits
}

/** Element names the classifier tells apart; a feature's value is the position here plus one, 0 for any other. */
const TOLD_APART = (
  'p li h1 h2 h3 h4 h5 h6 tr td th dt dd pre code blockquote button label summary figcaption caption span div a ' +
  'section article time strong'
).split(' ')
const NUMBER_BY_NAME: ReadonlyMap<string, number> = new Map(
  TOLD_APART.map((name, index) => [name, index + 1]),
)

/** The number under which the classifier knows an element name. */
export function elementNumber(name: string): number {
  return NUMBER_BY_NAME.get(name) ?? 0
}

/** 1 to 6 for h1 to h6, else 0. */
export function headingLevel(name: string): number {
  if (name.length !== 2 || name.charCodeAt(0) !== 104) return 0
  const level = name.charCodeAt(1) - 48
  return level >= 1 && level <= 6 ? level : 0
}
