// How well a file is read whose text is known: its words, and their order.
import { readPage } from '../../src/extract/read-page.ts'
import { sniffMediaType } from '../../src/pages/fetch/media-type.ts'
import type { MadeDocument } from './office-program.ts'

const WORD = /[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]|[\p{L}\p{N}]+/gu

const wordsOf = (text: string): string[] => text.toLowerCase().match(WORD) ?? []

export interface TextFigures {
  /** Of the words, each as often as it stands. */
  f1: number
  /** Of the words that both have, how many stand in one order. */
  order: number
}

/** 1 and 1 where `read` says what `truth` does, word by word. */
export function compareTexts(truth: string, read: string): TextFigures {
  const [wanted, found] = [wordsOf(truth), wordsOf(read)]
  const counts = new Map<string, number>()
  for (const word of wanted) counts.set(word, (counts.get(word) ?? 0) + 1)
  let shared = 0
  for (const word of found) {
    const left = counts.get(word) ?? 0
    if (left > 0) shared += 1
    counts.set(word, left - 1)
  }
  const f1 = (2 * shared) / Math.max(1, wanted.length + found.length)
  return { f1, order: shared === 0 ? 0 : commonRun(wanted, found) / shared }
}

/** Length of the longest common subsequence; time is the product of both lengths. */
function commonRun(left: readonly string[], right: readonly string[]): number {
  let before = new Uint32Array(right.length + 1)
  for (const word of left) {
    const row = new Uint32Array(right.length + 1)
    for (const [at, other] of right.entries())
      row[at + 1] = word === other ? (before[at] ?? 0) + 1 : Math.max(before[at + 1] ?? 0, row[at] ?? 0)
    before = row
  }
  return before[right.length] ?? 0
}

/** The text of a file as the service reads it. */
export async function readMade({ format, bytes }: Pick<MadeDocument, 'format' | 'bytes'>): Promise<string> {
  const isTable = format === 'csv'
  const mediaType = isTable ? 'text/csv' : sniffMediaType(null, bytes)
  const content = isTable ? new TextDecoder().decode(bytes) : bytes.slice()
  const origin = { url: 'http://127.0.0.1/', lastModified: null, contentLanguage: null, now: new Date() }
  return (await readPage({ ...origin, mediaType, content }, AbortSignal.timeout(60_000))).text
}

/** What a file shows. */
export const truthOf = ({ source, format }: Pick<MadeDocument, 'source' | 'format'>): string =>
  ((format === 'csv' ? source.firstTruth : undefined) ?? source.truth).join('\n')
