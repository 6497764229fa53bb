// A passage as the scorer is given it: its text, and what stands around it on its page.

/** A stretch of a text: UTF-16 offsets. */
export interface TextSpan {
  start: number
  end: number
}

export interface ScoredPassage {
  text: string
  /** Its sentences, list items, rows or lines, in order; a heading that opens it is none of them. */
  parts?: readonly TextSpan[]
  /** Of the page; '' where it has none. */
  title: string
  /** Headings above the passage, outermost first. */
  headings: readonly string[]
  /** 0..1, the probability that it is content and not navigation or advertising. */
  contentWeight: number
  /** Place on its page, 0 at the top to 1 at the end. */
  place: number
  /** Which page of the pool it stands on, from 0. */
  page: number
}

/** Headings nearest to the passage that are read with it, and what is read of each and of the title. */
const HEADINGS_READ = 2
const HEADING_CHARACTERS = 80
const TITLE_CHARACTERS = 100

/** The line above a passage for a model that reads it: "Title > Section > Subsection"; '' where there is none. */
export function contextLine({ title, headings }: Pick<ScoredPassage, 'title' | 'headings'>): string {
  const nearest = headings.slice(-HEADINGS_READ).map((heading) => heading.slice(0, HEADING_CHARACTERS))
  return [title.slice(0, TITLE_CHARACTERS), ...nearest].filter((part) => part !== '').join(' > ')
}
