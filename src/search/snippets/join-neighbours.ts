// Neighbours on a page that both seem to answer become one snippet: what is said in two paragraphs is whole in neither.
import { likeliestFirst, type ScoredPassage } from '../rank.ts'

/** Longest snippet made of several passages. */
const JOINED_CHARACTERS_MAX = 1_000
/** A neighbour is joined that is at least this likely, as a share of the passage it is joined to. */
const NEIGHBOUR_SHARE = 0.3
/** White space that may stand between neighbours; nothing else may. */
const GAP_CHARACTERS_MAX = 8

/** Where a page's passages stand beside each other; of those at one place the likeliest. */
interface Neighbourhood {
  startingAt: ReadonlyMap<number, ScoredPassage>
  endingAt: ReadonlyMap<number, ScoredPassage>
}

/**
 * The passages of one page at or above `threshold`, likeliest first, where neighbours of one section that both seem to answer
 * are one: a slice of `text`, the page's whole text, of at most 1,000 UTF-16 units. Its score is the chance that one of them
 * answers, as if they knew nothing of each other, which errs to the low side where only one can.
 */
export function joinNeighbours(
  passages: readonly ScoredPassage[],
  { text, threshold }: { text: string; threshold: number },
): ScoredPassage[] {
  const likeliest = passages.filter(({ relevance }) => relevance >= threshold).toSorted(likeliestFirst)
  const free = new Set(likeliest)
  const beside = neighbourhoodOf(likeliest)
  const joined: ScoredPassage[] = []
  for (const passage of likeliest) {
    if (!free.delete(passage)) continue
    joined.push(grown(passage, { text, beside, free }))
  }
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
function grown(
  passage: ScoredPassage,
  { text, beside, free }: { text: string; beside: Neighbourhood; free: Set<ScoredPassage> },
): ScoredPassage {
  let whole = passage
  for (;;) {
    const { start, end } = whole
    const [next] = [
      beside.startingAt.get(afterWhiteSpace(text, end)),
      beside.endingAt.get(beforeWhiteSpace(text, start)),
    ]
      .filter((neighbour) => neighbour !== undefined)
      .filter((neighbour) => free.has(neighbour) && belongs(neighbour, whole, passage))
      .toSorted((left, right) => right.relevance - left.relevance)
    if (next === undefined) return whole
    free.delete(next)
    whole = next.start < start ? together(next, whole, text) : together(whole, next, text)
  }
}

function belongs(neighbour: ScoredPassage, whole: ScoredPassage, best: ScoredPassage): boolean {
  const [left, right] = neighbour.start < whole.start ? [neighbour, whole] : [whole, neighbour]
  return (
    !right.opensSection &&
    right.end - left.start <= JOINED_CHARACTERS_MAX &&
    neighbour.relevance >= best.relevance * NEIGHBOUR_SHARE &&
    // Told part by part or not, both of them alike.
    (neighbour.parts === null) === (whole.parts === null)
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
