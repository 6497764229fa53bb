// The numbers of lines that highlighters print beside code: a person sees them and copies none of them.
import { NAME_CUE } from '../names/class-families.ts'
import { TRAIT } from '../elements.ts'
import type { TagAttributes } from '../tag-attributes.ts'
import type { Collector } from './collector.ts'

/** As highlighters name what holds nothing but them. */
const NAMED =
  /(?:^|[\s-])(?:linenos?|linenumber|line-numbers?-wrapper|line-number|ln-numbers|blob-num)(?=\s|$)/i
/** These have a meaning beside code alone. */
const NAMED_IN_CODE = /(?:^|[\s-])(?:ln|lnt|gutter)(?=\s|$)/i
/** What is not copied with the code around. */
const UNSELECTABLE = /user-select:\s*none/i
/** Highlighters name whole blocks of code for having numbers. */
const HOLDS_CODE = new Set(['code', 'pre', 'table', 'figure', 'body', 'article', 'section'])
const NUMBERS = /^\d[\d\s]*[:.|]?$/

/** `TRAIT.lineNumbers` for an element whose numbers count lines, as for all in it; else no trait. */
export function lineNumbersIn(
  { current, preformatted }: Collector,
  name: string,
  cues: number,
  { class: classes = '', style, 'aria-hidden': ariaHidden }: TagAttributes,
): number {
  if ((current.traits & TRAIT.lineNumbers) !== 0) return TRAIT.lineNumbers
  if (HOLDS_CODE.has(name)) return 0
  const isNamed =
    (cues & NAME_CUE.lineNumbers) !== 0 &&
    (NAMED.test(classes) || ((preformatted > 0 || name === 'td') && NAMED_IN_CODE.test(classes)))
  const isBeside =
    preformatted > 0 && (ariaHidden === 'true' || (style !== undefined && UNSELECTABLE.test(style)))
  return isNamed || isBeside ? TRAIT.lineNumbers : 0
}

/** Whether the text counts lines, and is none of the page's. */
export const isLineNumber = ({ current }: Collector, text: string): boolean =>
  (current.traits & TRAIT.lineNumbers) !== 0 && NUMBERS.test(text.trim())
