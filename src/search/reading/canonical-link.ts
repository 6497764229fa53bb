// The address that a page names as its own: <link rel="canonical"> (RFC 6596).
import { readTokens } from '../../extract/markup-tokens.ts'

/** Heads are shorter, and links in a body mean nothing. */
const HEAD_CHARACTERS_MAX = 200_000

/** Absolute; null when the page names none. */
export function readCanonicalLink(html: string, pageUrl: string): string | null {
  let canonical: string | null = null
  let isInHead = true
  readTokens(
    html.slice(0, HEAD_CHARACTERS_MAX),
    { isXml: false },
    {
      open(name, attributes) {
        if (name === 'body') isInHead = false
        if (!isInHead || canonical !== null || name !== 'link') return
        const href = attributes.get('href')?.trim() ?? ''
        const relations = (attributes.get('rel') ?? '').toLowerCase().split(/\s+/u)
        if (href !== '' && relations.includes('canonical') && URL.canParse(href, pageUrl))
          canonical = new URL(href, pageUrl).href
      },
    },
  )
  return canonical
}
