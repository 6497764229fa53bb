// Whether a style hides the text of its element from a person who looks at the page.
import { parseColor, sameColor } from './colors.ts'
import type { Declaration, Style, StyleProperty } from './declarations.ts'

/** What an element passes on to those inside it, as far as it can hide text. Shared where nothing changes. */
export interface InheritedStyle {
  /** Text right inside the element is not seen. */
  readonly isConcealed: boolean
  readonly isInvisible: boolean
  readonly isTiny: boolean
  readonly isPushedOut: boolean
  readonly color: string | null
  /** The nearest background that was given, null where none was or none is known. */
  readonly background: string | null
}

/** What the root element is passed: `isAllKnown` when no style sheet of the page was left unread. */
export const initialStyle = (isAllKnown: boolean): InheritedStyle => ({
  isConcealed: false,
  isInvisible: false,
  isTiny: false,
  isPushedOut: false,
  color: null,
  background: isAllKnown ? 'white' : null,
})

const FAR_PIXELS = 900
const FAR_EM = 50
/** Of the screen, and of the box around: a slide waits one box away from where it is shown. */
const FAR_SCREENS = 100
const FAR_SHARE = 500
const TINY_PIXELS = 1.5
const TINY_EM = 0.1
const FAINT = 0.02

/** Why nothing inside an element is seen: it has no box, or none that shows. Null when it may be. */
export type Concealment = 'not-displayed' | 'folded' | 'transparent' | 'off-screen' | 'clipped' | null

/** Judges an element by its own style: what is hidden so, no style inside it can bring back. */
export function concealmentOf(style: Style): Concealment {
  if (style.display === 'none' || style['content-visibility'] === 'hidden') return 'not-displayed'
  if (isTransparent(style)) return 'transparent'
  if (isOffScreen(style)) return 'off-screen'
  if (isClipped(style)) return 'clipped'
  return isFolded(style) ? 'folded' : null
}

/** Without a motion, or a place to move from, that tells of an end to it: pages fade in what a person then reads. */
function isTransparent({ opacity, filter, motion, transform }: Style): boolean {
  if (motion !== undefined && motion !== 'none') return false
  if (transform !== undefined && transform !== 'none') return false
  if (opacity !== undefined && numberOf(opacity) <= FAINT) return true
  const faint = filter === undefined ? null : /opacity\(\s*([\d.]+%?)\s*\)/.exec(filter)
  return faint?.[1] !== undefined && numberOf(faint[1]) <= FAINT
}

function isOffScreen(style: Style): boolean {
  const isPlaced = style.position === 'absolute' || style.position === 'fixed'
  const isRelative = style.position === 'relative'
  if ((isPlaced || isRelative) && (isFar(style.left, -1) || isFar(style.top, -1))) return true
  if (isPlaced && (isFar(style.right, -1) || isFar(style.bottom, -1))) return true
  if (isPlaced && (isFar(style.left, 1) || isFar(style.top, 1))) return true
  if (isFar(style['margin-left'], -1) || isFar(style['margin-top'], -1)) return true
  const { transform } = style
  if (transform === undefined || !transform.includes('translate')) return false
  return (transform.match(/-?[\d.]+(?:px|r?em|vw|vh)/g) ?? []).some(
    (length) => isFar(length, -1) || isFar(length, 1),
  )
}

/** Beyond any screen in the direction of `sign`. */
function isFar(length: string | undefined, sign: 1 | -1): boolean {
  const match = length === undefined ? null : /^(-?[\d.]+)(px|r?em|vw|vh|%)?$/.exec(length)
  if (match === null) return false
  const amount = Number(match[1]) * sign
  const unit = match[2]
  if (unit === 'em' || unit === 'rem') return amount >= FAR_EM
  if (unit === 'vw' || unit === 'vh') return amount >= FAR_SCREENS
  if (unit === '%') return amount >= FAR_SHARE
  return amount >= FAR_PIXELS
}

function isClipped({ clip, 'clip-path': path, transform, scale, position }: Style): boolean {
  if (scale !== undefined && /^0(?:\.0+)?(?:\s|$)/.test(scale)) return true
  if (
    transform !== undefined &&
    /scale(?:3d|[xy])?\(\s*(?:0(?:\.0+)?\s*[,)]|[\d.]+\s*,\s*0(?:\.0+)?\s*\))/.test(transform)
  )
    return true
  if (
    path !== undefined &&
    /^(?:inset\(\s*(?:[5-9]\d|100)%|circle\(\s*0|polygon\(\s*0(?:px|%)?\s+0(?:px|%)?(?:\s*,\s*0(?:px|%)?\s+0(?:px|%)?)*\s*\))/.test(
      path,
    )
  )
    return true
  // Without a place of its own nothing is clipped (CSS Masking, §6).
  return (position === 'absolute' || position === 'fixed') && leavesNothing(clip)
}

function leavesNothing(clip: string | undefined): boolean {
  if (clip === undefined) return false
  const edges = /^rect\(([^()]*)\)$/
    .exec(clip)?.[1]
    ?.split(/[\s,]+/)
    .filter(Boolean)
  const [top, right, bottom, left] = (edges ?? []).map((edge) => numberOf(edge))
  if (top === undefined || right === undefined || bottom === undefined || left === undefined) return false
  return bottom - top <= 1 || right - left <= 1
}

/** A box without height or width whose text may not flow out of it, and that nothing makes larger. */
function isFolded(style: Style): boolean {
  const { overflow, width, height, position } = style
  if (overflow === undefined || !/^(?:hidden|clip)\b/.test(overflow)) return false
  const least = style['least-size']
  if (least !== undefined && !isNothing(least) && least !== 'none') return false
  if (isNothing(style['max-height']) || isNothing(style['max-width'])) return true
  if (isNothing(height)) return true
  // A box in a line of boxes that begins with a pixel grows beyond it.
  return isNothing(width) && (!width?.startsWith('1') || position === 'absolute' || position === 'fixed')
}

const isNothing = (length: string | undefined): boolean =>
  length !== undefined && /^(?:(?:0(?:\.0+)?|\.0+)(?:px|r?em|%|vh|vw)?|(?:1|0?\.\d+)px)$/.test(length)

const numberOf = (value: string): number => {
  const number = parseFloat(value)
  if (Number.isNaN(number)) return value === 'auto' ? Infinity : NaN
  return value.endsWith('%') ? number / 100 : number
}

/** An element to which styles are passed on. */
export interface Heir {
  readonly name: string
  /** False when style sheets that were not read may say something about it. */
  readonly isKnown: boolean
}

/** What an element with this style passes on. `outer` is what it was passed itself. */
export function inherit(outer: InheritedStyle, style: Style, { name, isKnown }: Heir): InheritedStyle {
  const { visibility, color, background } = style
  const isGradientText = style['background-clip']?.includes('text') ?? false
  const ownBackground = isGiven(background) ? background : isKnown ? outer.background : null
  // A link has a colour of its own.
  const ownColor = isGiven(color) ? color : name !== 'a' && isKnown ? outer.color : null
  const indent = style['text-indent']
  const isInvisible = hides(visibility) || (visibility !== 'visible' && outer.isInvisible)
  const isTooSmall = isTiny(style['font-size']) ?? (isKnown && outer.isTiny)
  const isPushedOut =
    indent === undefined ? isKnown && outer.isPushedOut : isFar(indent, -1) || isFar(indent, 1)
  const isFaint = isColorless(ownColor, ownBackground) && !isGradientText
  const isConcealed = isInvisible || isTooSmall || isFaint || isPushedOut
  const isSame =
    isConcealed === outer.isConcealed &&
    isInvisible === outer.isInvisible &&
    isTooSmall === outer.isTiny &&
    isPushedOut === outer.isPushedOut &&
    ownColor === outer.color &&
    ownBackground === outer.background
  if (isSame) return outer
  return {
    isConcealed,
    isInvisible,
    isTiny: isTooSmall,
    isPushedOut,
    color: ownColor,
    background: ownBackground,
  }
}

const ON_PAPER = initialStyle(true)
const ANYTHING: Heir = { name: '', isKnown: true }

/** Whether this style hides an element that stands by itself on a white page. */
export const seemsHidden = (style: Style): boolean =>
  concealmentOf(style) !== null || inherit(ON_PAPER, style, ANYTHING).isConcealed

const NOT_GIVEN = new Set(['inherit', 'initial', 'unset', 'revert', 'none'])

const isGiven = (value: string | undefined): value is string => value !== undefined && !NOT_GIVEN.has(value)

const hides = (visibility: string | undefined): boolean =>
  visibility === 'hidden' || visibility === 'collapse'

function isTiny(size: string | undefined): boolean | null {
  if (size === undefined || size === 'inherit') return null
  const match = /^([\d.]+)(px|pt|r?em|%|vw|vh|ex|ch)?$/.exec(size)
  if (match === null) return false
  const amount = Number(match[1])
  if (match[2] === undefined || match[2] === 'px' || match[2] === 'pt') return amount < TINY_PIXELS
  return amount < (match[2] === '%' ? TINY_EM * 100 : TINY_EM)
}

function isColorless(color: string | null, background: string | null): boolean {
  if (color === null) return false
  const ink = parseColor(color)
  if (ink === null) return false
  if (ink.alpha <= FAINT) return true
  const paper = background === null ? null : parseColor(background)
  return paper !== null && paper.alpha >= 1 - FAINT && sameColor(ink, paper)
}

const always = (): boolean => true
const pushesOut = (value: string): boolean => isFar(value, -1) || isFar(value, 1)

/** What can hide only together with others, or for those inside. */
const MAY_CONCEAL: ReadonlyMap<StyleProperty, (value: string) => boolean> = new Map([
  ['font-size', (value: string) => isTiny(value) === true],
  ...(['left', 'top', 'right', 'bottom', 'margin-left', 'margin-top', 'text-indent'] as const).map(
    (property) => [property, pushesOut] as const,
  ),
  ...(['width', 'height', 'max-width', 'max-height'] as const).map(
    (property) => [property, isNothing] as const,
  ),
  ['visibility', hides],
  ['clip', leavesNothing],
  ...(['color', 'background', 'position', 'overflow', 'least-size'] as const).map(
    (property) => [property, always] as const,
  ),
])

const WEIGHED_WITH_ALL: ReadonlySet<StyleProperty> = new Set(['display', 'visibility', 'content-visibility'])

/** True for a value with which an element may be hidden although it has a box. */
export const mayHideAlone = ({ property, value, important }: Declaration): boolean =>
  !WEIGHED_WITH_ALL.has(property) &&
  MAY_CONCEAL.get(property) !== always &&
  mayConceal({ property, value, important })

/** True when this value alone can hide, or tell that another one does: what holds only perhaps must not. */
export function mayConceal({ property, value }: Declaration): boolean {
  const may = MAY_CONCEAL.get(property)
  return may === undefined ? concealmentOf({ [property]: value }) !== null : may(value)
}
