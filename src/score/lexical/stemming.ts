// Brings the forms of a word together ("treaties", "treaty") in the languages Snowball knows.
import { newStemmer } from 'snowball-stemmers'
import { detect } from 'tinyld'
import { rememberByText } from './text-cache.ts'
import { foldAccents } from './words.ts'

/** Snowball algorithms by ISO 639-1 code. Danish, Norwegian and the like share what they share by their own rules. */
const ALGORITHMS: ReadonlyMap<string, string> = new Map([
  ['ar', 'arabic'],
  ['ca', 'catalan'],
  ['cs', 'czech'],
  ['da', 'danish'],
  ['de', 'german'],
  ['en', 'english'],
  ['es', 'spanish'],
  ['eu', 'basque'],
  ['fi', 'finnish'],
  ['fr', 'french'],
  ['ga', 'irish'],
  ['hu', 'hungarian'],
  ['hy', 'armenian'],
  ['it', 'italian'],
  ['nl', 'dutch'],
  ['no', 'norwegian'],
  ['pt', 'portuguese'],
  ['ro', 'romanian'],
  ['ru', 'russian'],
  ['sl', 'slovene'],
  ['sv', 'swedish'],
  ['ta', 'tamil'],
  ['tr', 'turkish'],
])

/** Stems remembered per language; stemming takes 10 us a word, looking it up 0.1 us. */
const MEMO_WORDS = 50_000
/** Longer runs of letters are no words of a language. */
const STEMMED_LENGTH_MAX = 40

/** The language of a pool is told from this much of its longest passages. */
const SAMPLE_PASSAGES = 4
const SAMPLE_CHARACTERS = 100

export type Stem = (word: string) => string

/** For the languages of pools seen before, some thousand; telling one takes as long as scoring twenty passages. */
const LANGUAGES_BYTES = 1024 * 1024

/** Stemmers are made when first needed and kept, each with its memory of stems. */
export function createStemming() {
  const stems = new Map<string, Stem>()
  const detected = rememberByText((sample) => ({ language: detect(sample) }), {
    maxBytes: LANGUAGES_BYTES,
    bytesOf: () => 0,
  })
  return {
    /**
     * The main language of a pool of texts (ISO 639-1), or '' when it cannot be told. Longest texts first, because a
     * caption tells less than a paragraph; the order of the pool plays no part.
     */
    languageOf: (texts: readonly string[]): string => detected(sampleOf(texts)).language,

    /** The stemmer of a language (ISO 639-1); for one without, only accents are folded. */
    forLanguage(language: string): Stem {
      const known = stems.get(language)
      if (known) return known
      const algorithm = ALGORITHMS.get(language)
      const stem = algorithm === undefined ? foldAccents : createStem(algorithm)
      stems.set(language, stem)
      return stem
    },
  }
}

/** Russian is written with ё or with е in its place; the stemmer knows the endings with е alone. */
function createStem(algorithm: string): Stem {
  const stemmer = newStemmer(algorithm)
  let memo = new Map<string, string>()
  return (word) => {
    const known = memo.get(word)
    if (known !== undefined) return known
    const stem = foldAccents(
      word.length > STEMMED_LENGTH_MAX ? word : stemmer.stem(word.replaceAll('ё', 'е')),
    )
    if (memo.size >= MEMO_WORDS) memo = new Map()
    memo.set(word, stem)
    return stem
  }
}

/** The beginnings of the longest texts; the order of the pool plays no part. */
function sampleOf(texts: readonly string[]): string {
  const longest = texts.toSorted((one, other) => other.length - one.length || (one < other ? -1 : 1))
  return longest
    .slice(0, SAMPLE_PASSAGES)
    .map((text) => text.slice(0, SAMPLE_CHARACTERS))
    .join('\n')
}
