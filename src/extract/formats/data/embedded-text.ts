// What a page says in data for machines. It is read only when the page shows nothing without its scripts.
import type { PageHead } from '../../html/page-head.ts'
import { heading, paragraphs, type WrittenData, written } from './html-writer.ts'
import { addJsonLd } from './json-ld-text.ts'
import { addState } from './state-text.ts'

/**
 * The data as HTML, in the order in which it is to be tried: JSON-LD, the page's state, its description. '' where there
 * is none; JSON that is broken or cut tells nothing.
 */
export function* embeddedTexts(head: PageHead): Generator<WrittenData> {
  yield written(head.jsonLd.map(parsed), addJsonLd)
  yield written(head.state.map(parsed), addState)
  yield { html: describedIn(head), isCut: false }
}

function parsed(script: string): unknown {
  try {
    return JSON.parse(script)
  } catch {
    // A page's author broke it; nobody is to be told, and the page is read as if it had none.
    return null
  }
}

/** The longest of the descriptions that a page gives of itself, under its title. */
function describedIn(head: PageHead): string {
  const descriptions = head.properties.filter(([name]) => DESCRIPTIONS.has(name)).map(([, text]) => text.trim())
  const longest = descriptions.reduce((best, text) => (text.length > best.length ? text : best), '')
  return longest === '' ? '' : heading(1, head.title()) + paragraphs(longest)
}

const DESCRIPTIONS: ReadonlySet<string> = new Set(['description', 'og:description', 'twitter:description'])
