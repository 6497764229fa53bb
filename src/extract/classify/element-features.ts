// What the classifier sees of the elements around a run: how far the nearest of each kind is, and what they hold.
import { FAMILY_NAMES } from '../html/names/class-families.ts'
import { LANDMARKS } from '../html/elements.ts'
import type { HtmlElement } from '../html/element-tree.ts'
import { logOf, put, type Row } from './feature-row.ts'
import { isBlockElement } from './run-statistics.ts'

/** Stands for "no such ancestor" among distances, which are cut off one below. */
const NO_ANCESTOR = 15
const CONTAINER_LEVELS = [0, 1, 2, 3, 5, 8]
const PATTERN_LEVELS = [0, 1, 2, 3, 4]
const ANCESTOR_NAMES = ['list', 'table', 'pre', 'blockquote'] as const

/** What `putAncestors` writes. */
export const ANCESTOR_FEATURES: readonly string[] = [
  ...FAMILY_NAMES.map((name) => `distance to class family ${name}`),
  ...LANDMARKS.map((name) => `distance to landmark ${name}`),
  ...ANCESTOR_NAMES.map((name) => `distance to ${name}`),
  'list items above',
  'aria-hidden',
]

/** What `putContainers` writes. */
export const CONTAINER_FEATURES: readonly string[] = [
  ...CONTAINER_LEVELS.flatMap((level) =>
    ['log words', 'link density', 'prose share', 'log runs', 'words per run', 'has inputs'].map(
      (name) => `container ${level}: ${name}`,
    ),
  ),
  ...PATTERN_LEVELS.flatMap((level) => [
    `container ${level}: log alike`,
    `container ${level}: log words of one alike`,
  ]),
  'container 1: share of page',
  'container 3: share of page',
]

/** Distances to the nearest ancestor of each kind; returns the block-level ancestors, innermost first. */
export function putAncestors(row: Row, element: HtmlElement): HtmlElement[] {
  const containers: HtmlElement[] = []
  const families = row.at
  const landmarks = families + FAMILY_NAMES.length
  const named = landmarks + LANDMARKS.length
  row.at = named + ANCESTOR_NAMES.length
  row.values.fill(NO_ANCESTOR, families, row.at)
  let listItems = 0
  let ariaHidden = 0
  let distance = 0
  for (let at = element; at.parent !== null; at = at.parent) {
    nearest(row.values, families, at.families, distance)
    nearest(row.values, landmarks, at.landmarks, distance)
    const position = ancestorPosition(at.name)
    if (position >= 0 && row.values[named + position] === NO_ANCESTOR) row.values[named + position] = distance
    if (at.name === 'li') listItems++
    if (at.ariaHidden) ariaHidden = 1
    if (isBlockElement(at)) containers.push(at)
    if (distance < NO_ANCESTOR - 1) distance++
  }
  put(row, listItems)
  put(row, ariaHidden)
  return containers
}

/** Writes `distance` for each bit that is set and was not met nearer. */
function nearest(values: Float32Array, from: number, bits: number, distance: number): void {
  for (let left = bits; left !== 0; left &= left - 1) {
    const position = from + 31 - Math.clz32(left & -left)
    if (values[position] === NO_ANCESTOR) values[position] = distance
  }
}

function ancestorPosition(name: string): number {
  if (name === 'ul' || name === 'ol') return 0
  return name === 'table' ? 1 : name === 'pre' ? 2 : name === 'blockquote' ? 3 : -1
}

/** What the block-level ancestors hold, and how much of the page that is. */
export function putContainers(
  row: Row,
  containers: readonly HtmlElement[],
  page: { readonly root: HtmlElement; readonly words: number },
): void {
  const at = (level: number) => containers[Math.min(level, containers.length - 1)] ?? page.root
  for (const level of CONTAINER_LEVELS) {
    const { words, linkWords, longWords, blocks, inputs } = at(level)
    put(row, logOf(words))
    put(row, words === 0 ? 0 : linkWords / words)
    put(row, words === 0 ? 0 : longWords / words)
    put(row, logOf(blocks))
    put(row, words / (blocks || 1))
    put(row, inputs > 0 ? 1 : 0)
  }
  for (const level of PATTERN_LEVELS) {
    const { elements, words } = at(level).pattern
    put(row, logOf(elements))
    put(row, Math.log1p(words / elements))
  }
  for (const level of [1, 3]) put(row, (containers[level] ?? page.root).words / (page.words || 1))
}
