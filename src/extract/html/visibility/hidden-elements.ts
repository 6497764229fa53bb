// Which elements a person does not see, as far as attributes and known classes tell. Styles are `styles/`; computed
// style is the browser loader's part.
import type { TagAttributes } from '../tag-attributes.ts'

/** Classes that by wide convention mean "never shown on screen", some of them for screen readers alone. */
const HIDING_CLASSES: ReadonlySet<string> = new Set(
  (
    'sr-only visually-hidden visuallyhidden screen-reader-text screen-reader-only screenreader-only show-for-sr ' +
    'a11y-hidden u-visually-hidden assistive-text is-visually-hidden element-invisible'
  ).split(' '),
)

/**
 * A page that hides itself whole until its scripts have seen that no other page frames it, or that its styles are there:
 * nobody would be shown anything else.
 */
const WHOLE_PAGE: ReadonlySet<string> = new Set(['html', 'body'])

/** True for an element that is seen whatever hides it. */
export const isWholePage = (name: string): boolean => WHOLE_PAGE.has(name)

/** True when attributes leave the element and all in it out of what a person reads, unless a style shows it. */
export function isHiddenByAttribute(name: string, { hidden, open, popover }: TagAttributes): boolean {
  if (hidden !== undefined && hidden !== 'until-found') return true
  if (popover !== undefined && open === undefined) return true
  return name === 'dialog' && open === undefined
}

/** True when one of the names, in lower case and parted by white space, is a class that hides by convention. */
export function hasHidingClass(names: string): boolean {
  return names.split(/\s+/).some((word) => HIDING_CLASSES.has(word))
}

/** Programs that browsers ran in a page once, and no longer do. */
const DEAD_TYPE = /^application\/(?:x-(?:shockwave-flash|silverlight|java)|java-|futuresplash|vnd\.rn-)/i
const DEAD_FILE = /\.(?:swf|xap|class)$/i
/** What a browser makes a frame or a picture of, whether or not there is anything to put in it. */
const SHOWN_TYPE = /^(?:image|text|video|audio)\/|^application\/(?:pdf|xhtml|xml|json)/i

/**
 * Whether an `<object>` shows what stands in it for those who cannot see its data: it has none, or such as no browser
 * shows. That data can be had is taken for granted.
 */
export function showsFallback({ data = '', type = '' }: TagAttributes): boolean {
  if (DEAD_TYPE.test(type.trim())) return true
  const [path = ''] = data.trim().split(/[?#]/, 1)
  return data.trim() === '' ? !SHOWN_TYPE.test(type.trim()) : DEAD_FILE.test(path)
}
