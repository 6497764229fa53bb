// What was made of a text alone, kept for the next query that meets the text: tokens, vectors, words.
import { LRUCache } from 'lru-cache'

export interface TextMemoryOptions<Made> {
  /** Of all texts and what was made of them together; 0 remembers nothing. */
  maxBytes: number
  bytesOf: (made: Made) => number
}

/** A map's entry, its links and the head of the string. */
const ENTRY_BYTES = 200

/**
 * `make`, remembered by text and language (its code; leave it out where it plays no part); the least recently used goes
 * first. What it makes must not be changed.
 */
export function rememberByText<Made extends object>(
  make: (text: string, language: string) => Made,
  { maxBytes, bytesOf }: TextMemoryOptions<Made>,
): (text: string, language?: string) => Made {
  if (maxBytes === 0) return (text, language = '') => make(text, language)
  const known = new LRUCache<string, Made>({
    maxSize: maxBytes,
    sizeCalculation: (made, text) => ENTRY_BYTES + text.length * 2 + bytesOf(made),
  })
  return (text, language = '') => {
    const key = `${language}\n${text}`
    const remembered = known.get(key)
    if (remembered !== undefined) return remembered
    const made = make(text, language)
    known.set(key, made)
    return made
  }
}
