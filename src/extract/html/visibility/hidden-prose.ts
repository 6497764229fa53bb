// What a page keeps back: `<noscript>`, in which a forum or a shop may hold all of its text for those who run no
// scripts, and what it shows only once its scripts have run.
import { decodeText } from '../tag-stream.ts'
import { type HtmlElement, isInside } from '../element-tree.ts'
import type { HtmlRun } from '../text-runs.ts'

/** Letters and digits; less than this is a request to turn scripts on, a counter, or a picture's caption. */
const LEAST_PROSE = 200
/** A page that keeps back this many times what it shows shows it later. */
const FADED_TO_SHOWN = 3
const WITHOUT_TEXT = new Set(['script', 'style', 'iframe', 'svg', 'template', 'textarea', 'select'])
/** Scripts that wrote the page leave the markup of a `<noscript>` as its text. */
const MARKUP = /<\/?[a-z]/i
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/gu

interface Part {
  kind: 'noscript' | 'faded'
  parent: HtmlElement
  prose: number
}

/** What of it is read all the same. */
export interface Revealed {
  /** Numbers of `<noscript>` elements, in the order of the page. */
  readonly noscripts: ReadonlySet<number>
  /** Whether what is transparent or invisible counts as shown. */
  readonly faded: boolean
}

export const NOTHING_REVEALED: Revealed = { noscripts: new Set(), faded: false }

/** Weighs, while the parser runs, the text of elements that are not shown. */
export function createHiddenProse() {
  const parts: Part[] = []
  let noscripts = 0
  let faded = 0
  let scripts = 0
  let open: Part | null = null
  /** Elements open inside it; and inside one of them whose content is no text. */
  let depth = 0
  let silentDepth = 0

  return {
    /** A `<noscript>` opens below `parent`; returns its number. */
    countNoscript: (): number => noscripts++,

    /** An element that is not shown opens below `parent`. */
    open(kind: Part['kind'], parent: HtmlElement): void {
      open = { kind, parent, prose: 0 }
      parts.push(open)
      depth = 1
      silentDepth = 0
    },

    /** An element opens inside it, if one is open. */
    openInside(name: string): void {
      if (name === 'script') scripts++
      if (open === null) return
      depth++
      if (silentDepth === 0 && WITHOUT_TEXT.has(name)) silentDepth = depth
    },

    text(markup: string): void {
      if (open === null || silentDepth > 0) return
      const text = decodeText(markup)
      if (!MARKUP.test(text)) open.prose += proseOf(text)
    },

    /** An element closes inside it, or it does itself. */
    close(): void {
      if (open === null) return
      if (depth === silentDepth) silentDepth = 0
      depth--
      if (depth > 0) return
      if (open.kind === 'faded') faded += open.prose
      open = null
    },

    /** Text inside shown elements that is itself invisible. */
    fadedText(text: string): void {
      faded += proseOf(text)
    },

    /** A script outside of all that is hidden. */
    script(): void {
      scripts++
    },

    /** What the rest of the page, `runs`, is little beside. */
    worthRevealing(runs: readonly HtmlRun[]): Revealed {
      const isRevealed = ({ prose, parent }: Part): boolean =>
        prose >= LEAST_PROSE && prose > proseInside(runs, parent, prose)
      const numbers = parts
        .filter(({ kind }) => kind === 'noscript')
        .flatMap((part, number) => (isRevealed(part) ? [number] : []))
      const isFadedShown =
        scripts > 0 && faded >= LEAST_PROSE && faded >= FADED_TO_SHOWN * proseInside(runs, null, faded)
      return numbers.length === 0 && !isFadedShown
        ? NOTHING_REVEALED
        : { noscripts: new Set(numbers), faded: isFadedShown }
    },
  }
}

const proseOf = (text: string): number => text.match(LETTER_OR_DIGIT)?.length ?? 0

/** Prose of the runs inside `container`, or of all of them; counted up to `most`. */
function proseInside(runs: readonly HtmlRun[], container: HtmlElement | null, most: number): number {
  let prose = 0
  for (const { element, text } of runs) {
    if (prose >= most) break
    if (container === null || isInside(element, container)) prose += proseOf(text)
  }
  return prose
}
