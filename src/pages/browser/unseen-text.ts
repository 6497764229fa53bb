// Runs inside a rendered page, as part of the capture: which of its text no person can see, by what the browser
// computed. Whatever cannot be decided counts as seen, and so does what waits for a click, a scroll or a moment: folded
// answers, panels of tabs, text that fades in.

/** What lies behind text, as far as the styles of the elements around it tell. */
export interface Backdrop {
  /** "rgb(…)" as computed; null where an image, a gradient or something half transparent is behind. */
  readonly colour: string | null
}

interface Cover {
  readonly element: Element
  readonly box: DOMRect
}

/** What is found out once for the whole page, when it is first asked for. */
export interface CoverList {
  covers: Cover[] | null
  questions: number
}

/** What the capture asks of the functions below. */
export const UNSEEN_TEXT = { isUnseenBox, isUnseenInk, backdropInside } as const
export type UnseenText = typeof UNSEEN_TEXT

/** The functions below in the form in which they are sent to the page. */
export const UNSEEN_TEXT_FUNCTIONS = [
  isUnseenBox,
  isTransparent,
  isClippedAway,
  isFarOutside,
  isScaledAway,
  isFoldedBox,
  waitsToBeShown,
  followsOpener,
  isUnseenInk,
  zoomOf,
  backdropInside,
  hasOwnText,
  isPaintedAround,
  coversOf,
  isCovered,
  channelsOf,
]

/** Whether nothing in the element can be seen: transparent, clipped away, far outside of the page, without any size. */
function isUnseenBox(element: Element, style: CSSStyleDeclaration): boolean {
  if (element.localName === 'html' || element.localName === 'body') return false
  if (isClippedAway(style) || isFarOutside(element, style)) return true
  const isGone = isTransparent(style) || isScaledAway(style) || isFoldedBox(element, style)
  return isGone && !waitsToBeShown(element, style)
}

function isTransparent(style: CSSStyleDeclaration): boolean {
  if (parseFloat(style.opacity) < 0.1) return true
  const filtered = /\bopacity\(([\d.]+)\)/u.exec(style.filter)?.[1]
  return filtered !== undefined && Number(filtered) < 0.1
}

function isClippedAway(style: CSSStyleDeclaration): boolean {
  const isOut = style.position === 'absolute' || style.position === 'fixed'
  const sides = /^rect\((-?[\d.]+)px,? (-?[\d.]+)px,? (-?[\d.]+)px,? (-?[\d.]+)px\)$/u.exec(style.clip)
  if (isOut && sides !== null) {
    const [top = 0, right = 0, bottom = 0, left = 0] = sides.slice(1).map(Number)
    if (right - left <= 1 || bottom - top <= 1) return true
  }
  const inset = /^inset\(([\d.]+)%(?: ([\d.]+)%)?/u.exec(style.clipPath)
  if (inset !== null && (Number(inset[1]) >= 50 || Number(inset[2] ?? 0) >= 50)) return true
  const points = /^polygon\(([^()]+)\)$/u.exec(style.clipPath)?.[1]?.split(', ')
  if (points !== undefined && points.every((point) => point === points[0])) return true
  return /^circle\(0(?:px|%)?[ )]/u.test(style.clipPath)
}

/** Further than any slide of a carousel waits. */
function isFarOutside(element: Element, style: CSSStyleDeclaration): boolean {
  const isMoved =
    style.position !== 'static' ||
    style.transform !== 'none' ||
    style.translate !== 'none' ||
    style.marginLeft.startsWith('-')
  if (!isMoved) return false
  const far = 900
  const box = element.getBoundingClientRect()
  if (box.width === 0 && box.height === 0) return false
  const view = element.ownerDocument.defaultView ?? window
  const width = Math.max(element.ownerDocument.documentElement.scrollWidth, view.innerWidth)
  return (
    box.right + view.scrollX < -far ||
    box.bottom + view.scrollY < -far ||
    box.left + view.scrollX > width + far
  )
}

function isScaledAway(style: CSSStyleDeclaration): boolean {
  const [across = 1, down = across] = style.scale.split(' ').map(parseFloat)
  if (Math.abs(across * down) < 0.001) return true
  const [, solid, list = ''] = /^matrix(3d)?\(([^)]+)\)$/u.exec(style.transform) ?? []
  const [a = 1, b = 0, ...rest] = list === '' ? [] : list.split(',').map(Number)
  const [c = 0, d = 1] = rest.slice(solid === undefined ? 0 : 2)
  return Math.abs(a * d - b * c) < 0.001
}

/** No height or width, and what is in it does not show outside of it either. */
function isFoldedBox(element: Element, style: CSSStyleDeclaration): boolean {
  const isCut = /^(hidden|clip)$/u.test(style.overflowX) || /^(hidden|clip)$/u.test(style.overflowY)
  if (!isCut || /^(inline|contents)$/u.test(style.display)) return false
  const box = element.getBoundingClientRect()
  if (box.width > 1 && box.height > 1) return false
  const view = element.ownerDocument.defaultView ?? window
  const inner = Array.from(element.querySelectorAll('*')).slice(0, 50)
  return !inner.some((each) => /^(absolute|fixed)$/u.test(view.getComputedStyle(each).position))
}

/** It changes by a transition or an animation, is named by what opens it, or stands beside something to click on. */
function waitsToBeShown(element: Element, style: CSSStyleDeclaration): boolean {
  const durations = style.transitionDuration.split(',').map(parseFloat)
  if (durations.some((seconds) => seconds > 0) || style.animationName !== 'none') return true
  if (style.willChange !== 'auto') return true
  if (/^(tabpanel|region|menu|listbox|group)$/u.test(element.getAttribute('role') ?? '')) return true
  const { id, parentElement: parent, ownerDocument } = element
  if (id !== '') {
    const name = CSS.escape(id)
    if (ownerDocument.querySelector(`[aria-controls~="${name}"], [href="#${name}"]`) !== null) return true
  }
  return followsOpener(element) || (parent !== null && followsOpener(parent))
}

/** A heading that is a button, a tab, a question that takes a click. */
function followsOpener(element: Element): boolean {
  const before = element.previousElementSibling
  if (before === null) return false
  const openers =
    'button, summary, label, [aria-expanded], [aria-controls], [role="button"], [role="tab"], [onclick]'
  if (before.matches(openers) || before.querySelector(openers) !== null) return true
  return (before.ownerDocument.defaultView ?? window).getComputedStyle(before).cursor === 'pointer'
}

/** Whether text directly in the element leaves no mark: too small, transparent, or in the colour of what is behind it. */
function isUnseenInk(
  element: Element,
  style: CSSStyleDeclaration,
  backdrop: Backdrop,
  list: CoverList,
): boolean {
  if (!hasOwnText(element)) return false
  if (parseFloat(style.fontSize) * zoomOf(element) < 2) return true
  const indent = parseFloat(style.textIndent)
  if (indent <= -900 || (style.textIndent.endsWith('%') && indent >= 100 && style.overflowX === 'hidden'))
    return true
  const hasOutline = style.textShadow !== 'none' || parseFloat(style.webkitTextStrokeWidth) > 0
  if (hasOutline || /text/u.test(style.backgroundClip)) return false
  const ink = channelsOf(style.webkitTextFillColor)
  if (ink === null) return false
  if (ink[3] < 0.05) return !waitsToBeShown(element, style)
  const paper = backdrop.colour === null ? null : channelsOf(backdrop.colour)
  if (paper === null || ink[3] < 1) return false
  const isAlike = [0, 1, 2].every((channel) => Math.abs((ink[channel] ?? 0) - (paper[channel] ?? 0)) <= 4)
  if (!isAlike || waitsToBeShown(element, style)) return false
  list.questions += 1
  return list.questions <= 300 && !isPaintedAround(element) && !isCovered(element, list)
}

/** By CSS, of the element and all around it; 1 where the browser does not tell. */
function zoomOf(element: Element): number {
  const zoom: unknown = Reflect.get(element, 'currentCSSZoom')
  return typeof zoom === 'number' ? zoom : 1
}

/** What is behind text in the element, given what is behind the element. */
function backdropInside(style: CSSStyleDeclaration, behind: Backdrop): Backdrop {
  if (style.backgroundImage !== 'none') return { colour: null }
  const paint = channelsOf(style.backgroundColor)
  if (paint === null) return { colour: null }
  if (paint[3] === 0) return behind
  return { colour: paint[3] === 1 ? style.backgroundColor : null }
}

/** Most elements hold others alone, and their own look matters to nobody. */
function hasOwnText(element: Element): boolean {
  if (element.localName === 'slot') return true
  for (const node of (element.shadowRoot ?? element).childNodes)
    if (node.nodeType === 3 && /\S/u.test(node.nodeValue ?? '')) return true
  return false
}

/** Boxes that a style sheet puts into the element, or into those around it, may paint anything behind its text. */
function isPaintedAround(element: Element): boolean {
  const view = element.ownerDocument.defaultView ?? window
  let around: Element | null = element
  for (let steps = 0; around !== null && steps < 10; steps += 1) {
    for (const name of ['::before', '::after']) {
      const style = view.getComputedStyle(around, name)
      if (style.content === 'none' || style.content === 'normal') continue
      if (style.backgroundImage !== 'none' || channelsOf(style.backgroundColor)?.[3] !== 0) return true
    }
    around = around.parentElement
  }
  return false
}

/** Whatever paints a box: pictures, and elements with a background of their own. */
function coversOf(list: CoverList, page: Document): Cover[] {
  if (list.covers !== null) return list.covers
  list.covers = []
  const view = page.defaultView ?? window
  for (const element of Array.from(page.querySelectorAll('body *')).slice(0, 8_000)) {
    const isPicture = /^(img|picture|video|canvas|svg|iframe|object|embed)$/u.test(element.localName)
    const style = isPicture ? null : view.getComputedStyle(element)
    const isPainted =
      style === null || style.backgroundImage !== 'none' || channelsOf(style.backgroundColor)?.[3] !== 0
    if (!isPainted) continue
    const box = element.getBoundingClientRect()
    if (box.width > 1 && box.height > 1) list.covers.push({ element, box })
  }
  return list.covers
}

/** Whether something that is not around the element may be painted between it and what is behind it. */
function isCovered(element: Element, list: CoverList): boolean {
  const { left, right, top, bottom } = element.getBoundingClientRect()
  return coversOf(list, element.ownerDocument).some(
    ({ element: cover, box }) =>
      box.left < right &&
      box.right > left &&
      box.top < bottom &&
      box.bottom > top &&
      cover !== element &&
      !cover.contains(element),
  )
}

/** Red, green and blue to 255, and opacity to 1; null for what is written in another way. */
function channelsOf(colour: string): [number, number, number, number] | null {
  const numbers = /^rgba?\(([^)]+)\)$/u
    .exec(colour)?.[1]
    ?.split(/[,/ ]+/u)
    .map(Number)
  if (numbers === undefined || numbers.some(Number.isNaN)) return null
  const [red = 0, green = 0, blue = 0, alpha = 1] = numbers
  return [red, green, blue, alpha]
}
