// The prose in the state that a page's scripts build it from.
import { type HtmlWriter, isTooMuch, paragraphs, write } from './html-writer.ts'

/** Keys under which state keeps what nobody reads on the page. */
const NOT_SHOWN =
  /css|style|script|svg|seo|meta|schema|query|cookie|consent|translat|i18n|messages|locale|config|token/i
const LEAST_CHARACTERS = 60
const LEAST_WORDS = 8
const LEAST_UNSPACED_CHARACTERS = 30
const UNSPACED = /[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/gu

/** Adds every string of the state that reads like prose, in its order. */
export function addState(writer: HtmlWriter, value: unknown, depth = 0): void {
  if (isTooMuch(writer, depth)) return
  if (typeof value === 'string') {
    if (isProse(value)) write(writer, paragraphs(value))
  } else if (Array.isArray(value)) {
    for (const item of value) addState(writer, item, depth + 1)
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value))
      if (!NOT_SHOWN.test(key)) addState(writer, item, depth + 1)
  }
}

function isProse(text: string): boolean {
  if (/^\s*(?:https?:|data:|[{[])/.test(text)) return false
  const plain = text.slice(0, 2_000).replace(/<[^<>]*>/g, ' ')
  if ((plain.match(UNSPACED)?.length ?? 0) >= LEAST_UNSPACED_CHARACTERS) return true
  if (plain.length < LEAST_CHARACTERS || plain.trim().split(/\s+/).length < LEAST_WORDS) return false
  const letters = plain.match(/[\p{L}\p{N}\s.,]/gu)?.length ?? 0
  return letters >= plain.length * 0.9
}
