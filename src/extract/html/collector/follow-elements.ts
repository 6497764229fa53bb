// Follows the elements of a page as they open and close: which are shown, which are kept, and what they do to the text
// around them.
import { familiesOf, type KnownClass, NAME_CUE, readNames } from '../names/class-families.ts'
import type { InheritedStyle } from '../../styles/concealment.ts'
import type { StyleContext } from '../../styles/page-styles.ts'
import { type ElementPattern, type HtmlElement, newElement } from '../element-tree.ts'
import { keptLines } from './kept-lines.ts'
import { lineNumbersIn } from './line-numbers.ts'
import { isPreformatted, laidOut, landmarksOf, TRAIT, traitsOf } from '../elements.ts'
import { appendFlowingText, breakAt, breakLine, endRun, openCell } from '../text-runs.ts'
import { traitsInTable } from '../table-roles.ts'
import type { TagAttributes } from '../tag-attributes.ts'
import { showsFallback } from '../visibility/hidden-elements.ts'
import { type Collector, isInFormula } from './collector.ts'

/** Chromium, too, hangs nothing deeper than this. */
const DEEPEST_ELEMENT = 512

/** Enters the element, or takes note of why nothing of it is kept. */
export function openElement(collector: Collector, name: string, attributes: TagAttributes): void {
  collector.parseDepth++
  if (name === 'slot') collector.shadowRoots.noteSlot()
  if (collector.unshown > 0) {
    collector.unshown++
    if (name === 'script') collector.head.open(name, attributes)
    collector.hidden.openInside(name)
    return
  }
  const traits = traitsOf(name, collector.current)
  if ((traits & TRAIT.empty) !== 0) return openEmpty(collector, name, attributes)
  const known = collector.readClass(attributes.class)
  const names = known.names | readNames(attributes.id) | readNames(attributes['data-testid'])
  if (collector.head.open(name, attributes) || isNeverShown(collector, name, traits, names, attributes))
    return leaveOut(collector, name, false)
  const { current, segments, visibility } = collector
  const formula = collector.formulas.judge(name, names, attributes, collector)
  if (formula === 'repeated') return leaveOut(collector, name, false)
  const context = visibility.contextOf(name, attributes, current.context)
  const seen =
    formula === 'read' || segments.isSegment(attributes)
      ? visibility.asSeenAs(current)
      : visibility.judge(context, attributes, current, name)
  if (seen.style === null) return leaveOut(collector, name, seen.isFaded)
  if (collector.unkept > 0 || isInFormula(collector) || collector.current.depth >= DEEPEST_ELEMENT)
    return openUnkept(collector, name, traits)
  const placed = placeInLines(collector, { name, names, traits, layout: seen.layout }, attributes)
  enterElement(
    collector,
    { name, names, isOpened: seen.isOpened, style: seen.style, context, ...placed },
    patternOf(known, name),
    attributes,
  )
}

/** What an element is to the lines of the page: by its name, its layout, its table, and the code it stands in. */
function placeInLines(
  collector: Collector,
  { name, names, traits, layout }: Pick<EnteredElement, 'name' | 'names' | 'traits'> & { layout: number },
  attributes: TagAttributes,
): Pick<EnteredElement, 'traits' | 'row'> {
  const { current, structure } = collector
  const part = structure.tablePartOf(name, attributes.role, current)
  return {
    row: part?.container ?? current,
    traits:
      traitsInTable(laidOut(traits, layout), part) |
      lineNumbersIn(collector, name, names, attributes) |
      keptLines(layout, names, attributes.class, current.traits),
  }
}

/** Its text belongs to the deepest element that is kept. */
function openUnkept(collector: Collector, name: string, traits: number): void {
  collector.unkept++
  if (isInFormula(collector)) {
    if (collector.math.open(name)) appendFlowingText(collector, ' ')
  } else if ((traits & TRAIT.block) !== 0) breakAt(collector, name)
}

function closeUnkept(collector: Collector, name: string, traits: number): void {
  collector.unkept--
  if (isInFormula(collector)) {
    if (collector.math.close(name)) appendFlowingText(collector, ' ')
  } else if ((traits & TRAIT.block) !== 0) breakAt(collector, name)
}

/** Nothing inside the element that opens is text of the page. */
function leaveOut(collector: Collector, name: string, isFaded: boolean): void {
  collector.unshown = 1
  if (name === 'script') collector.hidden.script()
  if (isFaded) collector.hidden.open('faded', collector.current)
}

function isNeverShown(
  collector: Collector,
  name: string,
  traits: number,
  names: number,
  attributes: TagAttributes,
): boolean {
  if (collector.shadowRoots.isUnslotted(collector.current)) return true
  if ((names & NAME_CUE.hides) !== 0)
    return (
      (traits & TRAIT.block) === 0 || !collector.visibility.isNamedOpenable(attributes, collector.current)
    )
  if (name === 'template') return isUnshownTemplate(collector, attributes)
  if (name === 'noscript') return isUnshownNoscript(collector)
  if (name === 'object') return !showsFallback(attributes)
  return (traits & TRAIT.unshown) !== 0
}

function isUnshownNoscript({ hidden, revealed, current }: Collector): boolean {
  if (revealed.noscripts.has(hidden.countNoscript())) return false
  hidden.open('noscript', current)
  return true
}

/** A shadow root written out in HTML is what the visitor sees; any other template is not shown. */
function isUnshownTemplate(collector: Collector, attributes: TagAttributes): boolean {
  const { segments, current } = collector
  const { id, shadowrootmode } = attributes
  if (id !== undefined && segments.isPlace(id) && collector.unkept === 0) {
    endRun(collector)
    segments.notePlace(id, current, collector.runs.length)
  }
  return shadowrootmode === undefined
}

function openEmpty(collector: Collector, name: string, attributes: TagAttributes): void {
  if (name === 'br') breakLine(collector)
  else if (name === 'hr') breakAt(collector, name)
  else if (name === 'meta') collector.head.meta(attributes)
  else if (name === 'base') collector.head.base(attributes)
  else if (name === 'input') collector.current.inputs++
}

interface EnteredElement {
  name: string
  traits: number
  /** Of a cell, the row. */
  row: HtmlElement
  names: number
  isOpened: boolean
  style: InheritedStyle
  context: StyleContext
}

function enterElement(
  collector: Collector,
  { name, traits, row, names, isOpened, style, context }: EnteredElement,
  pattern: ElementPattern,
  attributes: TagAttributes,
): void {
  if ((traits & TRAIT.block) !== 0) breakAt(collector, name)
  else if ((traits & TRAIT.detached) !== 0) endRun(collector)
  else if ((traits & TRAIT.cell) !== 0) openCell(collector, row)
  const within = collector.current
  const isSegment = collector.segments.isSegment(attributes)
  const element = newElement({
    name,
    traits,
    parent: isSegment ? openSegment(collector, attributes) : within,
    classes: attributes.class ?? '',
    id: attributes.id ?? '',
    style,
    context,
    families: familiesOf(names),
    landmarks: landmarksOf(name, attributes.role, attributes.itemprop),
    ariaHidden: attributes['aria-hidden'] === 'true',
    pattern,
  })
  if (isSegment) collector.openSegments.push({ element, within })
  collector.current = element
  collector.shadowRoots.open(element)
  collector.visibility.hear(element, attributes, isOpened)
  collector.dates.open(element, attributes, names, collector.runs.length)
  collector.structure.open(element, attributes)
  if (name === 'a') {
    collector.anchors.push({ target: attributes.href ?? '' })
    collector.run.links++
  } else if (isPreformatted(element)) collector.preformatted++
  else if ((traits & TRAIT.cell) !== 0) collector.cells.push(element)
}

/** A streamed segment hangs where it will be shown. */
const openSegment = ({ segments, runs, current }: Collector, { id = '' }: TagAttributes): HtmlElement =>
  segments.open(id, runs.length) ?? current

function patternOf({ patterns }: KnownClass, name: string): ElementPattern {
  const known = patterns.get(name)
  if (known !== undefined) {
    known.elements++
    return known
  }
  const pattern = { elements: 1, words: 0 }
  patterns.set(name, pattern)
  return pattern
}

/** Leaves the element that was opened last, whatever became of it. */
export function closeElement(collector: Collector, name: string): void {
  collector.parseDepth--
  if (collector.unshown > 0) {
    collector.unshown--
    collector.head.close(name)
    collector.hidden.close()
    return
  }
  const ownTraits = traitsOf(name, collector.current)
  if ((ownTraits & TRAIT.empty) !== 0) return
  if (collector.unkept > 0) return closeUnkept(collector, name, ownTraits)
  const { traits } = collector.current
  if ((traits & TRAIT.block) !== 0) {
    breakAt(collector, name)
    collector.dates.endOfBlock()
  } else if ((traits & TRAIT.detached) !== 0) endRun(collector)
  if (name === 'a') collector.anchors.pop()
  else if (isPreformatted(collector.current)) collector.preformatted--
  else if ((traits & TRAIT.cell) !== 0) collector.cells.pop()
  leaveElement(collector)
}

function leaveElement(collector: Collector): void {
  const { current, openSegments } = collector
  collector.shadowRoots.close(current)
  const segment = openSegments.at(-1)
  if (segment?.element !== current) {
    collector.current = current.parent ?? collector.root
    return
  }
  openSegments.pop()
  collector.segments.close(collector.runs.length)
  collector.current = segment.within
}
