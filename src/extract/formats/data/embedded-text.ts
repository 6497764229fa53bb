// What a page says in data for machines: the body of an article, questions with their answers, a product's properties,
// and the state that scripts build a page from. It is read only when the page shows nothing without its scripts.
import type { PageHead } from '../html/page-head.ts'

const DEEPEST_NODE = 24
const MOST_NODES = 20_000
const MOST_CHARACTERS = 1_000_000
const MARKUP = /<(?:p|div|br|h[1-6]|ul|ol|li|a|b|strong|em|table|span|blockquote|pre)\b[^<>]{0,500}>/i
/** Keys under which state keeps what nobody reads on the page. */
const NOT_SHOWN =
  /css|style|script|svg|seo|meta|schema|query|cookie|consent|translat|i18n|messages|locale|config|token/i
const LEAST_STATE_CHARACTERS = 60
const LEAST_STATE_WORDS = 8
const LEAST_UNSPACED_CHARACTERS = 30
const UNSPACED = /[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/gu

type Fields = ReadonlyMap<string, unknown>

/** Gathers pieces of HTML, each once. */
interface Writer {
  readonly parts: Set<string>
  characters: number
  nodes: number
}

/**
 * The data as HTML, '' when there is none: JSON-LD first, and only without it the page's state. At most a million
 * characters; JSON that is broken or cut tells nothing.
 */
export function embeddedText(head: PageHead): string {
  const said = written(head.jsonLd, addJsonLd)
  return said === '' ? written(head.state, addState) : said
}

function written(scripts: readonly string[], add: (writer: Writer, value: unknown) => void): string {
  const writer: Writer = { parts: new Set(), characters: 0, nodes: 0 }
  for (const script of scripts) add(writer, parsed(script))
  return [...writer.parts].join('\n')
}

function parsed(script: string): unknown {
  try {
    return JSON.parse(script)
  } catch {
    // A page's author broke it; nobody is to be told, and the page is read as if it had none.
    return null
  }
}

function write(writer: Writer, html: string): void {
  if (html === '' || writer.characters + html.length > MOST_CHARACTERS) return
  writer.parts.add(html)
  writer.characters += html.length
}

function addJsonLd(writer: Writer, value: unknown, depth = 0): void {
  if (typeof value !== 'object' || value === null || depth > DEEPEST_NODE || writer.nodes++ > MOST_NODES)
    return
  if (Array.isArray(value)) {
    for (const item of value) addJsonLd(writer, item, depth + 1)
    return
  }
  const node: Fields = new Map<string, unknown>(Object.entries(value))
  const type = String(node.get('@type'))
  if (/Question/.test(type)) return addQuestion(writer, node)
  if (/Product/.test(type)) addProduct(writer, node)
  addBody(writer, node)
  for (const key of ['@graph', 'mainEntity', 'mainEntityOfPage', 'comment', 'hasPart'])
    addJsonLd(writer, node.get(key), depth + 1)
}

function addBody(writer: Writer, node: Fields): void {
  const body = textOf(node.get('articleBody')) || textOf(node.get('text')) || textOf(node.get('reviewBody'))
  if (body === '') return
  const headline = textOf(node.get('headline'))
  if (headline !== '') write(writer, `<h1>${escaped(headline)}</h1>`)
  write(writer, paragraphs(body))
}

/** A question, the accepted answer, then the others. */
function addQuestion(writer: Writer, node: Fields): void {
  const answers = [...listOf(node.get('acceptedAnswer')), ...listOf(node.get('suggestedAnswer'))]
  const texts = answers.map((answer) => textOf(fieldOf(answer, 'text'))).filter((text) => text !== '')
  if (texts.length === 0) return
  write(writer, `<h2>${escaped(textOf(node.get('name')))}</h2>`)
  const question = textOf(node.get('text'))
  if (question !== '') write(writer, paragraphs(question))
  for (const text of texts) write(writer, paragraphs(text))
}

function addProduct(writer: Writer, node: Fields): void {
  const description = textOf(node.get('description'))
  if (description === '') return
  write(writer, `<h1>${escaped(textOf(node.get('name')))}</h1>${paragraphs(description)}`)
  const rows = listOf(node.get('additionalProperty')).map((property) => {
    const name = textOf(fieldOf(property, 'name'))
    const value = textOf(fieldOf(property, 'value'))
    return name === '' || value === '' ? '' : `<tr><th>${escaped(name)}</th><td>${escaped(value)}</td></tr>`
  })
  if (rows.some((row) => row !== '')) write(writer, `<table>${rows.join('')}</table>`)
}

const listOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value.slice(0, MOST_NODES) : value === undefined ? [] : [value]

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null
    ? new Map<string, unknown>(Object.entries(value)).get(name)
    : undefined

function textOf(value: unknown): string {
  if (typeof value === 'string') return value.trim()
  return typeof value === 'number' ? String(value) : ''
}

/** Every string of the state that reads like prose, in its order. */
function addState(writer: Writer, value: unknown, depth = 0): void {
  if (depth > DEEPEST_NODE || writer.nodes++ > MOST_NODES) return
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
  if (plain.length < LEAST_STATE_CHARACTERS || plain.trim().split(/\s+/).length < LEAST_STATE_WORDS)
    return false
  const letters = plain.match(/[\p{L}\p{N}\s.,]/gu)?.length ?? 0
  return letters >= plain.length * 0.9
}

/** Markup as it is, plain text line by line. */
const paragraphs = (text: string): string =>
  MARKUP.test(text)
    ? `<div>${text}</div>`
    : text
        .split(/\n+/)
        .map((line) => (line.trim() === '' ? '' : `<p>${escaped(line)}</p>`))
        .join('')

/** References stay references: data often holds them. */
const escaped = (text: string): string => text.replaceAll('<', '&lt;')
