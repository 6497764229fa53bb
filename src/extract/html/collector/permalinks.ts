// Links that a heading has to itself: a sign that most sites show while the pointer rests there, and none of its words.
import { headingLevel } from '../elements.ts'
import { type HtmlElement, someAround } from '../element-tree.ts'
import type { Collector } from './collector.ts'

const SIGN = /^\s*[¶#§∞⚓🔗]\uFE0F?\s*$/u
/** These say so wherever they lead: some go through an index of the site. */
const TELLING_SIGN = /[¶⚓🔗]/u
const LONGEST_SIGN = 8
/** How far around the link its heading is looked for. */
const LEVELS = 4

/** Whether the text is the sign of a link from a heading, or a term, to itself. */
export function isPermalink({ anchors, current }: Collector, text: string): boolean {
  if (anchors.length === 0 || text.length > LONGEST_SIGN || !SIGN.test(text)) return false
  const leadsToPart = anchors.at(-1)?.target.includes('#') ?? false
  return (leadsToPart || TELLING_SIGN.test(text)) && isInHeading(current)
}

const isInHeading = (element: HtmlElement): boolean =>
  someAround(element, LEVELS, ({ name }) => headingLevel(name) > 0 || name === 'dt')
