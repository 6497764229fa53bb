// Characters as they are typed where there is no key for them.

/** Several signs that one stands for. */
export const signsFor = (sign: string, characters: string): Record<string, string> =>
  Object.fromEntries(Array.from(characters, (character) => [character, sign]))

/** Characters that several stand for: an ellipsis, and ligatures, which printed books and PDFs are full of. */
export const SPELT_OUT: Readonly<Record<string, string>> = {
  '…': '...',
  ﬀ: 'ff',
  ﬁ: 'fi',
  ﬂ: 'fl',
  ﬃ: 'ffi',
  ﬄ: 'ffl',
  ﬅ: 'st',
  ﬆ: 'st',
}
