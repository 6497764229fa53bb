// Fills an answer of limited length from the passages of all its pages: whole sentences, list items, rows and lines,
// those first that hold the answer most likely for their length. Pure.
import { estimateTokens } from './text-budget.ts'
import type { TextSpan } from '../../score/passage.ts'
import type { ScoredPassage } from '../rank.ts'
import { highlightsOf } from './highlight.ts'

export interface AnswerBudget {
  /** Of all snippets together; null for no limit. Tokens are estimated: every model counts them in its own way. */
  characters: number | null
  tokens: number | null
  /** Most snippets of one page. */
  perPage: number
  /** Least score of what is returned, 0..1; left out for any. */
  least?: number
}

/** Passages of a page on offer where length is limited: more than it may return, for the best parts of each. */
export const OFFERED_PER_PAGE = 8

/** What opening a snippet costs beside its text, in characters: few long runs read better than many short ones. */
const SNIPPET_COST = 20
/** Runs of a passage with more parts, such as long code, grow part by part from its best one. */
const RUN_PARTS_MAX = 16

/** A passage on offer, and the run of its parts that is taken: [first, last], or null. */
interface Offer {
  page: number
  passage: ScoredPassage
  parts: readonly OfferedPart[]
  /** Whether a part is one of those that answer, for which the passage has its score. */
  answers: readonly boolean[]
  run: Run | null
}

interface OfferedPart extends TextSpan {
  relevance: number
  tokens: number
}

type Run = readonly [first: number, last: number]

interface Step {
  offer: Offer
  run: Run
  characters: number
  tokens: number
  /** Gain per character. */
  rate: number
}

/** Whether nothing need be left out. */
export const fitsWhole = (
  passages: readonly ScoredPassage[],
  { characters, tokens }: Pick<AnswerBudget, 'characters' | 'tokens'>,
): boolean => {
  const sum = (lengthOf: (text: string) => number): number =>
    passages.reduce((total, { text }) => total + lengthOf(text), 0)
  return (
    (characters === null || sum((text) => text.length) <= characters) &&
    (tokens === null || sum(estimateTokens) <= tokens)
  )
}

/**
 * For each page the runs that are taken, as passages of their own, best first. Every one is a slice of its passage
 * between borders of its parts with the score of what it holds, and together they keep to the budget.
 */
export function fillBudget(
  pages: readonly (readonly ScoredPassage[])[],
  budget: AnswerBudget,
): ScoredPassage[][] {
  const offers = pages.flatMap((passages, page) => passages.map((passage) => offerOf(page, passage)))
  const left = {
    characters: budget.characters ?? Number.POSITIVE_INFINITY,
    tokens: budget.tokens ?? Number.POSITIVE_INFINITY,
  }
  for (let step = bestStep(offers, left, budget); step !== null; step = bestStep(offers, left, budget)) {
    step.offer.run = step.run
    left.characters -= step.characters
    left.tokens -= step.tokens
  }
  return pages.map((_, page) =>
    offers
      .flatMap((offer) => (offer.page === page && offer.run !== null ? [cutTo(offer, offer.run)] : []))
      .toSorted((one, other) => other.relevance - one.relevance),
  )
}

function offerOf(page: number, passage: ScoredPassage): Offer {
  const parts = passage.parts ?? []
  const whole = { start: 0, end: passage.text.length, relevance: passage.relevance }
  const offered = parts.length === 0 ? [whole] : parts
  const answering = new Set(highlightsOf({ parts: offered }).map(({ start }) => start))
  return {
    page,
    passage,
    parts: offered.map(({ start, end, relevance }) => ({
      start,
      end,
      relevance,
      tokens: estimateTokens(passage.text.slice(start, end)) + 1,
    })),
    answers: offered.map(({ start }) => answering.has(start)),
    run: null,
  }
}

function bestStep(
  offers: readonly Offer[],
  left: { characters: number; tokens: number },
  { perPage, least = 0 }: AnswerBudget,
): Step | null {
  const taken = new Map<number, number>()
  for (const { page, run } of offers) if (run !== null) taken.set(page, (taken.get(page) ?? 0) + 1)
  let best: Step | null = null
  for (const offer of offers) {
    if (offer.run === null && (taken.get(offer.page) ?? 0) >= perPage) continue
    for (const run of runsFor(offer)) {
      const step = stepTo(offer, run)
      if (step.characters > left.characters || step.tokens > left.tokens) continue
      if (scoreOf(offer, run) < least) continue
      if (step.rate > (best?.rate ?? 0)) best = step
    }
  }
  return best
}

/** The runs that hold what is taken and more; of a passage that is not begun, all that begin anywhere. */
function* runsFor({ parts, run }: Offer): Generator<Run> {
  const last = parts.length - 1
  const [from, to] = run ?? [0, -1]
  for (let first = 0; first <= (run === null ? last : from); first++)
    for (let end = run === null ? first : to; end <= Math.min(last, first + RUN_PARTS_MAX - 1); end++)
      if (run === null || first < from || end > to) yield [first, end]
}

function stepTo(offer: Offer, run: Run): Step {
  const [now, then] = [offer.run === null ? NOTHING : sumOf(offer, offer.run), sumOf(offer, run)]
  const characters = then.characters - now.characters
  const cost = characters + (offer.run === null ? SNIPPET_COST : 0)
  return {
    offer,
    run,
    characters,
    tokens: then.tokens - now.tokens,
    rate: (then.relevance - now.relevance) / Math.max(1, cost),
  }
}

const NOTHING = { characters: 0, tokens: 0, relevance: 0 }

function sumOf({ parts }: Offer, [first, last]: Run): typeof NOTHING {
  let [tokens, relevance] = [0, 0]
  for (let at = first; at <= last; at++) {
    tokens += parts[at]?.tokens ?? 0
    relevance += parts[at]?.relevance ?? 0
  }
  return { characters: (parts[last]?.end ?? 0) - (parts[first]?.start ?? 0), tokens, relevance }
}

/** That of the passage where the run holds all that answers; else what its own parts have of it. */
function scoreOf(offer: Offer, run: Run): number {
  const [first, last] = run
  const isWhole = offer.answers.every((answers, at) => !answers || (at >= first && at <= last))
  return isWhole ? offer.passage.relevance : sumOf(offer, run).relevance
}

function cutTo(offer: Offer, run: Run): ScoredPassage {
  const { passage, parts } = offer
  const [first, last] = run
  const [start, end] = [parts[first]?.start ?? 0, parts[last]?.end ?? passage.text.length]
  return {
    ...passage,
    start: passage.start + start,
    end: passage.start + end,
    text: passage.text.slice(start, end),
    relevance: scoreOf(offer, run),
    parts:
      passage.parts?.slice(first, last + 1).map((part) => ({
        start: part.start - start,
        end: part.end - start,
        relevance: part.relevance,
      })) ?? null,
  }
}
