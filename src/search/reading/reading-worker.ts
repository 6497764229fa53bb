// Where pages are worked on: a thread or, for PDF, a process. Parsing takes longer than the serving thread may be kept
// from its work. Several pages take turns on a thread, since reading gives it back every few milliseconds; a huge page
// holds up none.
import { createHash } from 'node:crypto'
import { type PageText, UnreadableError } from '../../extract/document.ts'
import { withoutConsentDialogs } from '../../extract/obstacles/consent-dialogs.ts'
import { OBSTACLE_SENTENCES } from '../../extract/obstacles/obstacle.ts'
import { recogniseObstacle } from '../../extract/obstacles/recognise-obstacle.ts'
import { cutPassages } from '../../extract/passages/cut-passages.ts'
import { readPage, type PageInput } from '../../extract/read-page.ts'
import { assessRendering, type RenderingNeed } from '../../extract/classify/rendering-need.ts'
import { contentWeightLeast } from '../../extract/classify/working-point.ts'
import { TimeLimitError } from '../../concurrency/deadline.ts'
import { serveTasks } from '../../concurrency/serve-tasks.ts'
import { yieldToServing } from '../../concurrency/worker-thread.ts'
import { sketchOf } from '../copies/sketch.ts'
import { createQuoteFinder, type QuotePlace } from '../proof/find-quote.ts'
import { createStandings, type Standing } from '../quotes/standing.ts'
import type { CaptureDigest } from '../proof/proof-store.ts'
import { createTextFragmentLinks, type TextSpan } from '../proof/text-fragment.ts'
import { checkAnswer, type AnswerSource, type CheckedClaim } from '../quotes/check-answer.ts'
import type { PageNotation, PagePassage, ReadResult } from '../gather-page.ts'
import type { EncodedPage } from '../../pages/fetch/decode-page.ts'
import { readCanonicalLink } from './canonical-link.ts'

/** What takes time in proportion to a page. */
export type ReadingTask =
  | ReadTask
  /** Decode what came of a long page. */
  | ({ kind: 'decode' } & EncodedPage)
  /** Say whether the markup is enough to be read. */
  | { kind: 'assess'; html: string; url: string }
  /** Links that open the page at each span of its text. */
  | { kind: 'link'; url: string; text: string; spans: readonly TextSpan[] }
  /** Whether and where each quote stands in the text. */
  | { kind: 'find'; text: string; quotes: readonly string[] }
  /** Cut plain texts, each into at most `limit` passages. */
  | { kind: 'cut'; texts: readonly string[]; limit: number }
  /** What has become of quotes since the page was read before. */
  | { kind: 'recheck'; before: string; now: string; quotes: readonly string[] }
  /** What of an answer its sources bear out. */
  | { kind: 'check'; answer: string; sources: readonly AnswerSource[]; limit: number }

interface ReadTask {
  kind: 'read'
  input: PageInput
  overlap: boolean
  /** Most passages to cut. */
  limit: number
  /** Epoch milliseconds after which nobody waits for the page any more. */
  deadlineMs: number
  notation?: PageNotation
  /** SHA-256 of a page that is read already, and would be read in the same way; null for none. */
  knownSha256: string | null
}

/** Passages come without their text: it is a slice of the page's, and need not travel twice. */
export type ReadingResult =
  | (Omit<ReadResult, 'passages'> & { kind: 'read'; passages: Omit<PagePassage, 'text'>[] })
  /** It is the page that is known. */
  | { kind: 'unchanged' }
  /** Time was up before anything was read. */
  | { kind: 'late' }
  | { kind: 'unreadable'; code: UnreadableError['code']; message: string }
  | { kind: 'decoded'; text: string }
  | { kind: 'assessed'; verdict: RenderingNeed['verdict'] }
  | { kind: 'linked'; links: (string | null)[] }
  | { kind: 'rechecked'; standings: (Standing | null)[] }
  | { kind: 'found'; places: QuotePlace[] }
  | { kind: 'cut'; pieces: string[][] }
  | { kind: 'checked'; claims: CheckedClaim[] }

/**
 * What is left of a PDF's time when it is enough: laying its lines out and cutting them takes about as long as reading.
 */
const PDF_TIME_SHARE = 0.5

async function read(task: ReadTask, signal: AbortSignal): Promise<ReadingResult> {
  const { input, overlap, limit, deadlineMs } = task
  const untilMs = Date.now() + (deadlineMs - Date.now()) * PDF_TIME_SHARE
  try {
    // Before the page is read: what reads a PDF takes its bytes away.
    const captureDigest = digestOf(input.content)
    if (captureDigest.sha256 === task.knownSha256) return { kind: 'unchanged' }
    const whole = await readPage({ ...input, untilMs }, signal)
    const isPaywalled = isBehindPaywall(whole, input)
    const { blocks: _blocks, ...page } = whole
    const pieces = cutPassages(whole, { overlap, limit: limit + 1 })
    const passages = withoutConsentDialogs(whole.title, pieces)
    return {
      kind: 'read',
      page,
      canonicalUrl: typeof input.content === 'string' ? readCanonicalLink(input.content, input.url) : null,
      passages: passages.slice(0, limit).map(({ text: _text, ...passage }) => passage),
      truncated: pieces.length > limit || page.isCut,
      sketch: sketchOf(whole),
      ...(isPaywalled ? { isPaywalled } : {}),
      captureDigest,
      ...(task.notation === undefined ? {} : { written: await writePage(whole, task.notation) }),
    }
  } catch (error) {
    if (error instanceof UnreadableError)
      return { kind: 'unreadable', code: error.code, message: error.message }
    if (error instanceof TimeLimitError) return { kind: 'late' }
    throw error
  }
}

function digestOf(content: string | Uint8Array): CaptureDigest {
  const bytes = typeof content === 'string' ? Buffer.from(content, 'utf8') : content
  return { sha256: createHash('sha256').update(bytes).digest('hex'), bytes: bytes.length }
}

/**
 * Whether the rest of the page is for subscribers.
 * @throws {UnreadableError} when something stands in the page's place: a challenge, a wall, a form to log in with.
 */
function isBehindPaywall(page: PageText, { content, mediaType }: PageInput): boolean {
  const obstacle = recogniseObstacle(page, { mediaType, html: typeof content === 'string' ? content : '' })
  if (obstacle === null || obstacle === 'paywall') return obstacle !== null
  throw new UnreadableError(obstacle, OBSTACLE_SENTENCES[obstacle])
}

/** What writes pages is loaded with the first that is wanted so: two hundred modules, which no search needs. */
const loadWriter = async (notation: PageNotation) =>
  notation === 'html'
    ? (await import('../../extract/markup/to-html.ts')).toHtml
    : (await import('../../extract/markup/to-markdown.ts')).toMarkdown

/** Without navigation and its like; a page of nothing else is written whole. */
async function writePage(page: PageText, notation: PageNotation): Promise<string> {
  const write = await loadWriter(notation)
  const content = write(page, { contentWeightLeast: contentWeightLeast(page.blocks) })
  return content.trim() === '' ? write(page, { contentWeightLeast: 0 }) : content
}

/**
 * Passages of a text that is no page: without an address, a title or dates. A text that cannot be cut is its own piece.
 */
async function cut(text: string, limit: number, signal: AbortSignal): Promise<string[]> {
  const origin = { url: 'about:blank', lastModified: null, contentLanguage: null, now: new Date() }
  const page = await readPage({ ...origin, mediaType: 'text/plain', content: text }, signal)
  const passages = cutPassages(page, { overlap: false, limit })
  return passages.length === 0 ? [text] : passages.map((passage) => passage.text)
}

async function cutAll(texts: readonly string[], limit: number, signal: AbortSignal): Promise<string[][]> {
  const pieces: string[][] = []
  for (const text of texts) pieces.push(await cut(text, limit, signal))
  return pieces
}

/** What decodes is loaded with the first long page. */
const loadDecoder = async () => (await import('../../pages/fetch/decode-page.ts')).decodeLongPage

async function perform(task: ReadingTask, signal: AbortSignal): Promise<ReadingResult> {
  if (task.kind === 'read') return read(task, signal)
  if (task.kind === 'decode') return { kind: 'decoded', text: await (await loadDecoder())(task, signal) }
  if (task.kind === 'assess')
    return { kind: 'assessed', verdict: (await assessRendering(task.html, task.url, signal)).verdict }
  if (task.kind === 'link')
    return { kind: 'linked', links: task.spans.map(createTextFragmentLinks(task.url, task.text)) }
  if (task.kind === 'cut') return { kind: 'cut', pieces: await cutAll(task.texts, task.limit, signal) }
  if (task.kind === 'check')
    return { kind: 'checked', claims: checkAnswer(task.answer, task.sources, task.limit) }
  if (task.kind === 'recheck')
    return { kind: 'rechecked', standings: task.quotes.map(createStandings(task.before, task.now)) }
  return { kind: 'found', places: task.quotes.map(createQuoteFinder(task.text)) }
}

yieldToServing()
serveTasks(perform)
