// Words that hold a question together and say nothing of its subject: "how", "do", "I". Few passages hold the words of
// a question, so rarity alone would take them for its subject.
import * as lists from 'stopword'
import { normalizeText } from './words.ts'

/** What English questions are asked with and the list lacks. */
const ENGLISH_QUESTION_WORDS = ['who', 'when', 'why', 'whose', 'whom', 'does', 'doing', 'there', 'tell']

const LISTS: ReadonlyMap<string, readonly string[]> = new Map([
  ['ar', lists.ara],
  ['bg', lists.bul],
  ['ca', lists.cat],
  ['cs', lists.ces],
  ['da', lists.dan],
  ['de', lists.deu],
  ['el', lists.ell],
  ['en', [...lists.eng, ...ENGLISH_QUESTION_WORDS]],
  ['es', lists.spa],
  ['eu', lists.eus],
  ['fa', lists.fas],
  ['fi', lists.fin],
  ['fr', lists.fra],
  ['ga', lists.gle],
  ['he', lists.heb],
  ['hi', lists.hin],
  ['hr', lists.hrv],
  ['hu', lists.hun],
  ['hy', lists.hye],
  ['id', lists.ind],
  ['it', lists.ita],
  ['lt', lists.lit],
  ['lv', lists.lav],
  ['nl', lists.nld],
  ['no', lists.nob],
  ['pl', lists.pol],
  ['pt', lists.por],
  ['ro', lists.ron],
  ['ru', lists.rus],
  ['sk', lists.slk],
  ['sl', lists.slv],
  ['sv', lists.swe],
  ['sw', lists.swa],
  ['tr', lists.tur],
  ['uk', lists.ukr],
  ['vi', lists.vie],
])

/** Makes the look-up of function words by language (ISO 639-1); a language without a list has none. */
export function createFunctionWords() {
  const sets = new Map<string, ReadonlySet<string>>()
  return {
    forLanguage(language: string): ReadonlySet<string> {
      const known = sets.get(language)
      if (known) return known
      const words = new Set((LISTS.get(language) ?? []).map((word) => normalizeText(word)))
      sets.set(language, words)
      return words
    },
  }
}
