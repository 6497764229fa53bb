// The text of captured HTML, block by block: the simplest reader that can check a capture, independent of ours.
import { Parser } from 'htmlparser2'

const BLOCK =
  /^(?:div|p|li|ul|ol|h[1-6]|main|section|article|table|tr|td|th|body|pre|br|hr|nav|footer|header|dl|dt|dd)$/u
const SKIPPED = /^(?:script|style|noscript|template|title)$/u

/** Text between block borders, white space folded, empty blocks left out. */
export function readableBlocks(html: string): string[] {
  const blocks: string[] = []
  let text = ''
  let skipping = 0
  let pre = 0
  const flush = () => {
    if (text.trim() !== '') blocks.push(text.trim())
    text = ''
  }
  const parser = new Parser({
    onopentag(name) {
      if (SKIPPED.test(name)) skipping += 1
      if (name === 'pre') pre += 1
      if (BLOCK.test(name)) flush()
    },
    ontext(data) {
      if (skipping === 0) text += pre > 0 ? data : data.replace(/\s+/gu, ' ')
    },
    onclosetag(name) {
      if (SKIPPED.test(name)) skipping -= 1
      if (name === 'pre') pre -= 1
      if (BLOCK.test(name)) flush()
    },
  })
  parser.end(html)
  flush()
  return blocks
}
