// Formulas in MathML as a line of text: what their tokens show, with a space where parts stand above, below or apart.

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
