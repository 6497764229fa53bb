// What class names and ids say about an element: "nav", "sidebar", "related", "post-body"… as families of words.
// Apart from the parser, because the lists are data that grow with the web, and every one must stay a linear search.
import { hasHidingClass } from './concealment.ts'

/**
 * One family a line. Plain alternations without repetition, so each test is linear in the length of the names.
 * The position of a family is the position of its bit and of its feature: append, never reorder, without retraining.
 */
const FAMILIES: readonly (readonly [name: string, pattern: RegExp])[] = [
  [
    'navigation',
    /\bnav|menu|breadcrumb|toc\b|table-of-contents|pagination|pager|skip-|tabs?\b|masthead|topbar|toolbar|navbar|dropdown/,
  ],
  ['footer', /foot|copyright|colophon|bottom-|site-info|legal/],
  ['header', /header|banner|hero|top-bar|logo|branding/],
  ['side', /side-?bar|aside|rail\b|widget|secondary|column-?right|right-?col|left-?col/],
  [
    'related',
    /related|recommend|more-|also-|similar|read-?next|trending|popular|most-|up-?next|suggest|teaser|promo|carousel|slider|upsell|cross-?sell|latest|recirc|outbrain|taboola/,
  ],
  ['share', /share|social|follow|facebook|twitter|icons?\b/],
  ['consent', /cookie|consent|gdpr|ccpa|onetrust|privacy|cmp-/],
  ['advert', /\bads?\b|\bad-|advert|sponsor|\bdfp|gpt-|banner-ad|affiliate/],
  [
    'form',
    /subscri|newsletter|sign-?up|sign-?in|log-?in|register|form\b|search|input|field|captcha|checkout|cart\b|basket|wishlist|mini-?cart|filter|facet|sort|refine/,
  ],
  ['modal', /modal|popup|pop-up|overlay|dialog|lightbox|tooltip|toast|drawer|off-?canvas|notification|alert/],
  [
    'meta',
    /meta\b|byline|author|date|time\b|tags?\b|categor|info\b|credit|avatar|bio\b|published|rating|badge|label|eyebrow|kicker/,
  ],
  ['comment', /comment|respond|reply|replies|disqus|discussion/],
  [
    'main',
    /content|article|\bpost\b|post-|entry|\bbody|main|\btext\b|story|prose|markdown|rich-?text|rte\b|wysiwyg|description|\bdesc\b|detail|summary|excerpt|copy\b|mw-parser|documentation|docs?\b/,
  ],
  [
    'item',
    /product|price|spec|feature|sku|variant|item|card|tile|grid|list\b|result|review|faq|accordion|collapse|tab-?pane|panel|question|answer|thread|message|topic/,
  ],
  [
    'concealed',
    /hidden|sr-only|visually-?hidden|screen-?reader|d-none|display-none|invisible|offscreen|a11y|\bhide\b|is-hidden|assistive/,
  ],
]

export const FAMILY_NAMES: readonly string[] = FAMILIES.map(([name]) => name)

const bit = (name: string): number => 1 << FAMILY_NAMES.indexOf(name)

/** Families whose dates are those of other pages or of other people's remarks. */
export const ASIDE_FAMILIES = bit('related') | bit('side') | bit('comment')

/** What the names of an element say, taken together. */
export interface NameFacts {
  /** Bits of FAMILY_NAMES. */
  readonly families: number
  /** They announce a date. */
  readonly date: boolean
  /** They announce a byline, in which a date may stand. */
  readonly byline: boolean
  /** They hide the element by a wide convention. */
  readonly hides: boolean
}

const DATE_NAMES = /date|publi|posted|datum|fecha|entry-meta|created|time|stamp|updated|when/i
const BYLINE_NAMES = /meta|byline|info/i
const LONGEST_NAMES = 300
const NO_NAMES: NameFacts = { families: 0, date: false, byline: false, hides: false }

/**
 * Reads a `class`, `id` and `data-testid`, joined by spaces. Remembers what it read, because names repeat within a
 * page and nothing else in the parser's pass costs as much.
 */
export function createNameReader(): (names: string) => NameFacts {
  const known = new Map<string, NameFacts>()
  return (names) => {
    // Two spaces: none of the three is there.
    if (names.length <= 2) return NO_NAMES
    const seen = known.get(names)
    if (seen !== undefined) return seen
    const text = (names.length > LONGEST_NAMES ? names.slice(0, LONGEST_NAMES) : names).toLowerCase()
    let families = 0
    for (const [index, [, pattern]] of FAMILIES.entries()) if (pattern.test(text)) families |= 1 << index
    const facts = {
      families,
      date: DATE_NAMES.test(text),
      byline: BYLINE_NAMES.test(text),
      hides: hasHidingClass(text),
    }
    known.set(names, facts)
    return facts
  }
}
