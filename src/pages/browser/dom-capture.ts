// The script that runs inside a rendered page and writes its DOM down as HTML: what is not shown is left out, open
// shadow roots and same-origin frames are written in place.
//
// What counts as shown is what `innerText` shows, without what no person can see all the same (unseen-text.ts):
// transparent, clipped, off-screen, tiny text. What waits to be shown stays. `text-transform` is not applied: find
// ignores case, and the author's letters are what stands in the page.
import { z } from 'zod'
import { type PageScript, sourceOf } from './page-scripts.ts'
import { type Backdrop, type CoverList, UNSEEN_TEXT_FUNCTIONS, type UnseenText } from './unseen-text.ts'

/** Limits of one capture; when one is reached the rest of the page is left out and `truncated` is true. */
const DOM_CAPTURE_LIMITS = {
  nodes: 60_000,
  htmlCharacters: 4_000_000,
  depth: 600,
  frameDepth: 3,
  timeMs: 800,
} as const

type CaptureLimits = { readonly [name in keyof typeof DOM_CAPTURE_LIMITS]: number }

/** What the script gives back. Lengths are UTF-16 units. */
const capturedDomSchema = z.object({
  url: z.string(),
  html: z.string(),
  /** Shown text outside links, buttons and navigation: tells whether there is something to read yet. */
  proseLength: z.number(),
  truncated: z.boolean(),
})
export type CapturedDom = z.output<typeof capturedDomSchema>

interface Writer {
  readonly limits: CaptureLimits
  readonly startedAt: number
  readonly parts: string[]
  readonly coverList: CoverList
  /** By reference, because compilers give imported names another form, which the page would not know. */
  readonly unseen: UnseenText
  htmlLength: number
  nodes: number
  proseLength: number
  truncated: boolean
}

/** Where in the page a node stands, as far as its writing depends on it. */
interface Place {
  readonly view: Window & typeof globalThis
  readonly visible: boolean
  readonly backdrop: Backdrop
  readonly preformatted: boolean
  readonly inPre: boolean
  readonly prose: boolean
  readonly depth: number
  readonly frameDepth: number
}

/** Takes the page down, as far as `limits` allow. */
export function domCaptureScript(limits: CaptureLimits = DOM_CAPTURE_LIMITS): PageScript<CapturedDom> {
  const call = `captureDom(${JSON.stringify(limits)}, { isUnseenBox, isUnseenInk, backdropInside })`
  const tests = [isText, isElement, isFrame, isSlot, isLinkedData]
  const writers = [
    captureDom,
    writeHead,
    writeNode,
    writeText,
    writeElement,
    writeInside,
    writeChildren,
    writeFrame,
  ]
  const parts = [
    writtenTag,
    standsApart,
    placeInside,
    writeLinkedData,
    writeTag,
    attributesOf,
    escapeText,
    emit,
  ]
  return {
    expression: sourceOf([...tests, ...writers, ...parts, ...UNSEEN_TEXT_FUNCTIONS], call),
    result: capturedDomSchema,
  }
}

function captureDom(limits: CaptureLimits, unseen: UnseenText): CapturedDom {
  const writer: Writer = {
    limits,
    startedAt: performance.now(),
    parts: [],
    coverList: { covers: null, questions: 0 },
    unseen,
    htmlLength: 0,
    nodes: 0,
    proseLength: 0,
    truncated: false,
  }
  // Null where a script took everything away.
  const root: Element | null = document.documentElement
  const paper = { colour: 'rgb(255, 255, 255)' }
  emit(writer, '<!doctype html>\n')
  if (root === null) emit(writer, '<html data-captured="visible">')
  else writeTag(writer, 'html', root, ' data-captured="visible"')
  writeHead(writer)
  const canvas = root === null ? paper : unseen.backdropInside(getComputedStyle(root), paper)
  const place: Place = {
    view: window,
    visible: true,
    backdrop: canvas,
    preformatted: false,
    inPre: false,
    prose: true,
    depth: 0,
    frameDepth: 0,
  }
  if (document.body) writeNode(writer, document.body, place)
  emit(writer, '</html>')
  return {
    url: location.href,
    html: writer.parts.join(''),
    proseLength: writer.proseLength,
    truncated: writer.truncated,
  }
}

function writeHead(writer: Writer): void {
  emit(writer, '<head>')
  for (const element of document.head?.querySelectorAll('title, meta, base, link, script') ?? []) {
    const name = element.localName
    const isData = isLinkedData(element)
    if (name === 'link' && !/canonical|alternate|author/iu.test(element.getAttribute('rel') ?? '')) continue
    if (name === 'script' && !isData) continue
    if (isData) writeLinkedData(writer, element)
    else writeTag(writer, name, element, '')
    if (name === 'title') emit(writer, `${escapeText(element.textContent ?? '')}</title>`)
    emit(writer, '\n')
  }
  emit(writer, '</head>')
}

// By kind and name, not by `instanceof`: nodes of a frame belong to another realm.
function isText(node: Node): node is Text {
  return node.nodeType === 3
}

function isElement(node: Node): node is Element {
  return node.nodeType === 1
}

function isFrame(element: Element): element is HTMLIFrameElement {
  return element.localName === 'iframe' || element.localName === 'frame'
}

function isSlot(element: Element): element is HTMLSlotElement {
  return element.localName === 'slot'
}

function isLinkedData(element: Element): boolean {
  return element.localName === 'script' && /ld\+json/iu.test(element.getAttribute('type') ?? '')
}

function writeLinkedData(writer: Writer, element: Element): void {
  const data = (element.textContent ?? '').replace(/<\/script/giu, '<\\/script')
  emit(writer, `<script type="application/ld+json">${data}</script>`)
}

function writeNode(writer: Writer, node: Node, place: Place): void {
  const { limits } = writer
  writer.nodes += 1
  if (
    writer.nodes > limits.nodes ||
    writer.htmlLength > limits.htmlCharacters ||
    place.depth > limits.depth
  ) {
    writer.truncated = true
  }
  if (writer.nodes % 256 === 0 && performance.now() - writer.startedAt > limits.timeMs)
    writer.truncated = true
  if (writer.truncated) return
  if (isText(node)) writeText(writer, node.data, place)
  else if (isElement(node)) writeElement(writer, node, place)
}

function writeText(writer: Writer, data: string, place: Place): void {
  if (!place.visible) return
  if (place.prose) writer.proseLength += data.trim().length
  const room = writer.limits.htmlCharacters - writer.htmlLength
  if (data.length > room) writer.truncated = true
  const escaped = escapeText(data.slice(0, Math.max(0, room)))
  // Outside <pre> an HTML reader folds line breaks, but this text's style shows them.
  emit(writer, place.preformatted && !place.inPre ? escaped.replace(/\r?\n/gu, '<br>') : escaped)
}

function writeElement(writer: Writer, element: Element, place: Place): void {
  const name = element.localName
  if (isLinkedData(element)) return writeLinkedData(writer, element)
  if (name === 'meta')
    return element.hasAttribute('itemprop') ? writeTag(writer, name, element, '') : undefined
  const unread =
    /^(script|style|noscript|template|svg|canvas|object|embed|video|audio|select|datalist|textarea|input|link|img|picture|map|head)$/u
  if (unread.test(name)) return
  const style = place.view.getComputedStyle(element)
  if (style.display === 'none' || style.contentVisibility === 'hidden') return
  if (writer.unseen.isUnseenBox(element, style)) return
  if (isFrame(element)) return writeFrame(writer, element, place)
  if (name === 'br' || name === 'hr' || name === 'wbr') return emit(writer, `<${name}>`)
  writeInside(writer, element, style, place)
}

function writeInside(writer: Writer, element: Element, style: CSSStyleDeclaration, place: Place): void {
  const { tag, wrapped } = writtenTag(element, style)
  const isApart = standsApart(style) && !place.preformatted
  if (isApart) emit(writer, ' ')
  if (wrapped) emit(writer, '<div>')
  writeTag(writer, tag, element, '')
  // The parser drops a line break right after <pre>; one more keeps the one that is shown.
  if (tag === 'pre') emit(writer, '\n')
  writeChildren(writer, element, placeInside(writer, element, tag, style, place))
  emit(writer, wrapped ? `</${tag}></div>` : `</${tag}>`)
  if (isApart) emit(writer, ' ')
}

/**
 * A box within a line with room around its text, a button for one: a person sees a gap where `innerText` glues words
 * together, and the browser's find does not look across. A box without room is a letter of an animated heading.
 */
function standsApart(style: CSSStyleDeclaration): boolean {
  if (!/^inline-(block|flex|grid|table)$/u.test(style.display)) return false
  const room = [style.marginLeft, style.paddingLeft, style.paddingRight, style.marginRight]
  return room.some((width) => parseFloat(width) > 0)
}

/**
 * The tag to write, so that a reader which knows only tags breaks lines where the page does: an inline tag shown as
 * a block is wrapped in a <div>, a block tag shown inline becomes a <span>.
 */
function writtenTag(element: Element, style: CSSStyleDeclaration): { tag: string; wrapped: boolean } {
  const name = element.localName
  const blockTags =
    /^(address|article|aside|blockquote|body|caption|center|dd|details|dialog|div|dl|dt|fieldset|figcaption|figure|footer|form|frameset|h[1-6]|header|hgroup|hr|html|legend|li|main|menu|nav|ol|optgroup|option|p|pre|search|section|summary|table|tbody|td|tfoot|th|thead|tr|ul)$/u
  const isInline = /^(inline|contents|ruby)/u.test(style.display)
  const isBlockTag = blockTags.test(name)
  if (name === 'slot') return { tag: 'span', wrapped: false }
  if (name === 'pre' && !/^(pre|break-spaces)/u.test(style.whiteSpace)) return { tag: 'div', wrapped: false }
  if (
    isInline &&
    /^(address|article|aside|center|dd|div|dl|dt|footer|form|header|li|nav|ol|p|section|ul)$/u.test(name)
  ) {
    return { tag: style.display === 'contents' ? name : 'span', wrapped: false }
  }
  return { tag: name, wrapped: !isInline && !isBlockTag }
}

function placeInside(
  writer: Writer,
  element: Element,
  tag: string,
  style: CSSStyleDeclaration,
  place: Place,
): Place {
  const { unseen, coverList } = writer
  const backdrop = unseen.backdropInside(style, place.backdrop)
  const aside = /^(a|button|nav|footer|label)$/u.test(element.localName)
  const role = element.getAttribute('role') ?? ''
  return {
    ...place,
    visible: style.visibility === 'visible' && !unseen.isUnseenInk(element, style, backdrop, coverList),
    backdrop,
    preformatted: /^(pre|break-spaces)/u.test(style.whiteSpace),
    inPre: place.inPre || tag === 'pre',
    prose: place.prose && !aside && !/^(navigation|dialog|alertdialog|menu|button)$/u.test(role),
    depth: place.depth + 1,
  }
}

function writeChildren(writer: Writer, element: Element, place: Place): void {
  const assigned = isSlot(element) ? element.assignedNodes({ flatten: true }) : []
  const children = assigned.length > 0 ? assigned : (element.shadowRoot ?? element).childNodes
  for (const child of children) {
    if (writer.truncated) return
    writeNode(writer, child, place)
  }
}

function writeFrame(writer: Writer, frame: HTMLIFrameElement, place: Place): void {
  if (place.frameDepth >= writer.limits.frameDepth || frame.getClientRects().length === 0) return
  // Null for a frame of another origin: it is another page, and as a rule an advertisement.
  const inner = frame.contentDocument
  const view = inner?.defaultView
  if (!inner?.body || !view || place.view.getComputedStyle(frame).visibility !== 'visible') return
  emit(writer, '<div data-frame>')
  const { depth, frameDepth } = place
  const backdrop = { colour: null }
  const within: Place = {
    ...place,
    view,
    backdrop,
    depth: depth + 1,
    frameDepth: frameDepth + 1,
    inPre: false,
  }
  for (const child of inner.body.childNodes) writeNode(writer, child, within)
  emit(writer, '</div>')
}

function writeTag(writer: Writer, tag: string, element: Element, extra: string): void {
  emit(writer, `<${tag}${attributesOf(element)}${extra}>`)
}

/** Without what could make a reader take shown text for hidden, and without form values and bulk. */
function attributesOf(element: Element): string {
  let text = ''
  for (const { name, value } of element.attributes) {
    const left = /^(style|hidden|src|srcset|value|sizes|integrity|nonce|on.*|data-.*)$/u.test(name)
    if (left || !/^[a-z][a-z0-9:_-]*$/u.test(name) || value.length > 4_000) continue
    text += ` ${name}="${escapeText(value).replace(/"/gu, '&quot;')}"`
  }
  return text
}

function escapeText(text: string): string {
  return text
    .replace(/&/gu, '&amp;')
    .replace(/</gu, '&lt;')
    .replace(/>/gu, '&gt;')
    .replace(/\u00a0/gu, '&nbsp;')
}

function emit(writer: Writer, html: string): void {
  writer.parts.push(html)
  writer.htmlLength += html.length
}
