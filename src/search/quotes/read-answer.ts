// What an answer claims of its sources: the quotes in it, each with the sources named for it, and the sentences that
// name a source without quoting it.
import { createSentenceFinder } from '../../extract/passages/sentences.ts'
import type { TextSpan } from '../../score/passage.ts'
import { readableAnswer, withoutMarkup } from './answer-text.ts'
import { findCitations, type Citation, type CitedSource } from './citations.ts'
import { findQuotedSpans, type QuotedSpan } from './quoted-spans.ts'

export interface AnswerClaim extends TextSpan {
  kind: 'quotation' | 'block_quote' | 'statement'
  /** What is said to stand on the page, or to follow from it. */
  text: string
  /** Indexes of the sources named for it; empty when none is. */
  cited: readonly number[]
}

/** Beyond the end of a quote, how far its citation may stand. */
const AFTER_CHARACTERS = 240
const STATEMENT_CHARACTERS_MIN = 20

/** In the order of the answer. Time in proportion to the answer. */
export function readAnswer(answer: string, sources: readonly CitedSource[]): AnswerClaim[] {
  const text = readableAnswer(answer)
  const { citations, definitions } = findCitations(text, sources)
  const sentences = withMarksBehind(text, createSentenceFinder(null)(text), citations)
  const isDefinition = ({ start }: TextSpan): boolean =>
    definitions.some((definition) => start >= definition.start && start < definition.end)
  const quoted = findQuotedSpans(text).filter((span) => !isDefinition(span))
  const quotes = quoted.map(({ kind, start, end, quote }, index): AnswerClaim => {
    const next = quoted[index + 1]?.start ?? text.length
    const previous = quoted[index - 1]?.end ?? 0
    return {
      kind,
      start,
      end,
      text: quote,
      cited: citedFor(text, { kind, start, end }, { previous, next }, citations, sentences),
    }
  })
  const statements = sentences
    .filter((sentence) => !isDefinition(sentence))
    .flatMap((sentence) => besideQuotes(text, sentence, quotes, citations))
    .flatMap((sentence) => statementOf(text, sentence, citations))
  return [...quotes, ...statements].toSorted((left, right) => left.start - right.start)
}

/** "It is tall. [1] It is old. [2]": marks behind a stop are of the sentence before, though they open the next one. */
function withMarksBehind(
  text: string,
  sentences: readonly TextSpan[],
  citations: readonly Citation[],
): TextSpan[] {
  const endOf = new Map(citations.map(({ start, end }) => [start, end]))
  const moved: { start: number; end: number }[] = []
  for (const { start, end } of sentences) {
    const last = moved.at(-1)
    const isOnLine = last !== undefined && !text.slice(last.end, start).includes('\n')
    const marksEnd = isOnLine ? endOfMarks(text, start, endOf) : start
    // "[1] says so": what goes on with a small letter begins with its source.
    if (last === undefined || marksEnd === start || /^\s*\p{Ll}/u.test(text.slice(marksEnd, end)))
      moved.push({ start, end })
    else {
      last.end = marksEnd
      const rest = text.slice(marksEnd, end).trimStart()
      if (rest !== '') moved.push({ start: end - rest.length, end })
    }
  }
  return moved
}

/** Where the marks that begin at `from` end, with the spaces between them. */
function endOfMarks(text: string, from: number, endOf: ReadonlyMap<number, number>): number {
  let end = from
  for (let next = endOf.get(end); next !== undefined;) {
    end = next
    next = endOf.get(text[end] === ' ' ? end + 1 : end)
  }
  return end
}

const overlaps = (left: TextSpan, right: TextSpan): boolean =>
  left.start < right.end && right.start < left.end

/** What a sentence says of sources of its own before its first quote and behind its last, whose sources those are not. */
function besideQuotes(
  text: string,
  sentence: TextSpan,
  quotes: readonly TextSpan[],
  citations: readonly Citation[],
): TextSpan[] {
  const within = quotes.filter((quote) => overlaps(quote, sentence))
  const [first, last] = [within[0], within.at(-1)]
  if (first === undefined || last === undefined)
    return [{ start: startOfOwn(text, sentence, quotes, citations), end: sentence.end }]
  const behind = citations.findIndex(({ start }) => start >= last.end && start <= sentence.end)
  if (behind === -1) return []
  const marksEnd = joinedFrom(text, citations, behind).at(-1)?.end ?? sentence.end
  const before = citations.findLast(({ start, end }) => start >= sentence.start && end <= first.start)
  const isOwn = citations.some(
    ({ start }) => start >= first.end && start < (within[1]?.start ?? sentence.end),
  )
  return [
    ...(before === undefined || !isOwn ? [] : [{ start: sentence.start, end: before.end }]),
    ...(marksEnd < sentence.end ? [{ start: marksEnd, end: sentence.end }] : []),
  ]
}

/** Behind the marks that it begins with where those are of a quote that has just ended: "…end.” ([1]) and nothing more". */
function startOfOwn(
  text: string,
  { start, end }: TextSpan,
  quotes: readonly TextSpan[],
  citations: readonly Citation[],
): number {
  const first = citations.findIndex((citation) => citation.start >= start && citation.end <= end)
  const marks = first === -1 ? [] : joinedFrom(text, citations, first)
  const quote = quotes.findLast((one) => one.end <= start)
  const areOfQuote = quote !== undefined && BEHIND.test(text.slice(quote.end, marks[0]?.start ?? end))
  return areOfQuote ? (marks.at(-1)?.end ?? start) : start
}

/** The citations that follow a quote in its sentence, before the next quote; else those before it. */
function citedFor(
  text: string,
  { kind, start, end }: Pick<QuotedSpan, 'kind' | 'start' | 'end'>,
  { previous, next }: { previous: number; next: number },
  citations: readonly Citation[],
  sentences: readonly TextSpan[],
): readonly number[] {
  const inside = citations.filter((citation) => citation.start >= start && citation.end <= end)
  if (inside.length > 0) return sourcesOf(inside)
  const sentenceEnd = sentences.find((sentence) => sentence.end >= end)?.end ?? end
  const paragraphEnd = text.indexOf('\n\n', end) === -1 ? text.length : text.indexOf('\n\n', end)
  const lineEnd = Math.min(Math.max(sentenceEnd, end), Math.max(end, paragraphEnd))
  const isAlone = kind === 'block_quote' || /^[^\S\n]*\n/u.test(text.slice(end))
  const reach = Math.min(
    next,
    isAlone ? Math.max(lineEnd, attributionEnd(text, end)) : lineEnd,
    end + AFTER_CHARACTERS,
  )
  // Marks stand behind the stop of the sentence as well: "…end." [1]
  const behind = citations.findIndex((citation) => citation.start >= end && !isLabel(text, end, citation))
  const at = citations[behind]?.start
  if (at !== undefined && (at <= reach + 1 || BEHIND.test(text.slice(end, at))))
    return sourcesOf(joinedFrom(text, citations, behind))
  const sentenceStart = sentences.findLast((sentence) => sentence.start <= start)?.start ?? 0
  const from = Math.max(
    Math.min(sentenceStart, lineBefore(text, start)),
    endOfOwnMarks(text, previous, citations),
  )
  return sourcesOf(citations.filter((citation) => citation.start >= from && citation.end <= start))
}

/** Where the marks end that stand right behind a quote that ends at `end`: they are of no other. */
function endOfOwnMarks(text: string, end: number, citations: readonly Citation[]): number {
  const first = citations.findIndex(({ start }) => start >= end)
  const mark = citations[first]
  if (end === 0 || mark === undefined || isLabel(text, end, mark)) return end
  if (!BEHIND.test(text.slice(end, mark.start))) return end
  return joinedFrom(text, citations, first).at(-1)?.end ?? end
}

const sourcesOf = (citations: readonly Citation[]): number[] => [
  ...new Set(citations.flatMap(({ sources }) => sources)),
]

/** What may stand between a quote whose sentence is over and the marks of its sources: signs, but no words. */
const BEHIND = /^[^\p{L}\p{N}]*$/u
const JOINED = /^[\s,;&()–-]{0,8}(?:(?:and|und|et|y|e|i|и|en)\s?\(?)?$/u

/** Marks that follow one another name their sources together: "[1][2]", "[1] and [2]". */
function joinedFrom(text: string, citations: readonly Citation[], first: number): Citation[] {
  const joined: Citation[] = []
  for (const citation of citations.slice(first)) {
    const last = joined.at(-1)
    if (last !== undefined && !JOINED.test(text.slice(last.end, citation.start))) break
    joined.push(citation)
  }
  return joined
}

/** "[2] “…”" on a line of its own below a quote that ends at `end`: a mark of what follows it. */
function isLabel(text: string, end: number, citation: Citation): boolean {
  const isFirst = /\n[^\S\n]*(?:[-*+•][^\S\n]+)?$/u.test(text.slice(end, citation.start))
  return isFirst && /^[^\S\n]*["“„«»「『‘\p{L}]/u.test(text.slice(citation.end))
}

const ATTRIBUTED = /^\s{1,4}(?:(?:—|–|--)[^\n]*|[([（【][^\n]*[)\]）】]\.?(?=\s*\n|$))/u

/** Where the line ends that says below a block quote whose it is: "— Title [1]", "(Source: …)". */
const attributionEnd = (text: string, end: number): number =>
  end + (ATTRIBUTED.exec(text.slice(end, end + AFTER_CHARACTERS))?.[0].length ?? 0)

/** Where the line before that of `at` begins: "As [the report](…) says:" above a block quote. */
function lineBefore(text: string, at: number): number {
  const line = text.slice(0, at).trimEnd()
  return /[:：]$/u.test(line) ? line.lastIndexOf('\n') + 1 : at
}

/** A sentence that names a source; what is said of the source is its text without the marks. */
function statementOf(text: string, sentence: TextSpan, citations: readonly Citation[]): AnswerClaim[] {
  const own = citations.filter(({ start }) => start >= sentence.start && start <= sentence.end + 1)
  if (own.length === 0) return []
  let said = ''
  let at = sentence.start
  for (const citation of own) {
    said += text.slice(at, citation.start)
    const link = /^\[([^\][\n]+)\][([]/u.exec(text.slice(citation.start, citation.end))
    if (link !== null && !/^\d+$/u.test(link[1] ?? '')) said += link[1] ?? ''
    at = Math.max(at, citation.end)
  }
  said += text.slice(at, Math.max(at, sentence.end))
  const claim = withoutMarkup(said)
    .replace(/\s+/gu, ' ')
    .replace(/ ([.,;:!?])/gu, '$1')
    .replace(/^(?:[-*+•]|\d{1,3}[.)]|#{1,6})\s+|^[.,;:]\s+/u, '')
    .trim()
  if (claim.length < STATEMENT_CHARACTERS_MIN && !/[\u3040-\u9fff]{8}/u.test(claim)) return []
  const cited = [...new Set(own.flatMap(({ sources }) => sources))]
  return [{ kind: 'statement', start: sentence.start, end: sentence.end, text: claim, cited }]
}
