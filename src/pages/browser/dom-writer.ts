// Runs inside a rendered page: writes its DOM down as HTML. What is not shown is left out, open shadow roots and
// same-origin frames are written in place.
//
// What counts as shown is what `innerText` shows, without what no person can see all the same (unseen-text.ts):
// transparent, clipped, off-screen, tiny text. What waits to be shown stays. `text-transform` is not applied: find
// ignores case, and the author's letters are what stands in the page.
import type { CapturedPlaces, Place } from './captured-places.ts'
import type { CapturedTags } from './captured-tags.ts'
import type { CoverList, UnseenText } from './unseen-text.ts'

/** Where a capture ends. */
export interface CaptureLimits {
  readonly nodes: number
  readonly htmlCharacters: number
  readonly depth: number
  readonly frameDepth: number
  readonly timeMs: number
}

/** What a capture gives back. Lengths are UTF-16 units. */
export interface CapturedDom {
  url: string
  html: string
  /** Shown text outside links, buttons and navigation: tells whether there is something to read yet. */
  proseLength: number
  truncated: boolean
}

interface Writer {
  readonly limits: CaptureLimits
  readonly startedAt: number
  readonly parts: string[]
  readonly coverList: CoverList
  /** By reference, because compilers give imported names another form, which the page would not know. */
  readonly unseen: UnseenText
  readonly tags: CapturedTags
  readonly places: CapturedPlaces
  htmlLength: number
  nodes: number
  proseLength: number
  truncated: boolean
}

/** The functions below in the form in which they are sent to the page. */
export const DOM_WRITER_FUNCTIONS = [
  captureDom,
  isText,
  isElement,
  isFrame,
  isSlot,
  isLinkedData,
  writeHead,
  writeNode,
  writeText,
  writeElement,
  writeInside,
  writeChildren,
  writeFrame,
  writeLinkedData,
  writeTag,
  emit,
]

/** Takes the page down, as far as `limits` allow. */
export function captureDom(
  limits: CaptureLimits,
  unseen: UnseenText,
  tags: CapturedTags,
  places: CapturedPlaces,
): CapturedDom {
  const writer: Writer = {
    limits,
    startedAt: performance.now(),
    parts: [],
    coverList: { covers: null, questions: 0 },
    unseen,
    tags,
    places,
    htmlLength: 0,
    nodes: 0,
    proseLength: 0,
    truncated: false,
  }
  // Null where a script took everything away.
  const root: Element | null = document.documentElement
  emit(writer, '<!doctype html>\n')
  if (root === null) emit(writer, '<html data-captured="visible">')
  else writeTag(writer, 'html', root, ' data-captured="visible"')
  writeHead(writer)
  if (document.body) writeNode(writer, document.body, places.placeOfPage(unseen, root))
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
    if (name === 'title') emit(writer, `${writer.tags.escapeText(element.textContent ?? '')}</title>`)
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
  const escaped = writer.tags.escapeText(data.slice(0, Math.max(0, room)))
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
  const isHidden = style.display === 'none' || style.contentVisibility === 'hidden'
  const isUnseen = isHidden || writer.unseen.isUnseenBox(element, style)
  if (isUnseen && !writer.tags.isSpokenFormula(element)) return
  if (isFrame(element)) return writeFrame(writer, element, place)
  if (name === 'br' || name === 'hr' || name === 'wbr') return emit(writer, `<${name}>`)
  writeInside(writer, element, style, place)
}

function writeInside(writer: Writer, element: Element, style: CSSStyleDeclaration, place: Place): void {
  const { tag, wrapped } = writer.tags.writtenTag(element, style)
  const isApart = writer.tags.standsApart(style) && !place.preformatted
  if (isApart) emit(writer, ' ')
  if (wrapped) emit(writer, '<div>')
  writeTag(writer, tag, element, '')
  // The parser drops a line break right after <pre>; one more keeps the one that is shown.
  if (tag === 'pre') emit(writer, '\n')
  writeChildren(writer, element, writer.places.placeInside(writer, element, tag, style, place))
  emit(writer, wrapped ? `</${tag}></div>` : `</${tag}>`)
  if (isApart) emit(writer, ' ')
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
  const within = writer.places.placeInFrame(view, place)
  for (const child of inner.body.childNodes) writeNode(writer, child, within)
  emit(writer, '</div>')
}

function writeTag(writer: Writer, tag: string, element: Element, extra: string): void {
  emit(writer, `<${tag}${writer.tags.attributesOf(element)}${extra}>`)
}

function emit(writer: Writer, html: string): void {
  writer.parts.push(html)
  writer.htmlLength += html.length
}
