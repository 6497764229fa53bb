// What stands at the ends of a passage by chance: labels of advertisements, and a short heading with nothing below it.
import type { Group } from './pack-units.ts'
import type { Unit } from './page-units.ts'
import { weighedLength } from './spans.ts'

const LONGEST_LABEL = 60
/** What is written over an advertisement, in the languages in which it was met. */
const LABEL =
  /^(?:advertise?ment|advertising|anzeigen?|werbung|publicit(?:é|e|at)|publicidade?|pubblicità|advertentie|annons|reklama|реклама|διαφήμιση|広告|广告|廣告|광고)s?$/u
/** What tells that the text goes on below one, less the label itself. */
const GOES_ON =
  /^(?:(?:the )?(?:story|article|post) continues (?:below|after)(?: (?:the |this )?ad(?:vertisement)?)?|(?:continue reading|scroll to continue)(?: reading| below| the main story)?)$/u
const BESIDE_WORDS = /^[\s\p{P}\p{S}]+|[\s\p{P}\p{S}]+$/gu
const BETWEEN_PARTS = /[\s\p{P}\p{S}]*[-–—·.:|][\s\p{P}\p{S}]*/u
/** Longer headings, and those with a figure or of code, say something themselves. */
const LONGEST_NAME = 80
const SAYS_SOMETHING = /[.!…。！]["'”’»)]?$|\p{Sc}|\d|[(){}<>=_]/u

/** The group without them; they are parts of no passage. */
export function withoutLooseEnds(text: string, group: Group): Group {
  let [start, end] = [0, group.length]
  while (start < end && isAdvertisingLabel(text, group[start])) start++
  while (end > start && (isAdvertisingLabel(text, group[end - 1]) || endsBare(text, group, end))) end--
  return start === 0 && end === group.length ? group : group.slice(start, end)
}

/** "Advertisement", "Anzeige", "Advertisement - Continue reading below". */
function isAdvertisingLabel(text: string, unit: Unit | undefined): boolean {
  if (unit === undefined || unit.isHeading || unit.end - unit.start > LONGEST_LABEL) return false
  const words = text.slice(unit.start, unit.end).toLowerCase().replace(BESIDE_WORDS, '')
  const parts = words.split(BETWEEN_PARTS)
  return parts.every((part) => LABEL.test(part) || GOES_ON.test(part))
}

/** Below the heading "Video" stood a video. One that is a link, or follows another, is a headline in a list. */
function endsBare(text: string, group: Group, end: number): boolean {
  const [before, last] = [group[end - 2], group[end - 1]]
  if (before === undefined || last === undefined || !isBare(last) || isBare(before)) return false
  if (last.block.links?.some((link) => link.start <= last.start && link.end >= last.end)) return false
  const name = text.slice(last.start, last.end)
  return weighedLength(name) <= LONGEST_NAME && !SAYS_SOMETHING.test(name)
}

const isBare = ({ block, isHeading }: Unit): boolean => block.kind === 'heading' && !isHeading
