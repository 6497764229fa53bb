// Neighbours on a page that both seem to answer become one snippet: what is said in two paragraphs is whole in neither.
import { likeliestFirst, type ScoredPassage } from '../rank.ts'

/** Longest snippet made of several passages. */
const JOINED_CHARACTERS_MAX = 1_000
/** A neighbour is joined that is at least this likely, as a share of the passage it is joined to… */
const NEIGHBOUR_SHARE = 0.15
/** …and as a share of the likeliest passage of the answer that is not among them, whose place it would take. */
const RIVAL_SHARE = 0.2
/** White space that may stand between neighbours; nothing else may. */
const GAP_CHARACTERS_MAX = 8

/** Where a page's passages stand beside each other; of those at one place the likeliest. */
interface Neighbourhood {
  startingAt: ReadonlyMap<number, ScoredPassage>
  endingAt: ReadonlyMap<number, ScoredPassage>
}

export interface JoinOptions {
  /** The page's whole text. */
  text: string
  /** Least likelihood of what is joined or kept, 0..1. */
  threshold: number
  /** Of the likeliest passage of the answer's other pages, 0..1. */
  likeliestElsewhere: number
}

/** What a passage's neighbours are chosen by. */
interface Page extends JoinOptions {
  likeliest: readonly ScoredPassage[]
  beside: Neighbourhood
  free: Set<ScoredPassage>
}

/**
 * The passages of one page at or above `threshold`, likeliest first, where neighbours of one section that both seem to answer
 * are one: a slice of `text` of at most 1,000 UTF-16 units. Its score is the chance that one of them
 * answers, as if they knew nothing of each other, which errs to the low side where only one can.
 */
export function joinNeighbours(passages: readonly ScoredPassage[], options: JoinOptions): ScoredPassage[] {
  const likeliest = passages
    .filter(({ relevance }) => relevance >= options.threshold)
    .toSorted(likeliestFirst)
  const free = new Set(likeliest)
  const page = { ...options, likeliest, free, beside: neighbourhoodOf(likeliest) }
  const joined: ScoredPassage[] = []
  for (const passage of likeliest) if (free.delete(passage)) joined.push(grown(passage, page))
  return joined.toSorted(likeliestFirst)
}

function neighbourhoodOf(likeliest: readonly ScoredPassage[]): Neighbourhood {
  const reversed = likeliest.toReversed()
  return {
    startingAt: new Map(reversed.map((passage) => [passage.start, passage])),
    endingAt: new Map(reversed.map((passage) => [passage.end, passage])),
  }
}

/** A passage with the neighbours that are joined to it, which are free no more. */
function grown(passage: ScoredPassage, page: Page): ScoredPassage {
  const { text, beside, free } = page
  let whole = passage
  for (;;) {
    const { start, end } = whole
    const [next] = [
      beside.startingAt.get(afterWhiteSpace(text, end)),
      beside.endingAt.get(beforeWhiteSpace(text, start)),
    ]
      .filter((neighbour) => neighbour !== undefined)
      .filter((neighbour) => free.has(neighbour) && fits(neighbour, whole))
      .filter((neighbour) => isLikelyEnough(neighbour, whole, passage, page))
      .toSorted((left, right) => right.relevance - left.relevance)
    if (next === undefined) return whole
    free.delete(next)
    whole = next.start < start ? together(next, whole, text) : together(whole, next, text)
  }
}

const inOrder = (one: ScoredPassage, other: ScoredPassage): [ScoredPassage, ScoredPassage] =>
  one.start < other.start ? [one, other] : [other, one]

function fits(neighbour: ScoredPassage, whole: ScoredPassage): boolean {
  const [left, right] = inOrder(neighbour, whole)
  return (
    !right.opensSection &&
    right.end - left.start <= JOINED_CHARACTERS_MAX &&
    // Told part by part or not, both of them alike.
    (neighbour.parts === null) === (whole.parts === null)
  )
}

function isLikelyEnough(
  neighbour: ScoredPassage,
  whole: ScoredPassage,
  best: ScoredPassage,
  { likeliest, likeliestElsewhere }: Page,
): boolean {
  const [left, right] = inOrder(neighbour, whole)
  const rival = likeliest.find(({ start, end }) => end <= left.start || start >= right.end)
  return (
    neighbour.relevance >= best.relevance * NEIGHBOUR_SHARE &&
    neighbour.relevance >= Math.max(likeliestElsewhere, rival?.relevance ?? 0) * RIVAL_SHARE
  )
}

function afterWhiteSpace(text: string, end: number): number {
  let at = end
  while (at < end + GAP_CHARACTERS_MAX && /\s/u.test(text.charAt(at))) at += 1
  return at
}

function beforeWhiteSpace(text: string, start: number): number {
  let at = start
  while (at > start - GAP_CHARACTERS_MAX && /\s/u.test(text.charAt(at - 1))) at -= 1
  return at
}

function together(left: ScoredPassage, right: ScoredPassage, text: string): ScoredPassage {
  const likelier = left.relevance >= right.relevance ? left : right
  const offset = right.start - left.start
  return {
    start: left.start,
    end: right.end,
    text: text.slice(left.start, right.end),
    headings: left.headings,
    opensSection: left.opensSection,
    relevance: 1 - (1 - left.relevance) * (1 - right.relevance),
    scoredBy: likelier.scoredBy,
    parts:
      left.parts === null || right.parts === null
        ? null
        : [
            ...left.parts,
            ...right.parts.map((part) => ({ ...part, start: part.start + offset, end: part.end + offset })),
          ],
  }
}
