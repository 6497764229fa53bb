// What a page's JSON-LD says to people: the body of an article, questions with their answers, recipes and instructions
// step by step, the properties of a product, what an event, a vacancy or a film is described as.
import { escaped, heading, type HtmlWriter, isTooMuch, list, paragraphs, write } from './html-writer.ts'

type Fields = ReadonlyMap<string, unknown>

/** Types that say something about the site, never what the page is about. */
const NOT_THE_PAGE =
  /WebSite|WebPage|Organization|Corporation|Breadcrumb|ItemList|SearchAction|ImageObject|Person|Offer|Rating/
const MOST_ITEMS = 20_000
/** Keys under which nodes hold others. */
const INNER_KEYS = ['@graph', 'mainEntity', 'mainEntityOfPage', 'comment', 'hasPart']

/** Adds what one script of JSON-LD says, as HTML. */
export function addJsonLd(writer: HtmlWriter, value: unknown, depth = 0): void {
  if (typeof value !== 'object' || value === null || isTooMuch(writer, depth)) return
  if (Array.isArray(value)) {
    for (const item of value) addJsonLd(writer, item, depth + 1)
    return
  }
  const node: Fields = new Map<string, unknown>(Object.entries(value))
  addNode(writer, node)
  for (const key of INNER_KEYS) addJsonLd(writer, node.get(key), depth + 1)
}

function addNode(writer: HtmlWriter, node: Fields): void {
  const type = String(node.get('@type'))
  const name = textOf(node.get('headline')) || textOf(node.get('name')) || textOf(node.get('title'))
  const body = textOf(node.get('articleBody')) || textOf(node.get('text')) || textOf(node.get('reviewBody'))
  if (/Question/.test(type)) addQuestion(writer, node)
  else if (/Recipe|HowTo/.test(type)) addSteps(writer, node, name)
  else if (body !== '') write(writer, heading(1, textOf(node.get('headline'))) + paragraphs(body))
  else if (!NOT_THE_PAGE.test(type)) addDescription(writer, node, name)
}

/** A question, the accepted answer, then the others. */
function addQuestion(writer: HtmlWriter, node: Fields): void {
  const answers = [...listOf(node.get('acceptedAnswer')), ...listOf(node.get('suggestedAnswer'))]
  const texts = answers.map((answer) => textOf(fieldOf(answer, 'text'))).filter((text) => text !== '')
  if (texts.length === 0) return
  write(writer, heading(2, textOf(node.get('name'))))
  write(writer, paragraphs(textOf(node.get('text'))))
  for (const text of texts) write(writer, paragraphs(text))
}

function addSteps(writer: HtmlWriter, node: Fields, name: string): void {
  const needed = ['recipeIngredient', 'ingredients', 'supply', 'tool'].flatMap((key) => textsIn(node.get(key)))
  const steps = ['recipeInstructions', 'step'].flatMap((key) => textsIn(node.get(key)))
  const description = paragraphs(textOf(node.get('description')))
  write(writer, heading(1, name) + description + list('ul', needed) + list('ol', steps))
}

/** Texts, or nodes that have one, or a list of such. */
function textsIn(value: unknown, depth = 0): string[] {
  if (depth > 4) return []
  const own = textOf(value) || textOf(fieldOf(value, 'text')) || textOf(fieldOf(value, 'name'))
  const inner = fieldOf(value, 'itemListElement')
  if (inner !== undefined) return listOf(inner).flatMap((item) => textsIn(item, depth + 1))
  if (Array.isArray(value)) return listOf(value).flatMap((item) => textsIn(item, depth + 1))
  return own === '' ? [] : [own]
}

function addDescription(writer: HtmlWriter, node: Fields, name: string): void {
  const description = textOf(node.get('description')) || textOf(node.get('transcript'))
  if (description === '') return
  write(writer, heading(1, name) + paragraphs(description))
  const rows = listOf(node.get('additionalProperty')).map((property) => {
    const label = textOf(fieldOf(property, 'name'))
    const value = textOf(fieldOf(property, 'value'))
    return label === '' || value === '' ? '' : `<tr><th>${escaped(label)}</th><td>${escaped(value)}</td></tr>`
  })
  if (rows.some((row) => row !== '')) write(writer, `<table>${rows.join('')}</table>`)
}

const listOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value.slice(0, MOST_ITEMS) : value === undefined ? [] : [value]

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? new Map<string, unknown>(Object.entries(value)).get(name)
    : undefined

function textOf(value: unknown): string {
  if (typeof value === 'string') return value.trim()
  return typeof value === 'number' ? String(value) : ''
}
