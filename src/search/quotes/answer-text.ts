// An answer as its reader sees it: what stands in code is no quote, and marks of emphasis are no letters. Offsets stay.

/** What begins fenced code or a comment; inline code, tags of HTML and numbers set high as a whole. */
const HIDING = /```|~~~|<!--|`[^`\n]+`|<sup>\d{1,3}<\/sup>|<(?!https?:)\/?[a-z][^<>\n]*>/giu
const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹'

/**
 * The answer with everything that cannot hold a quote filled with spaces, line breaks kept; as long as the answer.
 * `<q>` and `<blockquote>` become marks, `<sup>` a number set high, a link its address. Time in proportion to the answer.
 */
export function readableAnswer(answer: string): string {
  const lastCommentEnd = answer.lastIndexOf('-->')
  let readable = ''
  let at = 0
  for (let next = hidingFrom(answer, 0); next !== null; next = hidingFrom(answer, HIDING.lastIndex)) {
    const { 0: sign, index } = next
    if (sign === '<!--' && lastCommentEnd < index + sign.length) continue
    const end = hiddenEnd(answer, sign, index)
    readable += answer.slice(at, index) + asRead(answer.slice(index, end))
    HIDING.lastIndex = at = end
  }
  return readable + answer.slice(at)
}

function hidingFrom(text: string, from: number): RegExpExecArray | null {
  HIDING.lastIndex = from
  return HIDING.exec(text)
}

/** Code that nobody closes runs to the end of the answer. */
function hiddenEnd(answer: string, sign: string, from: number): number {
  const end = from + sign.length
  if (sign === '<!--') return answer.indexOf('-->', end) + 3
  if (sign !== '```' && sign !== '~~~') return end
  const close = answer.indexOf(sign, end)
  return close === -1 ? answer.length : close + sign.length
}

function asRead(hidden: string): string {
  if (/^<(?:q|blockquote)[\s>]/iu.test(hidden)) return `${' '.repeat(hidden.length - 1)}“`
  if (/^<\/(?:q|blockquote)>/iu.test(hidden)) return `”${' '.repeat(hidden.length - 1)}`
  const number = /^<sup>(\d+)/iu.exec(hidden)?.[1]
  if (number !== undefined)
    return number.replace(/\d/gu, (digit) => SUPERSCRIPTS[Number(digit)] ?? '').padEnd(hidden.length)
  const address = /^<a\s[^>]*?\bhref\s?=\s?["']?(https?:\/\/[^\s"'<>]+)/iu.exec(hidden)?.[1]
  if (address !== undefined) return `<${address}>`.padEnd(hidden.length)
  return hidden.replace(/[^\n]/gu, ' ')
}

/** `text` without what `marks` finds at its very end, one after another, and without the spaces around them. */
export function cutFromEnd(text: string, marks: RegExp): string {
  let rest = text.trimEnd()
  for (const { 0: mark, index } of [...rest.matchAll(marks)].toReversed()) {
    if (index + mark.length !== rest.length) break
    rest = rest.slice(0, index).trimEnd()
  }
  return rest
}

/** Emphasis and links of Markdown inside a quote, and the signs that open the lines of a block quote. */
export function withoutMarkup(text: string): string {
  return text
    .replace(/^[ \t]*(?:>[ \t]?)+/gmu, '')
    .replace(/!?\[([^\][\n]{1,300})\]\((?:[^()\n]|\([^()\n]*\)){1,500}\)/gu, '$1')
    .replace(/(\*{1,3}|(?<![\p{L}\p{N}])_{1,3})(?=\S)([^*_\n]{1,2000}?\S)\1/gu, '$2')
    .replace(/\\([\\`*_{}[\]()#+\-.!>~|"'])/gu, '$1')
    .replace(/\s+/gu, (space) => (space.includes('\n') ? ' ' : space))
    .trim()
}
