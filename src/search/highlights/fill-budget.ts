// Fills an answer of limited length from the passages of all its pages: whole sentences, list items, rows and lines,
// those first that hold the answer most likely for their length. Pure.
import { estimateTokens } from './text-budget.ts'
import type { TextSpan } from '../../score/passage.ts'
import type { ScoredPassage } from '../rank.ts'

export interface AnswerBudget {
  /** Of all snippets together; null for no limit. Tokens are estimated: every model counts them in its own way. */
  characters: number | null
  tokens: number | null
  /** Most snippets of one page. */
  perPage: number
}

/** What opening a snippet costs beside its text, in characters: few long runs read better than many short ones. */
const SNIPPET_COST = 20
/** Runs of a passage with more parts, such as long code, grow part by part from its best one. */
const RUN_PARTS_MAX = 16

/** A passage on offer, and the run of its parts that is taken: [first, last], or null. */
interface Offer {
  page: number
  passage: ScoredPassage
  parts: readonly OfferedPart[]
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
 * between borders of its parts, and together they keep to the budget.
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
  for (
    let step = bestStep(offers, left, budget.perPage);
    step !== null;
    step = bestStep(offers, left, budget.perPage)
  ) {
    step.offer.run = step.run
    left.characters -= step.characters
    left.tokens -= step.tokens
  }
  return pages.map((_, page) =>
    offers.flatMap((offer) => (offer.page === page && offer.run !== null ? [cutTo(offer, offer.run)] : [])),
  )
}

function offerOf(page: number, passage: ScoredPassage): Offer {
  const parts = passage.parts ?? []
  const whole = { start: 0, end: passage.text.length, relevance: passage.relevance }
  return {
    page,
    passage,
    parts: (parts.length === 0 ? [whole] : parts).map(({ start, end, relevance }) => ({
      start,
      end,
      relevance,
      tokens: estimateTokens(passage.text.slice(start, end)) + 1,
    })),
    run: null,
  }
}

function bestStep(
  offers: readonly Offer[],
  left: { characters: number; tokens: number },
  perPage: number,
): Step | null {
  const taken = new Map<number, number>()
  for (const { page, run } of offers) if (run !== null) taken.set(page, (taken.get(page) ?? 0) + 1)
  let best: Step | null = null
  for (const offer of offers) {
    if (offer.run === null && (taken.get(offer.page) ?? 0) >= perPage) continue
    for (const run of runsFor(offer)) {
      const step = stepTo(offer, run)
      if (step.characters > left.characters || step.tokens > left.tokens) continue
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

/** The run as a passage; its relevance stays that of the whole, whose sense it has. */
function cutTo({ passage, parts }: Offer, [first, last]: Run): ScoredPassage {
  const [start, end] = [parts[first]?.start ?? 0, parts[last]?.end ?? passage.text.length]
  return {
    ...passage,
    start: passage.start + start,
    end: passage.start + end,
    text: passage.text.slice(start, end),
    parts:
      passage.parts?.slice(first, last + 1).map((part) => ({
        start: part.start - start,
        end: part.end - start,
        relevance: part.relevance,
      })) ?? null,
  }
}
