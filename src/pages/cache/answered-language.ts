// Whether a site may have chosen a page's language by its reader's. Many that do name no `Vary`.
import type { Capture } from '../capture.ts'

/** What a page says of its language, it says here. */
const ROOT_CHARACTERS = 4_096
/** What is asked for where nobody asks for a language. */
export const DEFAULT_LANGUAGE = 'en'

/**
 * The language that `capture` was asked for in, when it says that it is in it: others may get another page. Null for one
 * that came in another language, or does not tell: it is the same for all.
 */
export function answeredLanguage(capture: Capture, asked: string = DEFAULT_LANGUAGE): string | null {
  const said = rootLanguage(capture.content) ?? capture.contentLanguage
  const language = primaryOf(asked)
  return said !== null && primaryOf(said) === language ? language : null
}

/** Whether a copy that answered in `answered` may be another page than the one for whoever asks for `asked`. */
export function isOtherAnswer(answered: string | null | undefined, asked: string | undefined): boolean {
  return typeof answered === 'string' && asked !== undefined && primaryOf(asked) !== answered
}

function rootLanguage(content: Capture['content']): string | null {
  if (typeof content !== 'string') return null
  const start = content.slice(0, ROOT_CHARACTERS)
  const at = start.search(/<html\s/iu)
  if (at === -1) return null
  const [tag = ''] = start.slice(at).split('>', 1)
  return /\s(?:xml:)?lang\s{0,9}=\s{0,9}["']?([a-z]{2,8})/iu.exec(tag)?.[1] ?? null
}

const primaryOf = (tag: string): string => tag.trim().split('-', 1)[0]?.toLowerCase() ?? tag
