// Formulas in MathML as a line of text: what their tokens show, with a space where parts stand above, below or apart; and
// which of the renditions of a formula is read.
import { type HtmlElement, isInside } from './element-tree.ts'
import { NAME_CUE } from './names/class-families.ts'
import type { TagAttributes } from './tag-attributes.ts'
import { lastElement, type RunWriter } from './text-runs.ts'

const names = (list: string): ReadonlySet<string> => new Set(list.split(' '))

/** Of these every child but the first stands above or below another. */
const STACKED = names('mfrac munder munderover')
/** Words, rows and cells stand apart from what is around them. */
const APART = names('mtext ms mtr mlabeledtr mtd')
/** Function application, invisible times, separator and plus: nothing is to be seen of them. */
const INVISIBLE_OPERATORS = /[\u2061-\u2064]/gu

/** The text of a token; white space between elements of a formula is none of it (MathML Core, §2.2). */
export const tokenText = (text: string): string => text.replace(INVISIBLE_OPERATORS, '').trim()

/** Follows the elements of formulas as they open and close. */
export function createMathText() {
  const open: { name: string; children: number }[] = []
  return {
    /** Whether there is a space before what the element shows. */
    open(name: string): boolean {
      const parent = open.at(-1)
      const isStacked = parent !== undefined && STACKED.has(parent.name) && parent.children > 0
      if (parent !== undefined) parent.children++
      open.push({ name, children: 0 })
      return isStacked || APART.has(name)
    },
    /** Whether there is a space after it. */
    close(name: string): boolean {
      open.pop()
      return APART.has(name)
    },
  }
}

/** What MathJax puts beside each formula. */
const SPOKEN_ELEMENT = 'mjx-assistive-mml'
/** KaTeX, MathJax 2, MediaWiki. */
const SPOKEN_CLASS = /(?:^|\s)(?:katex-mathml|MJX_Assistive_MathML|mwe-math-mathml-a11y)(?=\s|$)/

/**
 * Follows formulas that a page holds twice: drawn as pictures, as pieces of glyphs or by style sheets, and in MathML that
 * only readers of the screen are given. What is drawn is no text, or none in its order: the MathML tells what is seen.
 */
export function createFormulaRenditions() {
  let spokenIn: HtmlElement | null = null
  return {
    /** Whether it is the MathML of a formula: its first rendition is read, whatever hides it, and no other one. */
    judge(
      name: string,
      cues: number,
      { class: classes = '', 'aria-hidden': ariaHidden }: TagAttributes,
      writer: RunWriter,
    ): 'read' | 'repeated' | null {
      if (ariaHidden === 'true' && spokenIn === writer.current) return 'repeated'
      const isSpoken =
        name === SPOKEN_ELEMENT || ((cues & NAME_CUE.formula) !== 0 && SPOKEN_CLASS.test(classes))
      if (!isSpoken) return null
      const last = lastElement(writer)
      if (last !== null && isInside(last, writer.current)) return 'repeated'
      spokenIn = writer.current
      return 'read'
    },
  }
}
