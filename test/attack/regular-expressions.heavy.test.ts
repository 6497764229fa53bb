// ReDoS: `recheck` decides for each expression of the source whether some input makes it super-linear, by automata
// theory where it can and by guided search elsewhere; no clock is involved in the verdict.
import { checkSync } from 'recheck'
import { expect, test } from 'vitest'
import { catchComposed, readExpressions, type Expression } from './expressions.ts'

const ANSWER = 'reads an answer of at most 20 000 characters, on the reading threads (search/quotes)'

/** Super-linear or undecided, and harmless because of what they read: pattern -> why. */
const BOUNDED: Readonly<Record<string, string>> = {
  '[\\p{Ps}\\p{Pi}"\'¿¡]+$': ANSWER,
  '```[\\s\\S]{0,20000}?(?:```|$)|~~~[\\s\\S]{0,20000}?(?:~~~|$)|`[^`\\n]{1,1000}`|<!--[\\s\\S]{0,2000}?-->|<\\/?[a-z][^<>\\n]{0,500}>':
    ANSWER,
  '\\s*\\n\\s*': ANSWER,
  '\\[\\^?((?:\\d{1,3})(?:\\s*[,;–-]\\s*\\^?\\d{1,3})*)\\](?!\\(|:)|【(\\d{1,3})[^】\\n]{0,40}】|([⁰¹²³⁴-⁹]{1,3})':
    ANSWER,
  '\\[[^\\][\\n]{0,300}\\]\\((https?:\\/\\/[^\\s()]*(?:\\([^\\s()]*\\)[^\\s()]*)*)[^()\\n]{0,200}\\)|<(https?:\\/\\/[^\\s<>]+)>|(?<![(<\\]])(https?:\\/\\/[^\\s<>()[\\]"\'“”«»]+)|\\((https?:\\/\\/[^\\s()]+)\\)':
    ANSWER,
  '^[ \\t]*(?:\\[\\^?([^\\][\\n]{1,60})\\]:?|(\\d{1,3})[.)])[ \\t]+([^\\n]*?)<?(https?:\\/\\/[^\\s<>"\'()]+(?:\\([^\\s()]*\\))?)':
    ANSWER,
  '[.,;:!?]+$': ANSWER,
  '\\s*[.,;:]$': ANSWER,
  '\\n[ \\t>]*(?:[—–-]{1,2}[ \\t]*\\S[^\\n]{0,200}|\\(?\\[[^\\]\\n]{1,200}\\](?:\\([^)\\n]*\\))?\\)?\\.?|(?:source|quelle|fuente|fonte|bron)\\s*:[^\\n]*)[ \\t>\\n]*$':
    ANSWER,
  '(?:\\s*(?:\\[\\^?[\\w, -]{1,40}\\]|【[^】\\n]{1,40}】|[¹²³⁰-⁹]{1,3}|\\(?\\[[^\\]\\n]{1,200}\\]\\([^)\\n]{1,500}\\)\\)?))+\\s*$':
    ANSWER,
  '\\s+([.,;:!?])': ANSWER,
  '<!--[^]*?-->': 'reads the first 4 096 bytes of a page (pages/charset)',
  '<!--[\\s\\S]*?-->\\n*': 'reads our own documentation (dashboard/markdown)',
  '\\s+[|\\-–—•·»«/<>~:]+\\s+|\\s*[|»«]\\s*|:\\s+':
    'reads 2 000 characters of a title, its spaces made one (extract/html/title)',
  '\\s+[|»«·•]\\s+': 'reads 2 000 characters of a title, its spaces made one (extract/html/title)',
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
  '\\[[^\\]]*\\]|:[a-z-]+(?:\\((?:[^()]|\\([^()]*\\))*\\))?':
    'reads 400 characters of a selector (extract/styles/selectors)',
  '\\/\\*[\\s\\S]*?\\*\\/': 'reads 20 000 characters of a prelude (extract/styles/selectors)',
}

/**
 * Rooms that read nothing long, and what bounds it. Of their expressions `recheck` finds some quadratic and does not come to a
 * verdict on others; better to rewrite them and take the room from here.
 */
const BOUNDED_ROOMS: Readonly<Record<string, string>> = {
  'search/highlights/addresses-model.ts': 'reads one passage at a time, cut at 700 characters',
  'search/quotes/parse-quote.ts': 'reads a quote of an answer (search/quotes)',
}

/** Modules that put expressions together, and what makes them do so; each must be named here, so that none goes unchecked. */
const COMPOSING: Readonly<Record<string, () => Promise<unknown>>> = {
  'extract/dates/parse-date.ts': () => import('../../src/extract/dates/parse-date.ts'),
  'extract/styles/style-sources.ts': () => import('../../src/extract/styles/style-sources.ts'),
  'library/terms.ts': () => import('../../src/library/terms.ts'),
  'pages/fetch/script-filter.ts': filterScripts,
  'search/highlights/addresses-model.ts': () => import('../../src/search/highlights/addresses-model.ts'),
  'search/proof/text-fragment.ts': linkToRepeatedWords,
  'search/quotes/parse-quote.ts': () => import('../../src/search/quotes/parse-quote.ts'),
}

/** A page with each element whose text is no markup. */
async function filterScripts(): Promise<void> {
  const { createScriptFilter } = await import('../../src/pages/fetch/script-filter.ts')
  const filter = createScriptFilter(1_000)
  filter.push(Buffer.from('<p>a</p><script>let a = 1</script><style>p{}</style><textarea>b</textarea>'))
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

const isNew = ({ pattern, place }: Expression): boolean =>
  BOUNDED[pattern] === undefined && !Object.keys(BOUNDED_ROOMS).some((room) => place.startsWith(room))
const distinct = (expressions: Expression[]): Expression[] => [
  ...new Map(expressions.map((one) => [`${one.pattern}/${one.flags}`, one])).values(),
]

test(
  'no regular expression of the source takes more than linear time for any input',
  { timeout: 900_000 },
  async () => {
    const { literals, composedIn } = readExpressions()
    expect(literals.length).toBeGreaterThan(200)
    expect(composedIn).toEqual(Object.keys(COMPOSING))
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
