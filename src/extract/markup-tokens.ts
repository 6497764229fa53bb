// Tags and texts of markup in the order they stand, without a tree: a tree's stack of open elements takes time by the
// square of its depth, and the depth is the site's to choose.
import { Tokenizer } from 'htmlparser2'
import { createTimeSlice } from './yield-thread.ts'

export interface TokenHandler {
  /** `name` and the attributes' names in lower case for HTML, as written for XML. */
  open(name: string, attributes: ReadonlyMap<string, string>): void
  /** Decoded, perhaps in pieces. */
  text?(part: string): void
  close?(name: string): void
}

/**
 * HTML knows it in SVG alone: elsewhere it begins a comment that ends at the first ">", as this one of equal length
 * does.
 */
const CDATA = '<![CDATA['
const BOGUS_COMMENT = '<?cdata--'

/** Read in a few milliseconds, whatever stands in it. */
const TURN_CHARACTERS = 16_384

/** Reads `markup` from its beginning to its end, in time proportional to its length. */
export function readTokens(markup: string, kind: { isXml: boolean }, handler: TokenHandler): void {
  const { text, tokenizer } = openTokenizer(markup, kind, handler)
  tokenizer.write(text)
  tokenizer.end()
}

/** The same for the thread that serves, which does other things in between. @throws the signal's reason. */
export async function readTokensInTurns(
  markup: string,
  kind: { isXml: boolean },
  handler: TokenHandler,
  signal: AbortSignal,
): Promise<void> {
  const pause = createTimeSlice(signal)
  const { text, tokenizer } = openTokenizer(markup, kind, handler)
  for (let start = 0; start < text.length; start += TURN_CHARACTERS) {
    tokenizer.write(text.slice(start, start + TURN_CHARACTERS))
    await pause()
  }
  tokenizer.end()
}

function openTokenizer(
  markup: string,
  { isXml }: { isXml: boolean },
  handler: TokenHandler,
): { text: string; tokenizer: Tokenizer } {
  let name = ''
  let attribute = ''
  let value = ''
  let attributes = new Map<string, string>()
  const nameAt = (start: number, end: number): string =>
    isXml ? markup.slice(start, end) : markup.slice(start, end).toLowerCase()
  const tokenizer = new Tokenizer(
    { xmlMode: isXml, decodeEntities: true },
    {
      onopentagname(start, end) {
        name = nameAt(start, end)
        attributes = new Map()
      },
      onattribname(start, end) {
        attribute = nameAt(start, end)
        value = ''
      },
      onattribdata(start, end) {
        value += markup.slice(start, end)
      },
      onattribentity(codePoint) {
        value += String.fromCodePoint(codePoint)
      },
      onattribend() {
        if (!attributes.has(attribute)) attributes.set(attribute, value)
      },
      onopentagend: () => handler.open(name, attributes),
      onselfclosingtag() {
        handler.open(name, attributes)
        if (isXml) handler.close?.(name)
      },
      onclosetag: (start, end) => handler.close?.(nameAt(start, end)),
      ontext: (start, end) => handler.text?.(markup.slice(start, end)),
      ontextentity: (codePoint) => handler.text?.(String.fromCodePoint(codePoint)),
      oncdata: (start, end, tailLength) => handler.text?.(markup.slice(start, end - tailLength)),
      oncomment: () => undefined,
      ondeclaration: () => undefined,
      onprocessinginstruction: () => undefined,
      onend: () => undefined,
    },
  )
  return { text: isXml ? markup : markup.replaceAll(CDATA, BOGUS_COMMENT), tokenizer }
}
