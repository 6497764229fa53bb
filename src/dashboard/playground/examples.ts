// What the playground offers to who does not know what to ask.

/** A page of this documentation, as far as it offers a question. */
interface Asked {
  slug: string
  title: string
  /** What its first section answers; null for one that asks nothing. */
  question: string | null
}

/** Pages of this documentation whose first question a first search answers well: the best passage is the one meant. */
const ANSWERED_BEST = ['api-keys', 'faq', 'errors', 'proof']

/** Titles of the library's newest pages; in place of this documentation's, which ask nothing, questions that it answers. */
export function examplesFor(titles: readonly string[], documentation: readonly Asked[]): string[] {
  const isOurs = titles.every((title) => documentation.some((page) => page.title === title))
  if (!isOurs) return [...titles]
  const questions = ANSWERED_BEST.map((slug) => documentation.find((page) => page.slug === slug)?.question)
  return questions.flatMap((question) => question ?? []).slice(0, titles.length)
}
