// JSON to blocks: the text stays as it was sent, every value that reads like language is a block under its keys.
import { datesFromHeader } from '../dates/choose-dates.ts'
import type { Block, PageText } from '../document.ts'
import { detectLanguage } from '../language.ts'
import type { TextInput } from '../page-input.ts'

const MOST_CHARACTERS = 1_000_000
const MOST_BLOCKS = 20_000
const DEEPEST_PATH = 8
const PROSE_WEIGHT = 0.9
const LABEL_WEIGHT = 0.3
const FEWEST_PROSE_WORDS = 4

/**
 * Reads JSON, even when it is cut off or broken: what can be told is told. Values keep their escapes, because passages
 * are slices of what was sent.
 */
export function readJson(input: TextInput): PageText {
  const text = input.content.slice(0, MOST_CHARACTERS).replace(/\r\n?/g, '\n')
  const blocks = valuesOf(text)
  const title = blocks.find((block) => /^(?:title|name|headline)$/i.test(block.headings.at(-1) ?? ''))
  return {
    title: title === undefined ? null : text.slice(title.start, title.end).slice(0, 300),
    text,
    blocks,
    notation: 'json',
    isCut: input.content.length > MOST_CHARACTERS || blocks.length >= MOST_BLOCKS,
    ...datesFromHeader(input),
    language: detectLanguage({ attribute: '', header: input.contentLanguage, text, blocks }),
  }
}

/** Scans by hand: a pattern over strings of megabytes would need a stack as deep as they are long. */
function valuesOf(text: string): Block[] {
  const blocks: Block[] = []
  const path: string[] = []
  let depth = 0
  for (let at = 0; at < text.length && blocks.length < MOST_BLOCKS; at++) {
    const character = text[at]
    if (character === '{' || character === '[') depth++
    else if (character === '}' || character === ']') {
      depth = Math.max(0, depth - 1)
      path.length = Math.min(path.length, depth)
    } else if (character === '"') {
      const end = endOfString(text, at + 1)
      const value = text.slice(at + 1, end)
      if (/^\s{0,64}:/.test(text.slice(end + 1, end + 66))) setKey(path, depth, value)
      else if (/\p{L}/u.test(value)) blocks.push(toBlock(text, at + 1, end, path))
      at = end
    }
  }
  return blocks
}

/** The position of the quote that closes a string, or of the line's end in broken JSON. */
function endOfString(text: string, from: number): number {
  let at = from
  while (at < text.length && text[at] !== '"' && text[at] !== '\n') at += text[at] === '\\' ? 2 : 1
  return Math.min(at, text.length)
}

function setKey(path: string[], depth: number, key: string): void {
  if (depth > DEEPEST_PATH) return
  path.length = Math.min(path.length, Math.max(0, depth - 1))
  path.push(key.slice(0, 100))
}

function toBlock(text: string, from: number, to: number, path: readonly string[]): Block {
  const slice = text.slice(from, to)
  const start = from + slice.length - slice.trimStart().length
  const words = slice.trim().split(/\s+/).length
  return {
    kind: 'paragraph',
    start,
    end: from + slice.trimEnd().length,
    headings: [...path],
    contentWeight: words >= FEWEST_PROSE_WORDS ? PROSE_WEIGHT : LABEL_WEIGHT,
  }
}
