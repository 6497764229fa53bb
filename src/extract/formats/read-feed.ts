// XML to text: RSS and Atom as a list of entries under their titles, any other XML element by element.
import { escapeAttribute, escapeText } from 'entities'
import { Parser } from 'htmlparser2'
import { parseStamp, type ParsedDate } from '../dates/parse-date.ts'
import { datesFromHeader } from '../dates/choose-dates.ts'
import type { Block, PageText } from '../document.ts'
import type { TextInput } from '../page-input.ts'
import { readHtml } from './read-html.ts'
import { createTimeSlice } from '../yield-thread.ts'

const MOST_CHARACTERS = 1_000_000
const CHUNK_CHARACTERS = 32_768
const DEEPEST_ELEMENT = 256
const MOST_ENTRIES = 1_000
/** A feed is content throughout; the HTML classifier, which looks for a page's shape, is overruled. */
const CONTENT_WEIGHT = 0.8

const ENTRY = new Set(['item', 'entry'])
const ROOTS = new Set(['rss', 'feed', 'rdf:rdf'])
const BODY = new Set(['description', 'content:encoded', 'content', 'summary'])
const OWN_RELATION = 'alternate'
const UPDATED = new Set(['lastbuilddate', 'updated', 'pubdate', 'dc:date', 'published'])

interface Entry {
  title: string
  /** Its own address, '' where the feed gives none. */
  link: string
  /** HTML; the longest of summary, description and content, which repeat each other. */
  body: string
}

interface FeedState {
  isFeed: boolean
  depth: number
  title: string
  dates: string[]
  entries: Entry[]
  entry: Entry | null
  /** The element whose text is being gathered. */
  name: string
  text: string
  /** Any other XML, as HTML made of its text. */
  parts: string[]
}

/** Reads RSS, Atom and other XML. Throws only the signal's reason. */
export async function readFeed(input: TextInput, signal: AbortSignal): Promise<PageText> {
  const state = await parse(input.content.slice(0, MOST_CHARACTERS), signal)
  const html = state.isFeed ? feedAsHtml(state) : state.parts.join('')
  const page = await readHtml({ ...input, content: html }, signal)
  const header = datesFromHeader(input)
  const updated = latest(
    state.dates.map((date) => parseStamp(date, { now: input.now, firstNumber: 'month' })),
  )
  return {
    ...page,
    title: state.title === '' ? page.title : state.title,
    blocks: page.blocks.map((block) => asContent(block)),
    isCut: page.isCut || input.content.length > MOST_CHARACTERS,
    publishDate: null,
    lastUpdated: updated === null ? header.lastUpdated : { iso: updated.iso, source: 'feed' },
  }
}

const asContent = (block: Block): Block => ({
  ...block,
  contentWeight: Math.max(block.contentWeight, CONTENT_WEIGHT),
})

const latest = (dates: readonly (ParsedDate | null)[]): ParsedDate | null =>
  dates.reduce((best, date) => (date !== null && (best === null || date.day > best.day) ? date : best), null)

async function parse(xml: string, signal: AbortSignal): Promise<FeedState> {
  const state: FeedState = {
    isFeed: false,
    depth: 0,
    title: '',
    dates: [],
    entries: [],
    entry: null,
    name: '',
    text: '',
    parts: [],
  }
  const parser = new Parser(
    {
      onopentag: (name, attributes) => open(state, name.toLowerCase(), attributes),
      ontext: (text) => hear(state, text),
      onclosetag: (name) => close(state, name.toLowerCase()),
    },
    { xmlMode: true },
  )
  const pause = createTimeSlice(signal)
  for (
    let at = 0;
    at < xml.length && state.depth < DEEPEST_ELEMENT && state.entries.length < MOST_ENTRIES;
    at += CHUNK_CHARACTERS
  ) {
    parser.write(xml.slice(at, at + CHUNK_CHARACTERS))
    await pause()
  }
  if (state.depth < DEEPEST_ELEMENT) parser.end()
  return state
}

function open(state: FeedState, name: string, attributes: Record<string, string>): void {
  state.depth++
  if (state.depth === 1) state.isFeed = ROOTS.has(name)
  if (!state.isFeed) state.parts.push(name === 'title' ? '<h2>' : '<div>')
  else if (ENTRY.has(name)) {
    state.entry = { title: '', link: '', body: '' }
    state.entries.push(state.entry)
  }
  // Atom's XHTML content nests elements of its own: their text belongs to the element that was begun.
  if (!BODY.has(state.name)) {
    if (state.entry !== null) noteAddress(state.entry, name, attributes)
    state.name = name
    state.text = ''
  } else state.text += ' '
}

/** Atom gives addresses in attributes; without a relation it is the entry's own (RFC 4287, §4.2.7.2). */
function noteAddress(
  entry: Entry,
  name: string,
  { rel = OWN_RELATION, href = '' }: Record<string, string>,
): void {
  if (name === 'link' && rel === OWN_RELATION) entry.link ||= href.trim()
}

function hear(state: FeedState, text: string): void {
  if (state.isFeed) state.text += text
  else state.parts.push(escapeText(text))
}

function close(state: FeedState, name: string): void {
  state.depth--
  if (!state.isFeed) {
    state.parts.push(name === 'title' ? '</h2>' : '</div>')
    return
  }
  if (ENTRY.has(name)) state.entry = null
  if (name !== state.name) return
  const text = state.text.trim()
  state.name = ''
  if (name === 'title' && state.entry !== null) state.entry.title ||= text
  else if (name === 'title') state.title ||= text
  else if (name === 'link' && state.entry !== null) state.entry.link ||= text
  else if (BODY.has(name) && state.entry !== null && text.length > state.entry.body.length)
    state.entry.body = text
  else if (UPDATED.has(name)) state.dates.push(text)
}

/** The bodies hold HTML, which the reader parses; unclosed elements in one end with its `article`. */
function feedAsHtml(state: FeedState): string {
  const entries = state.entries.map(
    (entry) => `<article><h2>${headingOf(entry)}</h2><div>${entry.body}</div></article>`,
  )
  return `<h1>${escapeText(state.title)}</h1>${entries.join('')}`
}

/** The title leads to the entry, as it does where feeds are read. */
const headingOf = ({ title, link }: Entry): string =>
  link === '' ? escapeText(title) : `<a href="${escapeAttribute(link)}">${escapeText(title)}</a>`
