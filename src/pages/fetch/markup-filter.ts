// Leaves out what stands in the scripts and styles of a long page: product pages are megabytes of it, and the reader
// wants none but data (JSON-LD, and the state that Next.js and Nuxt write as JSON) and the first styles.
// Every byte is looked at once, however a site has written or cut its page.
import {
  APOSTROPHE,
  BANG,
  DASH,
  EQUALS,
  GREATER,
  LESS,
  QUESTION,
  QUOTE,
  SLASH,
  endsName,
  isLetter,
  isSpace,
  latin1,
  mayEnd,
} from './markup-bytes.ts'

/** What only so much is kept of. */
type Rationed = 'script' | 'style'

export type MarkupRations = Readonly<Record<Rationed, number>>

/** Where a filter stands in the markup (HTML standard, §13.2.5). */
type Place =
  | 'text'
  | 'behind <'
  | 'behind </'
  | 'behind <!'
  | 'name'
  | 'tag'
  | 'declaration'
  | 'comment'
  | 'raw text'

interface Progress {
  place: Place
  /** The tag's name in lower case, where it may be one of `RAW_TEXT`; else empty. */
  name: string
  /** The mark that ends an attribute's value; 0 outside of values in quotes. */
  quote: number
  /** The byte before, inside a tag. */
  previous: number
  /** What stands behind the name of a script's tag. */
  attributes: string
  /** How much of what may end a comment stands just before: 1 for "-", 2 for "--", 3 for "--!". */
  dashes: number
  /** Whose text the raw text is, where only so much is kept of it. */
  rationed: Rationed | null
  /** How many bytes of each may still be kept. */
  readonly left: Record<Rationed, number>
  /** What is kept of the piece so far, and up to where it has been decided. */
  parts: Uint8Array[]
  decidedTo: number
  /** The end of a piece that may be the first half of an end tag. */
  pending: Uint8Array
}

/** Goes on from `from` to where the place changes, or to the end of the piece; the answer is how far it came. */
type Step = (progress: Progress, piece: Uint8Array, from: number) => number

/** In these a tag is text. */
const RAW_TEXT = new Set(['script', 'style', 'textarea', 'title', 'xmp'])
const RAW_TEXT_INITIALS = new Set(Buffer.from('STXstx'))
/** More than the longest of them has. */
const NAME_CHARACTERS_MAX = 9
/** A script says within so many that it is data. */
const ATTRIBUTES_CHARACTERS_MAX = 2_000
const DATA_TYPE = /\stype\s{0,9}=\s{0,9}["']?[^"'\s>]{0,99}json/iu

/**
 * Takes the bytes of a page of any ASCII-compatible encoding piece by piece, and gives those worth keeping: all but the
 * text of scripts that are no data, and of styles, beyond its first `rations` bytes. The tags stay. Holds no more than a
 * name back.
 */
export function createMarkupFilter(rations: MarkupRations) {
  const progress: Progress = {
    place: 'text',
    name: '',
    quote: 0,
    previous: 0,
    attributes: '',
    dashes: 0,
    rationed: null,
    left: { ...rations },
    parts: [],
    decidedTo: 0,
    pending: new Uint8Array(0),
  }
  const keep = (piece: Uint8Array, to: number): Buffer => {
    const kept = Buffer.concat([...progress.parts.splice(0), piece.subarray(progress.decidedTo, to)])
    progress.decidedTo = 0
    return kept
  }
  return {
    /** What is worth keeping of the next piece, and of what was held back before it. */
    push(next: Uint8Array): Buffer {
      const piece = progress.pending.length === 0 ? next : Buffer.concat([progress.pending, next])
      progress.pending = piece.subarray(piece.length)
      let at = 0
      while (at < piece.length) at = STEPS[progress.place](progress, piece, at)
      return keep(piece, piece.length - progress.pending.length)
    },

    /** What was held back, when the page has ended. */
    end(): Buffer {
      const { pending } = progress
      leaveOut(progress, pending, 0, pending.length)
      return keep(pending, pending.length)
    },
  }
}

const STEPS: Readonly<Record<Place, Step>> = {
  text: (progress, piece, from) => goBehind(LESS, 'behind <', progress, piece, from),

  'behind <'(progress, piece, at) {
    const byte = piece[at] ?? 0
    if (isLetter(byte)) return enterTag(progress, RAW_TEXT_INITIALS.has(byte) ? 'name' : 'tag', at)
    if (byte === SLASH) progress.place = 'behind </'
    else if (byte === BANG) Object.assign(progress, { place: 'behind <!', dashes: 0 })
    else progress.place = byte === QUESTION ? 'declaration' : 'text'
    return progress.place === 'text' ? at : at + 1
  },

  'behind </'(progress, piece, at) {
    if (isLetter(piece[at] ?? 0)) return enterTag(progress, 'tag', at)
    progress.place = 'declaration'
    return at
  },

  /** A comment when two dashes follow; they may be those of its end as well. */
  'behind <!'(progress, piece, at) {
    if (piece[at] !== DASH) {
      progress.place = 'declaration'
      return at
    }
    progress.dashes += 1
    if (progress.dashes === 2) progress.place = 'comment'
    return at + 1
  },

  declaration: (progress, piece, from) => goBehind(GREATER, 'text', progress, piece, from),

  comment(progress, piece, from) {
    let at = from
    while (at < piece.length && progress.place === 'comment') {
      const byte = piece[at] ?? 0
      if (byte === GREATER && progress.dashes >= 2) progress.place = 'text'
      else if (byte === DASH) progress.dashes = progress.dashes === 1 || progress.dashes === 2 ? 2 : 1
      else progress.dashes = byte === BANG && progress.dashes === 2 ? 3 : 0
      at += 1
    }
    return at
  },

  name(progress, piece, from) {
    let at = from
    while (at < piece.length && !endsName(piece[at] ?? 0) && progress.name.length <= NAME_CHARACTERS_MAX) {
      progress.name += String.fromCharCode(piece[at] ?? 0).toLowerCase()
      at += 1
    }
    if (at < piece.length) progress.place = 'tag'
    return at
  },

  tag(progress, piece, from) {
    const end = endOfTag(progress, piece, from)
    const to = end ?? piece.length
    if (progress.name === 'script' && progress.attributes.length < ATTRIBUTES_CHARACTERS_MAX)
      progress.attributes += latin1(piece, from, Math.min(to, from + ATTRIBUTES_CHARACTERS_MAX))
    if (end !== null) {
      progress.place = RAW_TEXT.has(progress.name) ? 'raw text' : 'text'
      progress.rationed = rationedIn(progress)
    }
    return to
  },

  'raw text'(progress, piece, from) {
    let at = from
    while (at < piece.length && !mayEnd(progress.name, piece, at)) at += 1
    if (at < piece.length) {
      if (at + '</'.length + progress.name.length < piece.length) progress.place = 'text'
      else progress.pending = piece.subarray(at)
    }
    leaveOut(progress, piece, from, at)
    return progress.place === 'text' ? at : piece.length
  },
}

function rationedIn({ name, attributes }: Progress): Rationed | null {
  if (name === 'style') return 'style'
  return name === 'script' && !DATA_TYPE.test(attributes) ? 'script' : null
}

/** Behind the next `mark`, where the place changes. */
function goBehind(mark: number, place: Place, progress: Progress, piece: Uint8Array, from: number): number {
  let at = from
  while (at < piece.length && piece[at] !== mark) at += 1
  if (at < piece.length) progress.place = place
  return at + 1
}

function enterTag(progress: Progress, place: 'name' | 'tag', at: number): number {
  // One by one, because this runs for millions of tags: an object of them costs half of all.
  progress.place = place
  progress.name = ''
  progress.quote = 0
  progress.previous = 0
  progress.attributes = ''
  return at
}

/** Behind the ">" that ends the tag; one in a quoted value does not. Null when it is not there yet. */
function endOfTag(progress: Progress, piece: Uint8Array, from: number): number | null {
  let { quote, previous } = progress
  let at = from
  while (at < piece.length && (quote !== 0 || piece[at] !== GREATER)) {
    const byte = piece[at] ?? 0
    if (quote !== 0) quote = byte === quote ? 0 : quote
    else if ((byte === QUOTE || byte === APOSTROPHE) && (previous === EQUALS || isSpace(previous)))
      quote = byte
    previous = byte
    at += 1
  }
  progress.quote = quote
  progress.previous = previous
  return at < piece.length ? at + 1 : null
}

/** Keeps of raw text what there is still room for, where only so much is kept of it. */
function leaveOut(progress: Progress, piece: Uint8Array, from: number, to: number): void {
  const { rationed, left } = progress
  if (rationed === null) return
  const kept = Math.min(left[rationed], to - from)
  left[rationed] -= kept
  if (kept === to - from) return
  progress.parts.push(piece.subarray(progress.decidedTo, from + kept))
  progress.decidedTo = to
}
