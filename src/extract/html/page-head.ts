// What a page says about itself apart from its text: title, language, meta properties, JSON-LD.
import { decodeText } from './tag-stream.ts'
import type { TagAttributes } from './tag-attributes.ts'

const MOST_PROPERTIES = 500
const LONGEST_PROPERTY = 4_000
const MOST_DATA_CHARACTERS = 2_000_000
/** Scripts in which Next.js and Nuxt hand on what a page is built from. */
const STATE_IDS = new Set(['__NEXT_DATA__', '__NUXT_DATA__'])
/** Other frameworks write it as a line of script: `window.__APOLLO_STATE__ = {…}`. */
const ASSIGNED_STATE =
  /^\s{0,20}(?:window|self|globalThis)\.[\w$]{0,40}(?:state|store|props|initial|preload)[\w$]{0,40}\s{0,3}=\s{0,3}\{/i
const LONGEST_TITLE = 2_000

/** Gathers head data while the parser runs. Bounded: what exceeds a limit is left out. */
export function createPageHead() {
  let title = ''
  let language = ''
  let base = ''
  let dataCharacters = 0
  let capturing: 'title' | ScriptKind | null = null
  let captured = ''
  const properties: [name: string, value: string][] = []
  const jsonLd: string[] = []
  const state: string[] = []

  /** Inertia hands the state on in an attribute of the element that it builds the page in. */
  function keepInertia(page: string | undefined): void {
    if (page === undefined || !page.startsWith('{')) return
    if (dataCharacters + page.length > MOST_DATA_CHARACTERS) return
    dataCharacters += page.length
    state.push(page)
  }

  return {
    properties: properties as readonly (readonly [name: string, value: string])[],
    jsonLd: jsonLd as readonly string[],
    /** What scripts of the page are told to build it from, as JSON. */
    state: state as readonly string[],
    title: () => title,
    language: () => language,
    /** What the page's addresses are relative to, relative itself to the page's own; '' for that. */
    baseTarget: () => base,

    /** Takes note of an element; true when its content is head data and no text of the page. */
    open(name: string, attributes: TagAttributes): boolean {
      keepInertia(attributes['data-page'])
      if (name === 'html') language = attributes.lang ?? attributes['xml:lang'] ?? language
      if (name === 'title') capturing = title === '' ? 'title' : null
      else if (name === 'script') capturing = scriptKind(attributes)
      captured = ''
      return name === 'title' || name === 'script'
    },

    /** Takes note of a `<base>`; the first with an address counts (HTML standard, §4.2.3). */
    base({ href = '' }: TagAttributes): void {
      if (base === '') base = href.slice(0, LONGEST_PROPERTY)
    },

    /** Takes note of a `<meta>`: Open Graph's `property`, HTML's `name` and `http-equiv`, microdata's `itemprop`. */
    meta(attributes: TagAttributes): void {
      const name = attributes.property ?? attributes.name ?? attributes.itemprop ?? attributes['http-equiv']
      const value = attributes.content ?? attributes.datetime
      if (name === undefined || value === undefined || properties.length >= MOST_PROPERTIES) return
      properties.push([name.trim().toLowerCase(), value.slice(0, LONGEST_PROPERTY)])
    },

    text(text: string): void {
      if (capturing === 'title') captured = (captured + text).slice(0, LONGEST_TITLE)
      else if (capturing === 'script') {
        capturing = ASSIGNED_STATE.test(text) ? 'assigned-state' : null
        captured = text
      } else if (capturing !== null && dataCharacters + captured.length < MOST_DATA_CHARACTERS)
        captured += text
    },

    close(name: string): void {
      if (capturing === null || name !== (capturing === 'title' ? 'title' : 'script')) return
      if (capturing === 'title') title = decodeText(captured).replace(/\s+/g, ' ').trim()
      else if (capturing !== 'script') {
        dataCharacters += captured.length
        if (capturing === 'json-ld') jsonLd.push(captured)
        else state.push(capturing === 'state' ? captured : assigned(captured))
      }
      capturing = null
    },
  }
}

/** `script` until its first words are known. */
type ScriptKind = 'json-ld' | 'state' | 'script' | 'assigned-state'

function scriptKind({ type = '', id = '' }: TagAttributes): ScriptKind | null {
  if (/ld\+json/i.test(type)) return 'json-ld'
  if (/json/i.test(type)) return STATE_IDS.has(id) ? 'state' : null
  return 'script'
}

/** The object that a line of script assigns: up to the brace that closes its first one, '' without one. */
function assigned(script: string): string {
  const start = script.indexOf('{')
  let depth = 0
  let inString = false
  for (let at = start; at < script.length; at++) {
    const character = script[at]
    if (character === '\\') at++
    else if (character === '"') inString = !inString
    else if (inString) continue
    else if (character === '{') depth++
    else if (character === '}' && --depth === 0) return script.slice(start, at + 1)
  }
  return ''
}

export type PageHead = ReturnType<typeof createPageHead>
