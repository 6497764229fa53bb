// What class names and ids say about an element: "nav", "sidebar", "related", "post-body"… as families of words.
import { hasHidingClass } from '../visibility/hidden-elements.ts'
import type { ElementPattern } from '../element-tree.ts'
import { createWordFinder, type WordLists } from './class-name-matcher.ts'

/**
 * One family a line, in the notation of `createWordFinder`. The position of a family is the position of its bit and of
 * its feature: append, never reorder, without retraining.
 */
const FAMILIES: readonly (readonly [name: string, words: string])[] = [
  [
    'navigation',
    '.nav menu breadcrumb toc. table-of-contents pagination pager skip- tabs?. masthead topbar toolbar navbar dropdown',
  ],
  ['footer', 'foot copyright colophon bottom- site-info legal'],
  ['header', 'header banner hero top-bar logo branding'],
  ['side', 'side-?bar aside rail. widget secondary column-?right right-?col left-?col'],
  [
    'related',
    'related recommend more- also- similar read-?next trending popular most- up-?next suggest teaser promo carousel ' +
      'slider upsell cross-?sell latest recirc outbrain taboola',
  ],
  ['share', 'share social follow facebook twitter icons?.'],
  ['consent', 'cookie consent gdpr ccpa onetrust privacy cmp-'],
  ['advert', '.ads?. .ad- advert sponsor .dfp gpt- banner-ad affiliate'],
  [
    'form',
    'subscri newsletter sign-?up sign-?in log-?in register form. search input field captcha checkout cart. basket ' +
      'wishlist mini-?cart filter facet sort refine',
  ],
  ['modal', 'modal popup pop-up overlay dialog lightbox tooltip toast drawer off-?canvas notification alert'],
  [
    'meta',
    'meta. byline author date time. tags?. categor info. credit avatar bio. published rating badge label eyebrow kicker',
  ],
  ['comment', 'comment respond reply replies disqus discussion'],
  [
    'main',
    'content article .post. post- entry .body main .text. story prose markdown rich-?text rte. wysiwyg description ' +
      '.desc. detail summary excerpt copy. mw-parser documentation docs?.',
  ],
  [
    'item',
    'product price spec feature sku variant item card tile grid list. result review faq accordion collapse tab-?pane ' +
      'panel question answer thread message topic',
  ],
  [
    'concealed',
    'hidden sr-only visually-?hidden screen-?reader d-none display-none invisible offscreen a11y .hide. is-hidden assistive',
  ],
]

export const FAMILY_NAMES: readonly string[] = FAMILIES.map(([name]) => name)

const bit = (name: string): number => 1 << FAMILY_NAMES.indexOf(name)

/** Families whose dates are those of other pages or of other people's remarks. */
export const ASIDE_FAMILIES = bit('related') | bit('side') | bit('comment')

/** What names tell besides families, as bits above theirs. */
export const NAME_CUE = {
  /** They announce a date. */
  date: 1 << 16,
  /** They announce a byline, in which a date may stand. */
  byline: 1 << 17,
  published: 1 << 18,
  modified: 1 << 19,
  /** One of them may hide the element by a wide convention. */
  hides: 1 << 20,
  /** It may hold a formula in MathML. */
  formula: 1 << 21,
  /** It may hold the numbers of lines. */
  lineNumbers: 1 << 22,
  /** It may keep white space, or keep it no longer. */
  keepsLines: 1 << 23,
} as const

const CUES: WordLists = [
  [NAME_CUE.date, 'date publi posted datum fecha entry-meta created time stamp updated when'],
  [NAME_CUE.byline, 'meta byline info'],
  [NAME_CUE.published, 'publi entry-date pubdate created'],
  [NAME_CUE.modified, 'updat modif'],
  [NAME_CUE.hides, 'hidden sr-only for-sr reader invisible assistive'],
  [NAME_CUE.formula, 'mathml'],
  [NAME_CUE.lineNumbers, 'lineno linenum line-num ln-num .ln. .lnt. gutter blob-num'],
  [NAME_CUE.keepsLines, 'whitespace-'],
]

const ALL_FAMILIES = (1 << FAMILIES.length) - 1
const findWords = createWordFinder([
  ...FAMILIES.map(([, words], index) => [1 << index, words] as const),
  ...CUES,
])
/** Longer ones are generated; what is telling stands at their beginning. */
const LONGEST_NAMES = 300

/** The families of names, without the other cues. */
export const familiesOf = (names: number): number => names & ALL_FAMILIES

/**
 * What a `class`, `id` or `data-testid` says: bits of families and of `NAME_CUE`. 0 for an attribute that is not there.
 */
export function readNames(names: string | undefined): number {
  if (names === undefined || names === '') return 0
  const text = names.length > LONGEST_NAMES ? names.slice(0, LONGEST_NAMES) : names
  const bits = findWords(text)
  return (bits & NAME_CUE.hides) === 0 || hasHidingClass(text.toLowerCase()) ? bits : bits & ~NAME_CUE.hides
}

/** What is known of a `class` attribute: classes repeat within a page, ids hardly do. */
export interface KnownClass {
  /** As `readNames` gives it. */
  readonly names: number
  /** By element name. */
  readonly patterns: Map<string, ElementPattern>
}

/** Returns a function that reads a `class` attribute and remembers it. */
export function createClassReader(): (names: string | undefined) => KnownClass {
  const known = new Map<string, KnownClass>()
  return (names = '') => {
    let read = known.get(names)
    if (read === undefined) {
      read = { names: readNames(names), patterns: new Map() }
      known.set(names, read)
    }
    return read
  }
}
