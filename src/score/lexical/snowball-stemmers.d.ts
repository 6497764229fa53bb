// The package brings no types.
declare module 'snowball-stemmers' {
  export interface Stemmer {
    stem(word: string): string
  }
  /** @throws {Error} for a language it does not know. */
  export function newStemmer(language: string): Stemmer
}
