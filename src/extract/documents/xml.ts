// XML as documents use it: elements by their local names, in the order they stand.
import { readTokens } from '../markup-tokens.ts'

/** An attribute by its local name, or by the name as it is written; '' when it is missing. */
export type Attribute = (name: string) => string

export interface XmlHandler {
  /** `written` is the name with its prefix. */
  open(name: string, attribute: Attribute, written: string): void
  text?(part: string): void
  close?(name: string): void
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

export function readXml(xml: string, handler: XmlHandler): void {
  readTokens(
    xml,
    { isXml: true },
    {
      open: (name, attributes) => handler.open(localName(name), attributeOf(attributes), name),
      text: (part) => handler.text?.(part),
      close: (name) => handler.close?.(localName(name)),
    },
  )
}

function attributeOf(attributes: ReadonlyMap<string, string>): Attribute {
  return function attribute(name) {
    const exact = attributes.get(name)
    if (exact !== undefined) return exact
    for (const [key, value] of attributes) if (localName(key) === name) return value
    return ''
  }
}

/** `handler`, told nothing of the elements that are to be left out, nor of what stands in them. */
export function withoutElements(
  isLeftOut: (written: string, name: string, attribute: Attribute) => boolean,
  handler: XmlHandler,
): XmlHandler {
  let depth = 0
  return {
    open(name, attribute, written) {
      if (depth > 0 || isLeftOut(written, name, attribute)) depth += 1
      else handler.open(name, attribute, written)
    },
    text(part) {
      if (depth === 0) handler.text?.(part)
    },
    close(name) {
      if (depth > 0) depth -= 1
      else handler.close?.(name)
    },
  }
}

/** The text of each of these elements, by local name; of the same name several times, the first that is not empty. */
export function textsOf(xml: string, names: ReadonlySet<string>): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  let name: string | null = null
  let text = ''
  readXml(xml, {
    open(opened) {
      name = names.has(opened) ? opened : null
      text = ''
    },
    text(part) {
      if (name !== null) text += part
    },
    close(closed) {
      if (closed === name && text.trim() !== '' && !found.has(closed)) found.set(closed, text.trim())
      name = null
    },
  })
  return found
}
