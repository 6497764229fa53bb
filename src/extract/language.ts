// The language of a page: what its markup says, unless the text plainly says otherwise; then the header; then the
// text.
import { deu, eng, fra, spa } from 'stopword'
import type { Block, FoundLanguage } from './document.ts'
import { detectAll } from './language-detector.ts'

export interface LanguageEvidence {
  /** `lang` of the root element, '' without one. */
  attribute: string
  /** `Content-Language` as sent, else null. */
  header: string | null
  text: string
  blocks: readonly Block[]
}

/** Enough for the detector; more only costs time. */
const SAMPLE_CHARACTERS = 500
const FEWEST_CHARACTERS = 40
/** Items of lists and menus are shorter, most of them. */
const LEAST_PROSE_CHARACTERS = 80
/** A second one is looked at where the first sounds like nothing. */
const MOST_SAMPLES = 2
/** A shorter text does not contradict the markup. */
const FEWEST_TO_CONTRADICT = 200
/**
 * Where nothing is declared, what is less sure than this is no language: of pieces of English pages of 120 characters the
 * detector takes 92 of a thousand for another language, and so 28 (300: 61 and 30); its first guess decides who sees a page.
 */
const LEAST_SURE = 0.2
/** The detector contradicts the markup only when it is this sure, 0..1. */
const SURE = 0.5
/** …and gives the declared language less than this share of what it gives its first guess; kin share far more. */
const RULED_OUT = 0.03

/**
 * Function words of the languages most pages declare, and the share of a text's words from which on it is plainly
 * written in that language: above what texts of any other language reach (measured on 936 pages). Asking the detector
 * costs more than reading the features of a page.
 */
const PLAIN_LANGUAGE: ReadonlyMap<string, { words: ReadonlySet<string>; leastShare: number }> = new Map([
  ['en', { words: new Set(eng), leastShare: 0.3 }],
  ['de', { words: new Set(deu), leastShare: 0.35 }],
  ['fr', { words: new Set(fra), leastShare: 0.36 }],
  ['es', { words: new Set(spa), leastShare: 0.32 }],
])

/** BCP 47 primary sub-tag of `text`'s language with its source, or null when nothing tells it. */
export function detectLanguage(evidence: LanguageEvidence): FoundLanguage | null {
  const samples = samplesOf(evidence.text, evidence.blocks)
  const [sample = ''] = samples
  const declared =
    named(evidence.attribute, 'attribute') ??
    (evidence.header === null ? null : named(evidence.header, 'header'))
  if (declared !== null && (sample.length < FEWEST_TO_CONTRADICT || isPlainly(declared.code, sample)))
    return declared
  if (declared === null) return languageOfText(samples)
  const heard = hear(sample)
  const best = heard[0]
  if (best === undefined || best.accuracy < SURE || isSame(best.lang, declared.code)) return declared
  // The detector does not know every language: it may contradict only a language it can recognise.
  const own = heard.find(({ lang }) => isSame(lang, declared.code))?.accuracy ?? 0
  const isRuledOut =
    [declared.code, best.lang].every((code) => KNOWN_TO_DETECTOR.has(canonical(code))) &&
    own < best.accuracy * RULED_OUT
  return isRuledOut ? { code: best.lang, source: 'text' } : declared
}

/** What the first text that sounds like a language is plainly written in, else sounds like; null where none does. */
function languageOfText(samples: readonly string[]): FoundLanguage | null {
  for (const sample of samples) {
    if (sample.length < FEWEST_CHARACTERS) continue
    const plain = [...PLAIN_LANGUAGE.keys()].find((code) => isPlainly(code, sample))
    if (plain !== undefined) return { code: plain, source: 'text' }
    const best = hear(sample)[0]
    if (best !== undefined && best.accuracy >= LEAST_SURE) return { code: best.lang, source: 'text' }
  }
  return null
}

/** What the detector says of a text, without the languages that are never written in its letters. */
function hear(sample: string): ReturnType<typeof detectAll> {
  const heard = detectAll(sample)
  const letters = sample.match(/\p{L}/gu)?.length ?? 0
  const latin = sample.match(/\p{Script=Latin}/gu)?.length ?? 0
  return latin > letters / 2 ? heard.filter(({ lang }) => !NEVER_LATIN.has(lang)) : heard
}

const NEVER_LATIN: ReadonlySet<string> = new Set(
  'ru uk be bg mk ar fa ur he yi el hi mr bn pa gu ta te kn ml si th lo km my ka hy am zh ja ko'.split(' '),
)

function isPlainly(code: string, sample: string): boolean {
  const plain = PLAIN_LANGUAGE.get(code)
  if (plain === undefined) return false
  const words = sample.toLowerCase().match(/[\p{L}\p{M}']+/gu) ?? []
  return words.filter((word) => plain.words.has(word)).length >= words.length * plain.leastShare
}

/** The languages it tells so well that both its naming them and its not naming them mean something. */
const KNOWN_TO_DETECTOR: ReadonlySet<string> = new Set(
  'en de fr es it pt nl sv fi pl hu ro ru uk el tr ar he ja ko zh th vi hi bn ta te gu kn hy my km am'.split(
    ' ',
  ),
)

const SAME_LANGUAGE: ReadonlyMap<string, string> = new Map([
  ['nb', 'no'],
  ['nn', 'no'],
  ['iw', 'he'],
  ['in', 'id'],
  ['fil', 'tl'],
  ['cmn', 'zh'],
])
const canonical = (code: string): string => SAME_LANGUAGE.get(code) ?? code
const isSame = (left: string, right: string): boolean => canonical(left) === canonical(right)

/** The first language tag of a `lang` attribute or `Content-Language` header. */
function named(value: string, source: 'attribute' | 'header'): FoundLanguage | null {
  const tag = /^\s{0,20}([a-z]{2,3})(?=[-_,;\s]|$)/i.exec(value)?.[1]
  return tag === undefined || tag.toLowerCase() === 'und' ? null : { code: tag.toLowerCase(), source }
}

/**
 * Texts of the likeliest content, in the order of the page and prose before anything shorter: lists of names and
 * ingredients sound like any language.
 */
function samplesOf(text: string, blocks: readonly Block[]): string[] {
  const [likeliest = '', ...others] = samplesFrom(text, blocks, 0.5)
  return likeliest.length >= FEWEST_CHARACTERS ? [likeliest, ...others] : samplesFrom(text, blocks, 0)
}

const isProse = ({ start, end }: Block): boolean => end - start >= LEAST_PROSE_CHARACTERS

function samplesFrom(text: string, blocks: readonly Block[], leastWeight: number): string[] {
  const likely = blocks.filter(({ kind, contentWeight }) => kind !== 'code' && contentWeight >= leastWeight)
  const ordered = [...likely.filter(isProse), ...likely.filter((block) => !isProse(block))]
  const samples: string[] = []
  let sample = ''
  for (const { start, end } of ordered) {
    sample += `${text.slice(start, Math.min(end, start + SAMPLE_CHARACTERS))} `
    if (sample.length < SAMPLE_CHARACTERS) continue
    if (samples.push(sample) === MOST_SAMPLES) return samples
    sample = ''
  }
  return [...samples, sample]
}
