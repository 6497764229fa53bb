// What a stretch of text is weighed by when it is asked whether it gives orders to a model: stems, pairs of stems that follow
// each other and, in scripts without spaces, runs of up to three signs.

/** An ending says little, and differs with person, number and case. */
const STEM_CHARACTERS = 5
const RUN_CHARACTERS = 3

/** Accents of Latin, Cyrillic and Arabic letters; not those of kana, which are other letters with them. */
const ACCENTS = /[\u0300-\u036F\u064B-\u0655]/gu

/** Letters of scripts without spaces; an address; a word; up to three other signs. */
const TOKENS =
  /(?<dense>[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]+)|(?<address>https?:\S{1,80})|(?<word>(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー])[\p{L}\p{N}_])+)|(?<sign>[^\s\p{L}\p{N}_]{1,3})/gu

/** Small letters without accents. */
export const fold = (text: string): string =>
  text.normalize('NFKD').replace(ACCENTS, '').normalize('NFC').toLowerCase().replaceAll('’', "'")

/** Of a folded text, each once. The time grows with its length alone. */
export function orderFeaturesOf(folded: string): ReadonlySet<string> {
  const features = new Set<string>()
  let before = '^'
  for (const { groups = {} } of folded.matchAll(TOKENS)) {
    const { dense } = groups
    if (dense === undefined) {
      const stem = stemOf(groups)
      features.add(stem)
      features.add(`${before} ${stem}`)
      before = stem
    } else {
      addRuns(features, Array.from(dense))
      before = '~'
    }
  }
  return features
}

function stemOf({ address, word, sign = '' }: Readonly<Record<string, string | undefined>>): string {
  if (address !== undefined) return '<address>'
  if (word === undefined) return sign
  return /^\d+$/u.test(word) ? '<number>' : word.slice(0, STEM_CHARACTERS)
}

function addRuns(features: Set<string>, signs: readonly string[]): void {
  for (const at of signs.keys())
    for (let length = 1; length <= RUN_CHARACTERS && at + length <= signs.length; length += 1)
      features.add(signs.slice(at, at + length).join(''))
}
