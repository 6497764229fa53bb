// Whether something stands in a page's place: a bot challenge, a wall, a log-in form, a page that says it is none.
import type { PageText } from '../document.ts'
import type { ObstacleKind, ObstacleSigns } from './obstacle.ts'
import { isGarbled } from './garbled-text.ts'
import { type PageSurvey, surveyPage } from './page-survey.ts'
import { BLOCKED } from './signs/blocked.ts'
import { CHALLENGE } from './signs/challenge.ts'
import { CONSENT } from './signs/consent.ts'
import { LOGIN } from './signs/login.ts'
import { NOT_FOUND } from './signs/not-found.ts'
import { PARKED } from './signs/parked.ts'
import { PAYWALL } from './signs/paywall.ts'

/** In the order in which they are believed when several have as many signs. */
const KINDS: readonly ObstacleSigns[] = [CHALLENGE, BLOCKED, PARKED, CONSENT, NOT_FOUND, LOGIN, PAYWALL]

/** Points of a sign. */
const POINTS = {
  title: 1,
  wholeTitle: 1,
  line: 1,
  sentence: 2,
  word: 1,
  markup: 6,
  hint: 1,
  littleProse: 1,
} as const
/** Of one sort of signs so many count. */
const MOST_OF_A_SORT = 4
const FEWEST_POINTS = 3
/** So much more to read asks for one sign more, */
const PROSE_PER_POINT = 500
/** and so much in paragraphs that have nothing to do with the obstacle. */
const OTHER_PROSE_PER_POINT = 100
const MOST_FOR_OTHER_PROSE = 5
const LITTLE_PROSE = 120
const NOT_FOR_FREE = /"isaccessibleforfree"\s{0,3}:\s{0,3}"?false/u

/**
 * What stands in the page's place, or null. `html` is its markup, '' for what has none. Web pages and PDF are looked
 * at: what other files hold is what they are for. Pure, and linear in what it looks at: some thousand characters of the
 * text and the beginning of the markup.
 */
export function recogniseObstacle(
  page: PageText,
  { mediaType, html }: { mediaType: string; html: string },
): ObstacleKind | null {
  const isPrinted = mediaType === 'application/pdf'
  const isWebPage = /^(?:text\/html|application\/xhtml\+xml)$/u.test(mediaType)
  if ((isPrinted || isWebPage) && isGarbled(page.text, { isPrinted })) return 'garbled'
  const survey = isWebPage ? surveyPage(page, html) : null
  if (survey === null) return null
  let best: { kind: ObstacleKind; points: number } | null = null
  for (const signs of KINDS) {
    const points = pointsOf(survey, signs)
    if (points > 0 && points > (best?.points ?? 0)) best = { kind: signs.kind, points }
  }
  return best?.kind ?? null
}

/** Points beyond those that are needed, from 1 on; 0 for too few. */
function pointsOf(survey: PageSurvey, signs: ObstacleSigns): number {
  const { prose, titles, headings, lines, sentences, text, markup } = survey
  if (prose > signs.proseMost || titles.some((title) => startsWithAny(title, signs.titlesAbout))) return 0
  const inTitle = titles.some((title) => startsWithAny(title, signs.headlines))
  const isTitle = titles.some((title) => signs.headlines.includes(title.replace(/[.!?]{1,4}$/u, '')))
  // Every page may have a button to log in.
  const inLine = (signs.kind === 'login' ? headings : lines).some((line) =>
    startsWithAny(line, signs.headlines),
  )
  const opening = count(signs.sentences, (sign) => sentences.some((sentence) => sentence.startsWith(sign)))
  const marked =
    // A page that shows its readers such a mark is about it.
    signs.markup.some((sign) => markup.includes(sign) && !text.includes(sign)) ||
    (text === '' && signs.markupOfEmpty.some((sign) => markup.includes(sign)))
  if (!inTitle && !inLine && opening === 0 && !marked) return 0
  const points =
    (inTitle ? POINTS.title : 0) +
    (isTitle ? POINTS.wholeTitle : 0) +
    (inLine ? POINTS.line : 0) +
    opening * POINTS.sentence +
    count(signs.words, (sign) => text.includes(sign)) * POINTS.word +
    (marked ? POINTS.markup : 0) +
    (hasHint(markup, signs) ? POINTS.hint : 0) +
    (prose < LITTLE_PROSE ? POINTS.littleProse : 0)
  return Math.max(0, points - pointsNeeded(survey, signs) + 1)
}

function pointsNeeded({ prose, paragraphs }: PageSurvey, signs: ObstacleSigns): number {
  if (signs.kind === 'paywall') return FEWEST_POINTS + Math.floor(prose / PROSE_PER_POINT / 2)
  let otherProse = 0
  for (const paragraph of paragraphs)
    if (
      !hasAny(paragraph, signs.sentences) &&
      !hasAny(paragraph, signs.words) &&
      !hasAny(paragraph, signs.headlines)
    )
      otherProse += paragraph.length
  const forOthers = Math.min(MOST_FOR_OTHER_PROSE, Math.floor(otherProse / OTHER_PROSE_PER_POINT))
  return FEWEST_POINTS + Math.floor(prose / PROSE_PER_POINT) + forOthers
}

const hasAny = (text: string, signs: readonly string[]): boolean => signs.some((sign) => text.includes(sign))

const startsWithAny = (text: string, signs: readonly string[]): boolean =>
  signs.some((sign) => text.startsWith(sign))

function count(signs: readonly string[], isThere: (sign: string) => boolean): number {
  let found = 0
  for (const sign of signs) if (found < MOST_OF_A_SORT && isThere(sign)) found++
  return found
}

const hasHint = (markup: string, { kind, markupHints }: ObstacleSigns): boolean =>
  markupHints.some((sign) => markup.includes(sign)) || (kind === 'paywall' && NOT_FOR_FREE.test(markup))
