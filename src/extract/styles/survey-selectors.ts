// Looks over the selectors of a style sheet without reading them: what they are of, and which names they speak of.
import {
  BRACKET,
  COLON,
  COMMA,
  DOT,
  endOfName,
  GREATER,
  HASH,
  PARENTHESIS,
  PLUS,
  TILDE,
  unescaped,
} from './selector-characters.ts'
import type { SubjectKey } from './selectors.ts'

/** A scope whose names are judged, as `parseSelectors` judges them. */
const SCOPED_HERE = /(:(?:where|is)\()(?:[.#][\w-]+)+\)/y

/**
 * Looks a list of selectors over without reading it: tells each subject's key, and every class and id that is spoken of,
 * without escapes. Linear.
 */
export function surveySelectors(
  css: string,
  from: number,
  to: number,
  { onSubject, onWord }: { onSubject: (key: SubjectKey) => void; onWord: (word: string) => void },
): void {
  let key = ''
  for (let at = from; at < to;) {
    const code = css.charCodeAt(at)
    if (code === COMMA) {
      onSubject(key === '' ? '*' : key)
      key = ''
      at++
    } else if (code === DOT || code === HASH) {
      const end = endOfName(css, at + 1, to)
      const word = unescaped(css.slice(at + 1, end))
      onWord(word)
      if (code === HASH) key = `#${word}`
      else if (!key.startsWith('#') && !key.startsWith('.')) key = `.${word}`
      at = Math.max(end, at + 1)
    } else if (code === PARENTHESIS || code === BRACKET) {
      const rest = css.slice(at, to)
      const close = rest.indexOf(code === BRACKET ? ']' : ')')
      for (const [, word = ''] of (close === -1 ? rest : rest.slice(0, close)).matchAll(/[.#]([\w-]+)/g))
        onWord(word)
      at = close === -1 ? to : at + close + 1
    } else if (code <= 32 || code === GREATER || code === PLUS || code === TILDE) {
      const next = afterBlank(css, at, to)
      // White space may be all that is left of the selector.
      if (next < to && css.charCodeAt(next) !== COMMA) key = ''
      at = Math.max(next, at + 1)
    } else if (code === COLON) at = insideScope(css, at) ?? Math.max(endOfName(css, at + 1, to), at + 1)
    else {
      const end = endOfName(css, at, to)
      if (key === '' && end > at) key = css.slice(at, end).toLowerCase()
      at = Math.max(end, at + 1)
    }
  }
  onSubject(key === '' ? '*' : key)
}

/** Where the names in a `:where(…)` or `:is(…)` at `at` begin; null for one that is not judged by them. */
function insideScope(css: string, at: number): number | null {
  SCOPED_HERE.lastIndex = at
  const opening = SCOPED_HERE.exec(css)?.[1]
  return opening === undefined ? null : at + opening.length
}

function afterBlank(css: string, from: number, to: number): number {
  let at = from
  while (at < to && css.charCodeAt(at) <= 32) at++
  return at
}
