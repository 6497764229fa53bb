// Whether two texts tell the same in the same words, as other cuts of one page do: the one then answers what the other does.

/** A text that shares so many words in a row with an answer may answer as well. */
const SHARED_WORDS = 8

const knownRuns = new Map<string, ReadonlySet<string>>()

/** Runs of SHARED_WORDS words; all of a shorter text. */
function runsOf(text: string): ReadonlySet<string> {
  const known = knownRuns.get(text)
  if (known !== undefined) return known
  const words = text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  const count = Math.max(1, words.length - SHARED_WORDS + 1)
  const runs = new Set(Array.from({ length: count }, (_, at) => words.slice(at, at + SHARED_WORDS).join(' ')))
  knownRuns.set(text, runs)
  return runs
}

/** Tells of a text whether it shares a run of words with any of the answers. */
export function sharesWordsWith(answers: readonly string[]): (text: string) => boolean {
  const ofAnswers = new Set(answers.flatMap((text) => [...runsOf(text)]))
  return (text) => {
    for (const run of runsOf(text)) if (ofAnswers.has(run)) return true
    return false
  }
}
