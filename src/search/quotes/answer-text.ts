// An answer as its reader sees it: what stands in code is no quote, and marks of emphasis are no letters. Offsets stay.

/** Fenced and inline code, HTML tags and comments: filled with spaces, line breaks kept. */
const HIDDEN =
  /```[\s\S]{0,20000}?(?:```|$)|~~~[\s\S]{0,20000}?(?:~~~|$)|`[^`\n]{1,1000}`|<!--[\s\S]{0,2000}?-->|<\/?[a-z][^<>\n]{0,500}>/giu

const blank = (text: string): string => text.replace(/[^\n]/gu, ' ')

/** The answer with everything that cannot hold a quote blanked out; as long as the answer. `<q>` and `<blockquote>` become marks. */
export function readableAnswer(answer: string): string {
  return answer.replace(HIDDEN, (hidden) => {
    if (/^<(?:q|blockquote)[\s>]/iu.test(hidden)) return `${' '.repeat(hidden.length - 1)}“`
    if (/^<\/(?:q|blockquote)>/iu.test(hidden)) return `”${' '.repeat(hidden.length - 1)}`
    return blank(hidden)
  })
}

/** Emphasis and links of Markdown inside a quote, and the signs that open the lines of a block quote. */
export function withoutMarkup(text: string): string {
  return text
    .replace(/^[ \t]*(?:>[ \t]?)+/gmu, '')
    .replace(/!?\[([^\][\n]{1,300})\]\((?:[^()\n]|\([^()\n]*\)){1,500}\)/gu, '$1')
    .replace(/(\*{1,3}|(?<![\p{L}\p{N}])_{1,3})(?=\S)([^*_\n]{1,2000}?\S)\1/gu, '$2')
    .replace(/\\([\\`*_{}[\]()#+\-.!>~|"'])/gu, '$1')
    .replace(/\s*\n\s*/gu, ' ')
    .trim()
}
