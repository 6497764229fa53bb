// Words of a Word document that nobody sees: white where nothing but paper lies behind them, or of a point and less. White
// words stand on dark boxes and bands, too: what is not certain counts as seen.
import type { Attribute } from '../xml.ts'
import { isOn } from './word-styles.ts'

/** Each part of a colour from here on is white to the eye. */
const WHITE = /^f[b-f]f[b-f]f[b-f]$/iu
/** In half points. */
const TINY = 2
/** What is seen of a letter, or lies behind it, beside its colour (§17.3.2, and Word's effects). */
const DRESS = new Set(
  'shd highlight bdr outline shadow emboss imprint effect textFill textOutline glow reflection'.split(' '),
)
/** Arabic, Hebrew, the scripts of India: their size is another property. */
const COMPLEX = /[\u0590-\u10ff\u1780-\u17ff\ufb1d-\ufdff\ufe70-\ufeff]/u
/** What can lie behind the words of a page: shapes and pictures that are no part of a line, and its own colour. */
const BEHIND = /<(?:\w+:)?(?:anchor|pict|background)[\s/>]/u

/** Whether nothing lies behind the words of a document, of its parts that stand on every page included. */
export const isOnPaper = (parts: readonly string[]): boolean => !parts.some((xml) => BEHIND.test(xml))

/** Follows the properties of one run after another. */
export function createRunLook() {
  let [isWhite, isTiny, isDressed, isComplex] = [false, false, false, false]
  return {
    begin(): void {
      isWhite = isTiny = isDressed = isComplex = false
    },
    /** A property of the run that is open. */
    note(name: string, attribute: Attribute): void {
      if (name === 'color') isWhite = WHITE.test(attribute('val'))
      else if (name === 'sz') isTiny = Number(attribute('val') || Infinity) <= TINY
      else if (name === 'rtl' || name === 'cs') isComplex ||= isOn(attribute('val'))
      else if (DRESS.has(name)) isDressed = true
    },
    /** Something is seen of its letters, or lies behind them, whatever their colour. */
    dress: (): void => void (isDressed = true),
    /** Whether `text` is not seen; `isBare`: its run stands on paper. */
    hides: (text: string, isBare: boolean): boolean =>
      (isTiny && !isComplex && !COMPLEX.test(text)) || (isWhite && !isDressed && isBare),
  }
}
