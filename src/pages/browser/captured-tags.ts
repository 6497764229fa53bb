// Runs inside a rendered page, as part of the capture: how one of its elements is written down as a tag, and text as
// HTML, so that a reader which knows no styles finds what they showed.

/** What the capture asks of the functions below, all of them sent to the page. */
export const CAPTURED_TAGS = { standsApart, isSpokenFormula, writtenTag, attributesOf, escapeText } as const
export type CapturedTags = typeof CAPTURED_TAGS

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
 * The MathML of a formula for readers of the screen, which is drawn beside it as a picture or in glyphs: the reader of
 * what is written takes one of both.
 */
function isSpokenFormula(element: Element): boolean {
  return element.matches('mjx-assistive-mml, .MJX_Assistive_MathML, .katex-mathml, .mwe-math-mathml-a11y')
}

/**
 * The tag to write, so that a reader which knows only tags breaks lines where the page does: an inline tag shown as
 * a block is wrapped in a <div>, a block tag shown inline becomes a <span>.
 */
function writtenTag(element: Element, style: CSSStyleDeclaration): { tag: string; wrapped: boolean } {
  const name = element.localName
  const blockTags =
    /^(address|article|aside|blockquote|body|caption|center|dd|details|dialog|div|dl|dt|fieldset|figcaption|figure|footer|form|frameset|h[1-6]|header|hgroup|hr|html|legend|li|main|menu|nav|ol|optgroup|option|p|pre|search|section|summary|table|tbody|td|tfoot|th|thead|tr|ul)$/u
  // Parts of a formula are boxes of a layout of their own, and one line of text.
  const isPartOfFormula = element.namespaceURI === 'http://www.w3.org/1998/Math/MathML' && name !== 'math'
  const isInline =
    isPartOfFormula || isSpokenFormula(element) || /^(inline|contents|ruby|math)/u.test(style.display)
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
