// ReDoS: `recheck` decides for each expression of the source whether some input makes it super-linear, by automata
// theory where it can and by guided search elsewhere; no clock is involved in the verdict.
import { readFile } from 'node:fs/promises'
import { checkSync } from 'recheck'
import { expect, test } from 'vitest'
import { catchComposed, readExpressions, type Expression } from './expressions.ts'

/** Super-linear or undecided, and harmless because of what they read: pattern -> why. */
const BOUNDED: Readonly<Record<string, string>> = {
  '<!--[^]*?-->': 'reads the first 4 096 bytes of a page (pages/charset)',
  '<!--[\\s\\S]*?-->\\n*': 'reads our own documentation (dashboard/markdown)',
  '-?[\\d.]+(?:px|r?em|vw|vh)': 'reads 300 characters of a value (extract/styles/declarations)',
  '\\/\\*[^*]*\\*+(?:[^/*][^*]*\\*+)*\\/': 'reads 20 000 characters of a block (extract/styles/declarations)',
  '\\s*!\\s*important$': 'reads 300 characters of a value (extract/styles/declarations)',
  '(?:^|[;\\s])color\\s*:\\s*([^;}!]{3,40}?)\\s*(?:[;}!]|$)':
    'reads the first characters of a block (extract/styles/hiding-values)',
  '\\s+and\\s+': 'reads a media query of bounded length (extract/styles/media-queries)',
  '^\\(\\s*([^()]*?)\\s*\\)$': 'reads a media query of bounded length (extract/styles/media-queries)',
  '\\s*:\\s*': 'reads a media query of bounded length (extract/styles/media-queries)',
  '^(min|max)-(?:device-)?(width|height)\\s*:\\s*(.+)$':
    'reads a media query of bounded length (extract/styles/media-queries)',
  '^(width|height)\\s*(<=|>=|<|>|=)\\s*([^<>=]+)$':
    'reads a media query of bounded length (extract/styles/media-queries)',
  '^([^<>=]+?)\\s*(<=?|>=?)\\s*(width|height)(?:\\s*(<=?|>=?)\\s*([^<>=]+))?$':
    'reads a media query of bounded length (extract/styles/media-queries)',
  '<!--.*?-->': 'reads our own documentation (score/calibrate/own-questions)',
  '<!-- (.+\\?) -->': 'reads our own documentation (dashboard/docs/docs-folder)',
  '^[\\s\\p{P}\\p{S}]+|[\\s\\p{P}\\p{S}]+$': 'reads 60 characters (extract/passages/loose-ends)',
  '[\\s\\p{P}\\p{S}]*[-–—·.:|][\\s\\p{P}\\p{S}]*': 'reads 60 characters (extract/passages/loose-ends)',
  '^```[\\s\\S]*?^```$': 'reads our own documentation (score/calibrate/own-questions)',
  '!?\\[([^\\]]*)\\]\\([^)]*\\)': 'reads our own documentation (score/calibrate/own-questions)',
  '\\[[^\\]]*\\]|:[a-z-]+(?:\\((?:[^()]|\\([^()]*\\))*\\))?':
    'reads 400 characters of a selector (extract/styles/parse-selectors)',
  '\\/\\*[\\s\\S]*?\\*\\/': 'reads 20 000 characters of a prelude (extract/styles/parse-selectors)',
}

/**
 * Modules that put expressions together, and what makes them do so; each must be named here, so that none goes
 * unchecked. A module stands before those that import it: it is loaded once.
 */
const COMPOSING: Readonly<Record<string, () => Promise<unknown>>> = {
  'extract/dates/western-dates.ts': () => import('../../src/extract/dates/western-dates.ts'),
  'extract/dates/parse-date.ts': () => import('../../src/extract/dates/parse-date.ts'),
  'extract/styles/selector-characters.ts': () => import('../../src/extract/styles/selector-characters.ts'),
  'extract/styles/style-sources.ts': () => import('../../src/extract/styles/style-sources.ts'),
  'library/terms.ts': () => import('../../src/library/terms.ts'),
  'score/models/tokens/library-tokenizer.ts': loadTokenizer,
  'score/relevance/answer-kinds.ts': () => import('../../src/score/relevance/answer-kinds.ts'),
  'score/what-is-asked.ts': () => import('../../src/score/what-is-asked.ts'),
  'search/proof/text-fragment.ts': linkToRepeatedWords,
  'search/quotes/citations.ts': () => import('../../src/search/quotes/citations.ts'),
  'search/quotes/parse-quote.ts': () => import('../../src/search/quotes/parse-quote.ts'),
  'search/quotes/quoted-spans.ts': () => import('../../src/search/quotes/quoted-spans.ts'),
}

/** Its special tokens become an expression. */
async function loadTokenizer(): Promise<void> {
  const { loadLibraryTokenizer } = await import('../../src/score/models/tokens/library-tokenizer.ts')
  const file = new URL('../../models/bundled/tokenizer.json', import.meta.url)
  await loadLibraryTokenizer(JSON.parse(await readFile(file, 'utf8')), {})
}

/** Words as a page may hold them to hurt: the pattern made of them repeats itself. */
async function linkToRepeatedWords(): Promise<void> {
  const { createTextFragmentLinks } = await import('../../src/search/proof/text-fragment.ts')
  const text = 'a a a a b (a+)+ a a a a a '.repeat(10)
  createTextFragmentLinks('http://site.example/', text)({ start: 30, end: 200 })
}

/**
 * Steps alone decide, not the library's own clocks: a machine that stands still for a quarter of a second would make an
 * expression look slow. The last limit is for one without an answer; on a busy machine the longest takes 15 s.
 */
const LIMITS = { seedingTimeout: null, incubationTimeout: null, attackTimeout: null, timeout: 120_000 }

function verdict({ place, pattern, flags }: Expression): string | null {
  const checked = checkSync(pattern, flags, LIMITS)
  if (checked.status === 'safe') return null
  const why = checked.status === 'vulnerable' ? checked.complexity.summary : checked.error.kind
  return `${place} /${pattern}/${flags}: ${why}`
}

const isNew = ({ pattern }: Expression): boolean => BOUNDED[pattern] === undefined
const distinct = (expressions: Expression[]): Expression[] => [
  ...new Map(expressions.map((one) => [`${one.pattern}/${one.flags}`, one])).values(),
]

test(
  'no regular expression of the source takes more than linear time for any input',
  { timeout: 900_000 },
  async () => {
    const { literals, composedIn } = readExpressions()
    expect(literals.length).toBeGreaterThan(200)
    expect(composedIn).toEqual(Object.keys(COMPOSING).toSorted())
    const composed: Expression[][] = []
    for (const [place, load] of Object.entries(COMPOSING)) composed.push(await catchComposed(place, load))
    expect(composed.every((expressions) => expressions.length > 0)).toBe(true)
    const found = distinct([...literals, ...composed.flat()])
      .filter(isNew)
      .map(verdict)
    expect(found.filter((line) => line !== null)).toEqual([])
  },
)

test('every exception still stands in the source', () => {
  const patterns = new Set(readExpressions().literals.map(({ pattern }) => pattern))
  for (const pattern of Object.keys(BOUNDED)) expect(patterns).toContain(pattern)
})

test.each(['^(a+)+$', '\\s+$', '(x+x+)+y'])('the check itself finds /%s/', (pattern) => {
  expect(verdict({ place: 'here', pattern, flags: 'u' })).not.toBeNull()
})
