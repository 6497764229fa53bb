// Whether a person sees an element, and how it stands among others, by its attributes and the page's own styles.
import {
  type Concealment,
  concealmentOf,
  type Heir,
  inherit,
  initialStyle,
  type InheritedStyle,
} from '../../styles/concealment.ts'
import type { Style } from '../../styles/declarations.ts'
import { createPageStyles, NO_STYLE, type PageStyles, type StyleContext } from '../../styles/page-styles.ts'
import { findStyles } from '../../styles/style-sources.ts'
import { readStyleSheets } from '../../styles/style-sheet.ts'
import { TRAIT } from '../elements.ts'
import type { HtmlElement } from '../element-tree.ts'
import type { TagAttributes } from '../tag-attributes.ts'
import { isHiddenByAttribute, isWholePage } from './hidden-elements.ts'
import { createOpenableParts } from './openable-parts.ts'

export interface SeenElement {
  /** Null when nothing inside the element is seen. */
  readonly style: InheritedStyle | null
  /** It is not seen because it is transparent, which scripts often end. */
  readonly isFaded: boolean
  /** It is seen once a person has opened it. */
  readonly isOpened: boolean
  /** Bits of `TRAIT` that its layout adds to those of its name, or, with `TRAIT.inline`, has in place of a block's. */
  readonly layout: number
}

export type ElementVisibility = ReturnType<typeof createElementVisibility>

const BLOCK_DISPLAY = /^(?:block|flex|grid|list-item|table|flow-root|-webkit-box|-webkit-flex|-ms-flexbox)$/
const BOXES_DISPLAY = /^(?:inline-)?(?:flex|grid)$/
const FOLDING: ReadonlySet<Concealment> = new Set<Concealment>(['not-displayed', 'folded', 'transparent'])

/**
 * Reads the styles of a page, and judges its elements in the order in which they open. With `isFadedShown` what is
 * transparent or invisible counts as shown.
 */
export function createElementVisibility(html: string, isFadedShown: boolean) {
  const { styles, hasOthers } = readStyles(html)
  const openable = createOpenableParts()
  const initial = initialStyle(!hasOthers)

  /** Most elements of a page: nothing is said of them, nor of those around them. */
  const plain: SeenElement = { style: initial, isFaded: false, isOpened: false, layout: 0 }
  const plainBox: SeenElement = { ...plain, layout: TRAIT.block }

  function passedOn(style: Style, heir: Heir, outer: InheritedStyle): InheritedStyle {
    const isUnchanged = !isInherited(style) && (outer === initial || (heir.isKnown && heir.name !== 'a'))
    return isUnchanged ? outer : inherit(outer, style, heir)
  }

  function judgeStyled(
    name: string,
    style: Style,
    attributes: TagAttributes,
    parent: HtmlElement,
  ): SeenElement {
    const { class: classes = '', id = '' } = attributes
    const heir = { name, isKnown: !hasOthers || (classes === '' && id === '') }
    const layout = layoutOf(name, style, parent)
    if (isWholePage(name))
      return { ...plain, style: passedOn({ ...style, ...SHOWN }, heir, parent.style), layout }
    const concealment = hidingOf(name, style, attributes)
    const hiding = concealment === 'transparent' && isFadedShown ? null : concealment
    const own = passedOn(style, heir, parent.style)
    const isInvisible = own.isInvisible && !parent.style.isInvisible
    if (hiding === null && !isInvisible) return { style: own, isFaded: false, isOpened: false, layout }
    const mayOpen = name !== 'dialog' && (hiding === null || FOLDING.has(hiding))
    const isOpened = mayOpen && openable.isOpenable(attributes, parent)
    if (isOpened || (hiding === null && isFadedShown)) {
      const opened = passedOn({ ...style, visibility: 'visible' }, heir, parent.style)
      return { style: opened, isFaded: false, isOpened, layout }
    }
    if (hiding === null) return { style: own, isFaded: false, isOpened, layout }
    return { style: null, isFaded: hiding === 'transparent', isOpened, layout }
  }

  return {
    initial,
    rootContext: styles.root,

    /** What tells an element below `parent` apart for the page's styles. */
    contextOf: (name: string, { class: classes = '', id = '' }: TagAttributes, parent: StyleContext) =>
      styles.inside(parent, name, classes, id),

    /** An element that is seen as the one around it. */
    asSeenAs: ({ style }: HtmlElement): SeenElement => ({ ...plain, style }),

    /** Tells how an element below `parent` is seen. */
    judge(context: StyleContext, attributes: TagAttributes, parent: HtmlElement, name: string): SeenElement {
      const isAsFirst = parent.style === initial
      const isAsContext = !parent.style.isConcealed && attributes.style === undefined && !context.mayHide
      const style = isAsContext ? context.style : wholeStyleOf(styles, context, attributes, parent, name)
      const isPlain = style === NO_STYLE && isAsFirst
      const mayBeHidden =
        attributes.hidden !== undefined || attributes.popover !== undefined || name === 'dialog'
      if (isPlain && !mayBeHidden) return (parent.traits & TRAIT.boxes) === 0 ? plain : plainBox
      return judgeStyled(name, style, attributes, parent)
    },

    /** Whether names that hide by convention do so until a person opens the element below `parent`. */
    isNamedOpenable: (attributes: TagAttributes, parent: HtmlElement): boolean =>
      openable.isNamedSo(attributes) && openable.isOpenable(attributes, parent),

    /** Takes note of an element that is shown: it may open another. */
    hear: (element: HtmlElement, attributes: TagAttributes, isOpened: boolean): void =>
      openable.hear(element, attributes, isOpened),
  }
}

/** The styles of a page, and whether it has others, which are not known. */
function readStyles(html: string): { styles: PageStyles; hasOthers: boolean } {
  const { sheets, hasOthers } = findStyles(html)
  return { styles: createPageStyles(readStyleSheets(sheets), !hasOthers), hasOthers }
}

/** By every rule of the page, where the element's context alone does not tell. */
function wholeStyleOf(
  styles: PageStyles,
  context: StyleContext,
  { class: classes = '', id = '', style }: TagAttributes,
  parent: HtmlElement,
  name: string,
): Style {
  return styles.styleOf({ name, classes, id, parent }, context, style, parent.style.isConcealed)
}

function hidingOf(name: string, style: Style, attributes: TagAttributes): Concealment {
  const isHidden = isHiddenByAttribute(name, attributes) && style.display === undefined
  return (style === NO_STYLE ? null : concealmentOf(style)) ?? (isHidden ? 'not-displayed' : null)
}

/** What undoes all with which an element may hide the text right inside it, but for its colour. */
const SHOWN: Style = { visibility: 'visible', 'font-size': 'inherit', 'text-indent': '0' }

/** Whether it may change what those inside are passed. */
const isInherited = (style: Style): boolean =>
  style !== NO_STYLE &&
  (style.visibility !== undefined ||
    style.color !== undefined ||
    style.background !== undefined ||
    style['font-size'] !== undefined ||
    style['text-indent'] !== undefined)

/** Items of lists and headings stay what they are, also where they share a line. */
const MAY_RUN_ON = new Set(['div', 'p'])

function layoutOf(name: string, style: Style, parent: HtmlElement): number {
  return boxOf(name, style, parent) | keptBy(style['white-space'])
}

/**
 * The traits by which a value of `white-space` keeps white space; `TRAIT.foldsLines` for one that keeps none. Where long
 * lines are broken all the same it is prose, of which nobody means to see every space.
 */
export function keptBy(value: string | undefined): number {
  if (value === undefined || value === 'inherit') return 0
  if (value === 'pre') return TRAIT.keepsLines | TRAIT.keepsSpaces
  return /^(?:pre|break-spaces)/.test(value) ? TRAIT.keepsLines : TRAIT.foldsLines
}

function boxOf(name: string, { display }: Style, parent: HtmlElement): number {
  const isBox = (parent.traits & TRAIT.boxes) !== 0
  if (display === undefined) return isBox ? TRAIT.block : 0
  if (display === 'inline' && !isBox && MAY_RUN_ON.has(name)) return TRAIT.inline
  const block = isBox || BLOCK_DISPLAY.test(display) ? TRAIT.block : 0
  return BOXES_DISPLAY.test(display) ? block | TRAIT.boxes : block
}
