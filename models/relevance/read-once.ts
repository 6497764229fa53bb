// Passages that a model reads once, however many questions meet them.
import type { ReadPassage, RelatedText, Transformer } from '../../src/score/models/transformer.ts'

const keyOf = ({ context, text }: RelatedText): string => `${context}\n${text}`

/** What one model makes of each passage, in their order; everything it read is kept. */
export function createReadOnce() {
  const known = new Map<string, ReadPassage>()
  return async function readOnce(model: Transformer, texts: readonly RelatedText[]): Promise<ReadPassage[]> {
    const unread = [...new Map(texts.map((text) => [keyOf(text), text]))].filter(([key]) => !known.has(key))
    const read = await model.readPassages(unread.map(([, text]) => text))
    for (const [index, passage] of read.entries()) known.set(unread[index]?.[0] ?? '', passage)
    return texts.flatMap((text) => known.get(keyOf(text)) ?? [])
  }
}
