// The runs of a page, measured: each for itself, and summed up in the elements above it.
import { headingLevel, TRAIT } from '../html/elements.ts'
import type { HtmlRun } from '../html/text-runs.ts'
import type { HtmlElement } from '../html/element-tree.ts'
import { measureText, type TextStatistics } from './text-statistics.ts'

/** A run with what was measured of it. */
export interface MeasuredRun {
  readonly characters: number
  readonly words: number
  readonly measures: TextStatistics
  readonly run: HtmlRun
  /** Share of its characters inside links, 0..1. */
  readonly linkDensity: number
  /** Prose: 15 words or more, mostly not links. */
  readonly isLong: boolean
  /** The nearest element that is laid out as a block or cell. */
  readonly block: HtmlElement
  readonly headingLevel: number
}

export const LONG_WORDS = 15
const LONG_LINK_DENSITY = 0.4

/** Measures every run and sums words, links and prose up in the elements above it. */
export function measureRuns(runs: readonly HtmlRun[]): MeasuredRun[] {
  return runs.map((run) => {
    const measures = measureText(run.text)
    const linkDensity = measures.characters === 0 ? 0 : Math.min(1, run.linkCharacters / measures.characters)
    const isLong = measures.words >= LONG_WORDS && linkDensity < LONG_LINK_DENSITY
    const block = blockOf(run.element)
    for (let at: HtmlElement | null = run.element; at !== null; at = at.parent) {
      at.words += measures.words
      at.linkWords += measures.words * linkDensity
      at.blocks++
      at.pattern.words += measures.words
      if (isLong) at.longWords += measures.words
    }
    return {
      characters: measures.characters,
      words: measures.words,
      measures,
      run,
      linkDensity,
      isLong,
      block,
      headingLevel: headingLevel(block.name),
    }
  })
}

export const isBlockElement = (element: HtmlElement): boolean =>
  (element.traits & (TRAIT.block | TRAIT.cell)) !== 0

function blockOf(element: HtmlElement): HtmlElement {
  let at = element
  while (at.parent !== null && !isBlockElement(at)) at = at.parent
  return at
}
