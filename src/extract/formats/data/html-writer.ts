// Puts what data says together as HTML, to be read as any page is.

const MOST_CHARACTERS = 1_000_000
/** Nothing in data is deeper, or more, and of use. */
const DEEPEST_NODE = 24
const MOST_NODES = 20_000
const MARKUP = /<(?:p|div|br|h[1-6]|ul|ol|li|a|b|strong|em|table|span|blockquote|pre)\b[^<>]{0,500}>/i

export interface WrittenData {
  readonly html: string
  /** There is more of it. */
  readonly isCut: boolean
}

/** Gathers pieces of HTML, each once, at most a million characters. */
export interface HtmlWriter {
  readonly parts: Set<string>
  /** A piece was left out for want of room. */
  isCut: boolean
  characters: number
  nodes: number
}

/** What `add` takes from each of `values`; its HTML is '' for nothing. */
export function written(
  values: readonly unknown[],
  add: (writer: HtmlWriter, value: unknown) => void,
): WrittenData {
  const writer: HtmlWriter = { parts: new Set(), isCut: false, characters: 0, nodes: 0 }
  for (const value of values) add(writer, value)
  return { html: [...writer.parts].join('\n'), isCut: writer.isCut }
}

/** Adds a piece of HTML; nothing once there is no room. */
export function write(writer: HtmlWriter, html: string): void {
  if (html === '') return
  if (writer.characters + html.length > MOST_CHARACTERS) {
    writer.isCut = true
    return
  }
  writer.parts.add(html)
  writer.characters += html.length
}

/** Counts a node that is looked at; true when there were too many, or it lies too deep. */
export function isTooMuch(writer: HtmlWriter, depth: number): boolean {
  const isTooMany = writer.nodes++ > MOST_NODES
  writer.isCut ||= isTooMany
  return isTooMany || depth > DEEPEST_NODE
}

/** A heading with a plain text, '' for none. */
export const heading = (level: 1 | 2 | 3, text: string): string =>
  text === '' ? '' : `<h${level}>${escaped(text)}</h${level}>`

/** A list of plain texts, '' for none. */
export const list = (name: 'ul' | 'ol', texts: readonly string[]): string =>
  texts.length === 0 ? '' : `<${name}>${texts.map((text) => `<li>${inline(text)}</li>`).join('')}</${name}>`

/** Markup as it is, plain text line by line. */
export const paragraphs = (text: string): string =>
  MARKUP.test(text)
    ? `<div>${text}</div>`
    : text
        .split(/\n+/)
        .map((line) => (line.trim() === '' ? '' : `<p>${escaped(line)}</p>`))
        .join('')

const inline = (text: string): string => (MARKUP.test(text) ? text : escaped(text))

/** References stay references: data often holds them. */
export const escaped = (text: string): string => text.replaceAll('<', '&lt;')
