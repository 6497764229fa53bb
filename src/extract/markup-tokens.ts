// Tags and texts of markup in the order they stand, without a tree: a tree's stack of open elements takes time by the
// square of its depth, and the depth is the site's to choose.
import { Tokenizer } from 'htmlparser2'

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

/** Reads `markup` from its beginning to its end, in time proportional to its length. */
export function readTokens(markup: string, { isXml }: { isXml: boolean }, handler: TokenHandler): void {
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
  tokenizer.write(isXml ? markup : markup.replaceAll(CDATA, BOGUS_COMMENT))
  tokenizer.end()
}
