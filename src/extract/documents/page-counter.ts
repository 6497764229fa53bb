// The pages of a document whose text flows: counted by the breaks that its file tells.
import type { DocumentWriter, WrittenDocument } from './document-writer.ts'

/** A paragraph that runs over a break belongs to the page on which it begins. */
export function createPageCounter(writer: Pick<DocumentWriter, 'length' | 'beginPlace'>) {
  let number = 1
  let isBroken = false
  let brokenAt = writer.length()
  if (brokenAt === 0) writer.beginPlace('page', number, null)

  function begin(): void {
    isBroken = false
    // A page that is broken by hand is told twice: where it is broken, and where it was when it was last shown.
    if (writer.length() === brokenAt) return
    brokenAt = writer.length()
    number += 1
    writer.beginPlace('page', number, null)
  }
  return {
    count: (): number => number,
    /** `text` is what the open paragraph says so far; '' between paragraphs. */
    breakAfter(text: string): void {
      if (text.trim() === '') begin()
      else isBroken = true
    },
    paragraphEnds(): void {
      if (isBroken) begin()
    },
  }
}

/** For when the breaks that were found are not all there are. */
export const withoutPages = (written: WrittenDocument): WrittenDocument => ({
  ...written,
  places: written.places.filter(({ kind }) => kind !== 'page'),
})
