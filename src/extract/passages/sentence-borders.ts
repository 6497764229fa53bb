// Where one sentence passes into the next without a space: the segmenter takes every bracket and quotation mark behind a
// stop for one that closes, and knows of no marks that name a source.

/** Brackets and quotation marks that open. */
const OPENS = /[\p{Ps}\p{Pi}]/u

/** What names the source of the sentence before it: "[3]", "[a][b]", "[3]: 12", "¹²", "*". */
const SOURCE_MARKS =
  /(?:\[[^[\]\n]{1,30}\](?::[ \u00a0\u2009\u200a]?\d{1,4}(?:[–-]\d{1,4})?(?![\d\p{L}]))?|［\d{1,3}］|【\d{1,3}】|[¹²³⁰-⁹]{1,3}|[*†‡]{1,3}(?=\s)){1,12}/uy

/** Where the border at `at` lies for a reader: before what opens there, and behind the marks of sources. */
export function mendedBorder(text: string, from: number, at: number): number {
  if (/^\s?$/u.test(text.charAt(at - 1))) return at
  let border = at
  while (border > from && OPENS.test(text.charAt(border - 1))) border--
  SOURCE_MARKS.lastIndex = border
  return border + (SOURCE_MARKS.exec(text)?.[0].length ?? 0)
}

/** No longer than what a passage may hold of a script without spaces. */
const MOST_QUOTED = 120
const CLOSES = /["'”’»」』)）]$/u
/** What goes on behind a quotation in Japanese ("と言った", "は2016年の"), and in Korean whatever touches it. */
const GOES_ON_BEHIND =
  /^(?:\p{Script=Hangul}|(?:と|って|の|を|は|が|に|も|で|や|へ|から|まで|より|だ|です|など)(?!\p{Script=Hiragana})|と(?:い|の|は|し|思|言)|って|など|だった|である|です)/u

/** Whether a quotation holds `left` and `right` together, which touch: one that is still open, or that is spoken of. */
export function isQuoteGoingOn(left: string, right: string): boolean {
  if (CLOSES.test(left.slice(-1))) return GOES_ON_BEHIND.test(right)
  if (left.length > MOST_QUOTED) return false
  const count = (bracket: RegExp): number => left.match(bracket)?.length ?? 0
  return count(/[「『]/gu) > count(/[」』]/gu)
}
