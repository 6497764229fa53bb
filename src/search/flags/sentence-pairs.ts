// A text as it is looked through: each sentence with the next one, since an order often names its reader in one and says what
// it wants in the other.

/** A point inside an address or a number ends nothing. */
const SENTENCE_END = /[.!?؟](?=[\s"'»”)\]]|$)|[。！？]|\n/gu
const SAYS_SOMETHING = /[\p{L}\p{N}]/u

/** A stretch of a text, from `start` to before `end`. */
export interface Stretch {
  start: number
  end: number
}

/** Of a text of one sentence, that one. */
export function sentencePairsOf(text: string): Stretch[] {
  const sentences = sentencesOf(text)
  if (sentences.length < 2) return sentences
  return sentences.slice(1).map(({ end }, index) => ({ start: sentences[index]?.start ?? 0, end }))
}

function sentencesOf(text: string): Stretch[] {
  const ends = [...text.matchAll(SENTENCE_END)].map(({ index }) => index + 1)
  const sentences: Stretch[] = []
  let start = 0
  for (const end of [...ends, text.length]) {
    if (SAYS_SOMETHING.test(text.slice(start, end))) sentences.push({ start, end })
    start = end
  }
  return sentences
}
