// Comments of Markdown that have their lines to themselves: nobody who reads the page sees them.
import { createFenceReader } from './code-fences.ts'

const COMMENT = /^ {0,3}<!--/

/**
 * `text` without such lines; what stands in fenced code, or after words of its line, stays. A comment that is never closed
 * goes on to the end (CommonMark 0.31.2, section 4.6, kind 2).
 */
export function withoutCommentLines(text: string): string {
  if (!text.includes('<!--')) return text
  const placeOf = createFenceReader()
  const isInComment = createCommentReader()
  let isCode = false
  const seen = text.split('\n').filter((line) => {
    if (!isCode && isInComment(line)) return false
    if (placeOf(line) === 'mark') isCode = !isCode
    return true
  })
  return seen.join('\n')
}

/** Told line after line, says whether one belongs to a comment and to nothing else. */
function createCommentReader(): (line: string) => boolean {
  let isOpen = false
  return (line) => {
    if (!isOpen && !COMMENT.test(line)) return false
    const end = line.lastIndexOf('-->')
    isOpen = end < 0
    return isOpen || line.slice(end + 3).trim() === ''
  }
}
