// Which elements a person does not see, as far as the markup alone tells: attributes, inline styles, known classes.
// Computed style is the browser loader's part.
import type { TagAttributes } from './tag-attributes.ts'

/** Classes that by wide convention mean "never shown on screen", some of them for screen readers alone. */
const HIDING_CLASSES: ReadonlySet<string> = new Set(
  (
    'sr-only visually-hidden visuallyhidden screen-reader-text screen-reader-only screenreader-only show-for-sr ' +
    'a11y-hidden u-visually-hidden assistive-text is-visually-hidden element-invisible'
  ).split(' '),
)

const STYLE_HIDES = /display\s{0,8}:\s{0,8}none|visibility\s{0,8}:\s{0,8}hidden/i
const LONGEST_STYLE = 2_000

/** True when attributes or inline style leave the element and all in it out of what a person reads. */
export function isConcealed(name: string, attributes: TagAttributes): boolean {
  const hidden = attributes.hidden
  if (hidden !== undefined && hidden !== 'until-found') return true
  if (name === 'dialog' && attributes.open === undefined) return true
  const style = attributes.style
  return style !== undefined && STYLE_HIDES.test(style.slice(0, LONGEST_STYLE))
}

/** True when one of the names, in lower case and parted by white space, is a class that hides by convention. */
export function hasHidingClass(names: string): boolean {
  return names.split(/\s+/).some((word) => HIDING_CLASSES.has(word))
}
