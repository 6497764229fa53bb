// Links that open a page scrolled to a passage and highlight it (WICG Scroll-to-Text-Fragment). Apart from the proof,
// because the rules for quoting text in a URL are their own small subject.

const WORDS_AT_EACH_END = 5
/** Passages shorter than this are quoted whole; longer ones by their first and last words. */
const QUOTED_WHOLE_CHARACTERS = 80

/**
 * `pageUrl` with a `#:~:text=` directive for `passage`, or null when the passage cannot be quoted (no words).
 * The start and the end of a range must each lie within one block element, so neither is taken across a line break.
 */
export function textFragmentUrl(pageUrl: string, passage: string): string | null {
  const lines = passage
    .split(/[\n\t]+/u)
    .map((line) => line.trim())
    .filter((line) => /[\p{L}\p{N}]/u.test(line))
  const [first, last] = [lines[0], lines.at(-1)]
  if (first === undefined || last === undefined || !URL.canParse(pageUrl)) return null
  const directive =
    lines.length === 1 && first.length <= QUOTED_WHOLE_CHARACTERS
      ? encodeTerm(first)
      : `${encodeTerm(firstWords(first))},${encodeTerm(lastWords(last))}`
  const url = new URL(pageUrl)
  const anchor = url.hash === '' ? '#' : url.hash
  url.hash = ''
  return `${url.href}${anchor}:~:text=${directive}`
}

function firstWords(line: string): string {
  return wordSlices(line).slice(0, WORDS_AT_EACH_END).join('').trim()
}

function lastWords(line: string): string {
  return wordSlices(line).slice(-WORDS_AT_EACH_END).join('').trim()
}

/** The line cut after each word; unspaced scripts are cut by the segmenter, since the browser matches whole words. */
function wordSlices(line: string): string[] {
  const slices: string[] = []
  let pending = ''
  for (const { segment, isWordLike } of new Intl.Segmenter(undefined, { granularity: 'word' }).segment(
    line,
  )) {
    if (isWordLike === true && /[\p{L}\p{N}]/u.test(pending)) {
      slices.push(pending)
      pending = ''
    }
    pending += segment
  }
  return [...slices, pending]
}

/** Percent-encodes what a text directive gives a meaning to ("-", ",", "&") besides what every URL needs. */
function encodeTerm(term: string): string {
  return encodeURIComponent(term).replace(/-/gu, '%2D')
}
