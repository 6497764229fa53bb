// Leaves out what stands in the scripts and styles of a long page while it comes in: product pages are megabytes of it,
// and the reader wants none but data (JSON-LD, and the state that Next.js and Nuxt write as JSON) and the first styles.

/** Where a filter stands in the markup (HTML standard, §13.2.5). */
type Place = 'markup' | 'comment' | 'raw text' | Rationed

/** What only so much is kept of. */
type Rationed = 'script' | 'style'

export type MarkupRations = Readonly<Record<Rationed, number>>

interface Progress {
  place: Place
  /** The element whose text is raw, in lower case. */
  element: string
  /** What cannot be told yet: it may be the first half of a tag. */
  pending: string
  /** How many characters of each may still be kept. */
  readonly left: Record<Rationed, number>
}

/** A tag of more than this is taken as it is. */
const TAG_CHARACTERS_MAX = 65_536
/** A comment, a tag, or what is read as a comment up to its first ">". */
const OPENING = /<(?:!--|\/?[a-z][^\s/>]{0,99}|[!?])/giu
/** So much of the end of a piece may be the beginning of one. */
const OPENING_CHARACTERS = 3
/** In these a tag is text. */
const RAW_TEXT = new Set(['<script', '<style', '<textarea', '<title', '<xmp'])
/** Longer than "</" and what follows a name. */
const CLOSING_MARKS = 3
const COMMENT_END = /--!?>/gu
const DATA_TYPE = /\stype\s{0,9}=\s{0,9}["']?[^"'\s>]{0,99}json/iu

/**
 * Takes the bytes of a page of any ASCII-compatible encoding piece by piece, and gives those worth keeping: all but the
 * text of scripts that are no data, and of styles, beyond its first `rations` bytes. The tags stay. Holds no more than a
 * tag back.
 */
export function createMarkupFilter(rations: MarkupRations) {
  const progress: Progress = {
    place: 'markup',
    element: '',
    pending: '',
    left: { ...rations },
  }
  return {
    /** What is worth keeping of the next piece, and of what was held back before it. */
    push({ buffer, byteOffset, length }: Uint8Array): Buffer {
      const parts: string[] = []
      const text = progress.pending + Buffer.from(buffer, byteOffset, length).toString('latin1')
      let at: number | null = 0
      while (at !== null) at = step(progress, text, at, parts)
      return Buffer.from(parts.join(''), 'latin1')
    },

    /** What was held back, when the page has ended. */
    end(): Buffer {
      const parts: string[] = []
      keep(progress, progress.pending, parts)
      return Buffer.from(parts.join(''), 'latin1')
    },
  }
}

function keep({ place, left }: Progress, text: string, parts: string[]): void {
  if (place !== 'script' && place !== 'style') {
    parts.push(text)
    return
  }
  parts.push(text.slice(0, left[place]))
  left[place] = Math.max(0, left[place] - text.length)
}

/** Goes on from `at` to where the place changes; null when all of `text` is used up or held back. */
function step(progress: Progress, text: string, at: number, parts: string[]): number | null {
  if (progress.place === 'markup') return stepInMarkup(progress, text, at, parts)
  const end = endOf(progress, text, at)
  const to = end ?? Math.max(at, text.length - progress.element.length - CLOSING_MARKS)
  keep(progress, text.slice(at, to), parts)
  progress.pending = end === null ? text.slice(to) : ''
  if (end !== null) progress.place = 'markup'
  return end
}

/** Where the comment, the raw text or the script ends: before its closing tag, behind a comment's last mark. */
function endOf({ place, element }: Progress, text: string, at: number): number | null {
  if (place !== 'comment') {
    const closing = new RegExp(`</${element}(?=[\\s/>])`, 'giu')
    closing.lastIndex = at
    return closing.exec(text)?.index ?? null
  }
  COMMENT_END.lastIndex = at
  return COMMENT_END.exec(text) === null ? null : COMMENT_END.lastIndex
}

function stepInMarkup(progress: Progress, text: string, at: number, parts: string[]): number | null {
  OPENING.lastIndex = at
  const found = OPENING.exec(text)
  if (found === null) {
    const to = Math.max(at, text.length - OPENING_CHARACTERS)
    parts.push(text.slice(at, to))
    progress.pending = text.slice(to)
    return null
  }
  const opening = found[0].toLowerCase()
  const tagEnd = endOfOpening(text, found.index, opening)
  if (tagEnd === null && text.length - found.index < TAG_CHARACTERS_MAX) {
    parts.push(text.slice(at, found.index))
    progress.pending = text.slice(found.index)
    return null
  }
  const to = tagEnd ?? found.index + opening.length
  parts.push(text.slice(at, to))
  progress.pending = ''
  progress.element = opening.slice(1)
  if (opening === '<!--') progress.place = 'comment'
  else if (tagEnd !== null && RAW_TEXT.has(opening))
    progress.place = placeInside(opening, text.slice(found.index, to))
  return to
}

function placeInside(opening: string, tag: string): Place {
  if (opening === '<style') return 'style'
  return opening === '<script' && !DATA_TYPE.test(tag) ? 'script' : 'raw text'
}

/** Behind what opens; null when its end is not there yet. "<!-->" is a whole comment: its ends share their marks. */
function endOfOpening(text: string, from: number, opening: string): number | null {
  if (opening === '<!--') return from + 2
  if (opening !== '<!' && opening !== '<?') return endOfTag(text, from)
  // One character more may make it a comment.
  if (text.length < from + '<!--'.length) return null
  const end = text.indexOf('>', from)
  return end === -1 ? null : end + 1
}

/** Behind the ">" that ends the tag; one in a quoted value does not. Null when it is not there yet. */
function endOfTag(text: string, from: number): number | null {
  let quote = ''
  for (let at = from; at < text.length; at++) {
    const character = text.charAt(at)
    if (quote !== '') {
      if (character === quote) quote = ''
    } else if (character === '>') return at + 1
    else if ((character === '"' || character === "'") && /[=\s]/u.test(text.charAt(at - 1))) quote = character
  }
  return null
}
