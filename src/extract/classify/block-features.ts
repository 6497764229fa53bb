// What the classifier sees of a run of text: the text itself, its elements, its neighbours, its place on the page.
import { elementNumber } from '../html/elements.ts'
import type { HtmlElement } from '../html/element-tree.ts'
import { ANCESTOR_FEATURES, CONTAINER_FEATURES, putAncestors, putContainers } from './element-features.ts'
import { logOf, put, type Row } from './feature-row.ts'
import { LONG_WORDS, type MeasuredRun } from './run-statistics.ts'
import { shareOfWords, wordsIn } from './text-statistics.ts'

const NEIGHBOURS = [-2, -1, 1, 2]
const WINDOW_RUNS = 5
/** The features in the order of a row. */
export const FEATURE_NAMES: readonly string[] = [
  'log words',
  'log characters',
  'link density',
  'links',
  'sentences per 10 words',
  'sentences',
  'commas per word',
  'digit share',
  'capital share',
  'ends like sentence',
  'inline elements',
  'characters per word',
  'block element',
  'inner element',
  'heading level',
  'preformatted',
  'depth',
  ...ANCESTOR_FEATURES,
  'position by runs',
  'position by words',
  'runs since h1',
  'before or after h1',
  'before or after prose',
  'log runs of page',
  'log words of page',
  'link density of page',
  'prose share of page',
  'repeated',
  ...CONTAINER_FEATURES,
  ...NEIGHBOURS.flatMap((offset) =>
    ['log words', 'link density', 'sentences'].map((name) => `run ${offset}: ${name}`),
  ),
  'window: log words',
  'window: link density',
  'runs since heading',
  'level of that heading',
  'words shared with title',
  'says copyright',
  'says cookie or sign-in',
  'says click here',
  'says price',
  'says year',
  'has bullet or arrow',
]

const COPYRIGHT = /©|\(c\)|all rights reserved|copyright/i
const CONSENT_OR_ACCOUNT = /cookie|privacy policy|terms of|newsletter|subscribe|sign up|log ?in|sign in/i
const CALL_TO_ACTION =
  /^(?:share|tweet|read more|learn more|more|view all|see all|show more|skip to|next|previous|reply|report|like|follow|menu|search|close|add to|buy|home|back to|comments?|related|advertisement|tags?:?|posted|by |filed under|load more)/i
const PRICE = /[$€£¥]\s?\d|\d\s?(?:€|USD|EUR)/
const YEAR = /\b(?:19|20)\d\d\b/
const BULLET_OR_ARROW = /[|•·»›→]/
/** Longer texts are prose: what they say in passing tells nothing about them. */
const TELLING_CHARACTERS = 300

/** What is known of the page as a whole before its runs are looked at one by one. */
interface PageMeasures {
  root: HtmlElement
  words: number
  firstHeading: number
  firstLong: number
  lastLong: number
  repeats: ReadonlyMap<string, number>
  titleWords: ReadonlySet<string>
}

function measurePage(runs: readonly MeasuredRun[], root: HtmlElement, title: string): PageMeasures {
  const repeats = new Map<string, number>()
  for (const { run } of runs) repeats.set(run.text, (repeats.get(run.text) ?? 0) + 1)
  return {
    root,
    words: root.words,
    firstHeading: runs.findIndex((run) => isInFirstHeading(run.run.element)),
    firstLong: runs.findIndex((run) => run.isLong),
    lastLong: runs.findLastIndex((run) => run.isLong),
    repeats,
    titleWords: new Set(wordsIn(title)),
  }
}

function isInFirstHeading(element: HtmlElement): boolean {
  let at: HtmlElement | null = element
  for (let steps = 0; at !== null && steps < 3; steps++, at = at.parent) if (at.name === 'h1') return true
  return false
}

/**
 * Returns a function that gives the features of run `index`, in one array that every call overwrites.
 * Calls must go through the runs in order, because a run's distance to the last heading is counted along.
 */
export function createFeatureReader(runs: readonly MeasuredRun[], root: HtmlElement, title: string) {
  const page = measurePage(runs, root, title)
  const row: Row = { values: new Float32Array(FEATURE_NAMES.length), at: 0 }
  let wordsBefore = 0
  let runsSinceHeading = 99
  let lastLevel = 0
  return (index: number): Float32Array => {
    const run = runs[index]
    if (run === undefined) throw new RangeError(`there is no run ${index}`)
    row.at = 0
    putText(row, run)
    const containers = putAncestors(row, run.run.element)
    putPosition(row, page, run, index, runs.length, wordsBefore)
    putContainers(row, containers, page)
    putNeighbours(row, runs, index)
    put(row, Math.min(runsSinceHeading, 30))
    put(row, lastLevel)
    put(row, run.words < 40 ? shareOfWords(run.run.text, page.titleWords) : 0)
    putTellingWords(row, run)
    wordsBefore += run.words
    runsSinceHeading = run.headingLevel > 0 ? 0 : runsSinceHeading + 1
    if (run.headingLevel > 0) lastLevel = run.headingLevel
    return row.values
  }
}

function putText(row: Row, run: MeasuredRun): void {
  const { words, characters } = run
  put(row, logOf(words))
  put(row, logOf(characters))
  put(row, run.linkDensity)
  put(row, run.run.links)
  put(row, (run.measures.sentences / (words + 1)) * 10)
  put(row, run.measures.sentences)
  put(row, run.measures.commas / (words + 1))
  put(row, run.measures.digits / (characters + 1))
  put(row, run.measures.capitals / (characters + 1))
  put(row, run.measures.endsLikeSentence ? 1 : 0)
  put(row, run.run.inlineElements)
  put(row, characters / (words + 1))
  put(row, elementNumber(run.block.name))
  put(row, elementNumber(run.run.element.name))
  put(row, run.headingLevel)
  put(row, run.run.preformatted ? 1 : 0)
  put(row, run.run.element.depth)
}

function putPosition(
  row: Row,
  page: PageMeasures,
  run: MeasuredRun,
  index: number,
  runs: number,
  before: number,
): void {
  const { root, words, firstHeading, firstLong, lastLong } = page
  put(row, index / runs)
  put(row, before / (words || 1))
  put(row, firstHeading < 0 ? 0 : (index - firstHeading) / runs)
  put(row, firstHeading < 0 ? -2 : Math.sign(index - firstHeading))
  put(row, firstLong < 0 ? 0 : index < firstLong ? -1 : index > lastLong ? 1 : 0)
  put(row, logOf(runs))
  put(row, logOf(words))
  put(row, words === 0 ? 0 : root.linkWords / words)
  put(row, words === 0 ? 0 : root.longWords / words)
  put(row, Math.min(page.repeats.get(run.run.text) ?? 0, 10))
}

function putNeighbours(row: Row, runs: readonly MeasuredRun[], index: number): void {
  for (const offset of NEIGHBOURS) {
    const neighbour = runs[index + offset]
    put(row, neighbour === undefined ? -1 : logOf(neighbour.words))
    put(row, neighbour === undefined ? -1 : neighbour.linkDensity)
    put(row, neighbour === undefined ? -1 : neighbour.measures.sentences)
  }
  let words = 0
  let linkWords = 0
  const last = Math.min(runs.length - 1, index + WINDOW_RUNS)
  for (let at = Math.max(0, index - WINDOW_RUNS); at <= last; at++) {
    const run = runs[at]
    if (run === undefined) continue
    words += run.words
    linkWords += run.words * run.linkDensity
  }
  put(row, logOf(words))
  put(row, words === 0 ? 0 : linkWords / words)
}

function putTellingWords(row: Row, run: MeasuredRun): void {
  const whole = run.run.text
  const text = whole.length > TELLING_CHARACTERS ? whole.slice(0, TELLING_CHARACTERS) : whole
  const hasDigits = run.measures.digits > 0
  put(row, COPYRIGHT.test(text) ? 1 : 0)
  put(row, CONSENT_OR_ACCOUNT.test(text) ? 1 : 0)
  put(row, run.words < 12 && CALL_TO_ACTION.test(text) ? 1 : 0)
  put(row, hasDigits && PRICE.test(text) ? 1 : 0)
  put(row, hasDigits && run.words < LONG_WORDS && YEAR.test(text) ? 1 : 0)
  put(row, BULLET_OR_ARROW.test(text) ? 1 : 0)
}
