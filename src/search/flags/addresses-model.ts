// Whether a text gives orders to a language model instead of telling people something: "ignore previous instructions"
// and its kin in many languages. It only flags; the text itself is never changed.
import { fold } from './concept.ts'
import { hasKnownWording } from './known-wordings.ts'
import { ABOUT_ATTACKS } from './overriding.ts'
import { createFinder, type Finder, type Said } from './read-text.ts'
import { RULES, type Rule } from './rules.ts'
import { hasTemplateMarks } from './template-marks.ts'

/** Read in full: passages are shorter, by far. */
const READ_CHARACTERS = 20_000
/** How far apart two concepts may be that are said beside each other. */
const BESIDE_CHARACTERS = 40

/** As long as an order is. */
const QUOTED = /["“„][^"“”„]{8,300}["”“]|«[^«»]{8,300}»|「[^「」]{8,300}」|『[^『』]{8,300}』/gu

/** `text` is a snippet: the time grows with its length, at a few microseconds a character at most. */
export function addressesModel(text: string): boolean {
  const read = withoutExamples(text.slice(0, READ_CHARACTERS))
  const folded = fold(read)
  if (hasTemplateMarks(folded) || hasKnownWording(read)) return true
  const find = createFinder(folded)
  return RULES.some((rule) => isMet(rule, find))
}

/** A page about such attacks quotes them; what it says itself is read. */
function withoutExamples(text: string): string {
  const own = text.replaceAll(QUOTED, '" "')
  if (own.length === text.length) return text
  return createFinder(fold(own))(ABOUT_ATTACKS).length > 0 ? own : text
}

function isMet(rule: Rule, find: Finder): boolean {
  const places: (readonly Said[])[] = []
  for (const part of rule.said) {
    const said = 'placesIn' in part ? find(part) : part.flatMap((one) => find(one))
    if (said.length === 0) return false
    places.push(said)
  }
  const [first = [], second = [], ...others] = places
  const sentences = [second, ...others].map(sentencesOf)
  const excluded = sentencesOf((rule.not ?? []).flatMap((one) => find(one)))
  const near = rule.beside === true ? first.filter((one) => isBesideAny(one, second)) : first
  return windowsOf(near, rule.within).some(
    (window) =>
      sentences.every((own) => window.some((sentence) => own.has(sentence))) &&
      !window.some((sentence) => excluded.has(sentence)),
  )
}

const sentencesOf = (said: readonly Said[]): ReadonlySet<number> =>
  new Set(said.map(({ sentence }) => sentence))

/** Each sentence in which the first concept is said, alone or with the one before it or after it. */
const windowsOf = (said: readonly Said[], within: Rule['within']): number[][] =>
  [...sentencesOf(said)].flatMap((at) =>
    within === 1
      ? [[at]]
      : [
          [at - 1, at],
          [at, at + 1],
        ],
  )

/** `said` is in the order of the text for each concept, yet several concepts may stand in it. */
const isBesideAny = (one: Said, said: readonly Said[]): boolean =>
  said.some(
    (other) => other.start - one.end <= BESIDE_CHARACTERS && one.start - other.end <= BESIDE_CHARACTERS,
  )
