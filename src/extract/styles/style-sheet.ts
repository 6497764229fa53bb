// The rules of a page's own `<style>` elements: what they select and what of them can hide text or end a line.
import {
  type CascadeLayer,
  createLayers,
  layerNamed,
  namedInStatement,
  newAnonymousLayer,
  rankLayers,
} from './cascade-layers.ts'
import { type Declaration, parseDeclarations } from './declarations.ts'
import { judgeMedia, type Verdict } from './media-queries.ts'

/** A rule as it stands in its sheet: most select nothing on the page, so nothing of it is read until one may. */
export interface StyleRule {
  readonly css: string
  /** What it selects stands from here to `preludeEnd`, what it says from `blockStart` to `blockEnd`. */
  readonly preludeStart: number
  readonly preludeEnd: number
  readonly blockStart: number
  readonly blockEnd: number
  /** False when its media may not be given. */
  readonly isCertain: boolean
  readonly layer: CascadeLayer
}

const MOST_RULES = 20_000
const DEEPEST_NESTING = 8
/** Their blocks hold rules; what they ask for is met, or cannot be known. */
const CONDITIONS: ReadonlyMap<string, Verdict> = new Map([
  ['@layer', 'holds'],
  ['@supports', 'unknown'],
  ['@container', 'unknown'],
  ['@scope', 'unknown'],
  ['@starting-style', 'fails'],
])

interface Reader {
  readonly css: string
  readonly rules: StyleRule[]
}

/** Where a rule stands in its sheet. */
interface Place {
  readonly verdict: Verdict
  readonly layer: CascadeLayer
  readonly depth: number
}

/** The rules of a page's sheets. Linear in their length; what cannot be read is left out, as CSS asks. */
export function readStyleSheets(sheets: readonly string[]): StyleRule[] {
  const rules: StyleRule[] = []
  const layer = createLayers()
  for (const css of sheets) readRules({ css, rules }, 0, { verdict: 'holds', layer, depth: 0 })
  rankLayers(layer)
  return rules
}

/** Reads rules from `from` until the block that they stand in ends; returns where it does. */
function readRules(reader: Reader, from: number, place: Place): number {
  const { css, rules } = reader
  let at = from
  while (at < css.length && rules.length < MOST_RULES) {
    at = skipBlank(css, at)
    const end = endOfPrelude(css, at)
    if (end === -1) return css.length
    const stop = css.charCodeAt(end)
    if (stop === SEMICOLON) {
      if (css.charCodeAt(at) === AT) nameLayers(css.slice(at, end), place.layer)
      at = end + 1
    } else if (stop === CLOSE) {
      if (place.depth > 0) return end + 1
      at = end + 1
    } else if (css.charCodeAt(at) === AT) at = readAtRule(reader, css.slice(at, end), end + 1, place)
    else {
      const close = endOfBlock(css, end + 1)
      addRule(reader, { preludeStart: at, preludeEnd: end }, { from: end + 1, close }, place)
      at = close + 1
    }
  }
  return css.length
}

function readAtRule(reader: Reader, prelude: string, from: number, place: Place): number {
  const [name = ''] = /^@[\w-]+/.exec(prelude.toLowerCase()) ?? []
  const own = name === '@media' ? judgeMedia(prelude.slice(name.length).trim()) : CONDITIONS.get(name)
  const layer = name === '@layer' ? layerOfBlock(prelude, place.layer) : place.layer
  const isRead = own !== undefined && own !== 'fails' && place.verdict !== 'fails' && layer !== null
  if (!isRead || place.depth >= DEEPEST_NESTING) return endOfBlock(reader.css, from) + 1
  return readRules(reader, from, {
    verdict: own === 'unknown' ? own : place.verdict,
    layer,
    depth: place.depth + 1,
  })
}

/** Null for a block of several layers, which CSS does not know. */
function layerOfBlock(prelude: string, around: CascadeLayer): CascadeLayer | null {
  const [name = '', ...others] = namedInStatement(prelude).names
  return others.length > 0 ? null : (layerNamed(around, name) ?? newAnonymousLayer(around))
}

/** `@layer a, b;` and what is imported into a layer put layers in their order before anything stands in them. */
function nameLayers(statement: string, around: CascadeLayer): void {
  const { names, media } = namedInStatement(statement)
  if (names.length > 0 && judgeMedia(media.trim()) !== 'fails')
    for (const name of names) layerNamed(around, name)
}

/** A rule by what it says first, and by what it says in `@media` inside: other rules within it are left out. */
function addRule(
  { css, rules }: Reader,
  prelude: Pick<StyleRule, 'preludeStart' | 'preludeEnd'>,
  { from, close }: { from: number; close: number },
  { verdict, layer }: Place,
): void {
  const isSure = verdict === 'holds'
  const own = { css, ...prelude, blockStart: from, blockEnd: close, isCertain: isSure, layer }
  const brace = css.indexOf('{', from)
  if (brace === -1 || brace > close) return void rules.push(own)
  rules.push({ ...own, blockEnd: from + Math.max(0, css.slice(from, brace).lastIndexOf(';')) })
  for (let at = from; at < close && rules.length < MOST_RULES;) {
    const end = endOfPrelude(css, at)
    if (end === -1 || end >= close) return
    if (css.charCodeAt(end) !== OPEN) {
      at = end + 1
      continue
    }
    const condition = /^@media\b(.*)$/is.exec(css.slice(at, end).trim())?.[1]
    const media = condition === undefined ? 'fails' : judgeMedia(condition.trim())
    const blockEnd = endOfBlock(css, end + 1)
    const isCertain = own.isCertain && media === 'holds'
    if (media !== 'fails') rules.push({ ...own, blockStart: end + 1, blockEnd, isCertain })
    at = blockEnd + 1
  }
}

/** What a rule says of its own: what is nested in its block is left out. */
export function declarationsOf({ css, blockStart, blockEnd }: StyleRule): Declaration[] {
  const block = css.slice(blockStart, blockEnd)
  const brace = block.indexOf('{')
  return parseDeclarations(brace === -1 ? block : block.slice(0, Math.max(0, block.lastIndexOf(';', brace))))
}

function skipBlank(css: string, from: number): number {
  let at = from
  for (;;) {
    while (css.charCodeAt(at) <= 32) at++
    if (css.startsWith('/*', at)) at = afterComment(css, at)
    else if (css.startsWith('<!--', at)) at += 4
    else if (css.startsWith('-->', at)) at += 3
    else return at
  }
}

function afterComment(css: string, from: number): number {
  const end = css.indexOf('*/', from + 2)
  return end === -1 ? css.length : end + 2
}

/** Where a prelude ends: at `{`, `;` or `}`; -1 when the sheet ends before. */
function endOfPrelude(css: string, from: number): number {
  for (let at = from; at < css.length; at++) {
    const code = css.charCodeAt(at)
    if (code === OPEN || code === CLOSE || code === SEMICOLON) return at
    at = skipQuoted(css, at, code)
  }
  return -1
}

/** Where the block that begins at `from` ends: the index of its `}`. */
function endOfBlock(css: string, from: number): number {
  let depth = 1
  for (let at = from; at < css.length; at++) {
    const code = css.charCodeAt(at)
    if (code === OPEN) depth++
    else if (code === CLOSE && --depth === 0) return at
    else at = skipQuoted(css, at, code)
  }
  return css.length
}

const AT = 64
const OPEN = 123
const CLOSE = 125
const SEMICOLON = 59
const SLASH = 47
const BACKSLASH = 92
const QUOTE = 34
const APOSTROPHE = 39
const NEWLINE = 10

/** The last index of the comment, string or escape that begins at `at`; `at` itself when none does. */
function skipQuoted(css: string, at: number, code: number): number {
  if (code === BACKSLASH) return at + 1
  if (code === SLASH && css[at + 1] === '*') return afterComment(css, at) - 1
  if (code !== QUOTE && code !== APOSTROPHE) return at
  let end = at + 1
  while (end < css.length && css.charCodeAt(end) !== code && css.charCodeAt(end) !== NEWLINE)
    end += css.charCodeAt(end) === BACKSLASH ? 2 : 1
  return end
}
