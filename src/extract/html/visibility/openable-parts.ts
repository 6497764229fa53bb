// Parts that a page folds away until a person opens them: tab panels, accordions, answers of an FAQ, slides. They are
// content; menus, dialogs and drawers, folded away by the same means, are not.
import { LANDMARK_BIT } from '../elements.ts'
import { type HtmlElement, someAround } from '../element-tree.ts'
import { createWordFinder } from '../names/class-name-matcher.ts'
import type { TagAttributes } from '../tag-attributes.ts'

const SAYS = { openable: 1, opens: 2, surrounds: 4, elsewhere: 8, floats: 16, product: 32 } as const

const findWords = createWordFinder([
  // The part that opens.
  [
    SAYS.openable,
    'tab-?pane tab-?panel tab-?content tabs-content accordion collaps faq toggle-content toggle-?body answer expand ' +
      'panel-body panel-content .panel. read-more more-text more-content show-more full-text spec details disclosure ' +
      'carousel-item slide. slick flickity swiper slideshow description',
  ],
  // What a person presses.
  [
    SAYS.opens,
    'accordion collaps faq toggle tab. tab- .tabs expand question disclosure panel-title panel-head',
  ],
  // What stands around both.
  [SAYS.surrounds, 'accordion collaps faq tabs tab-content expand toggle. question disclosure carousel'],
  [
    SAYS.elsewhere,
    'menu .nav navbar navigation dropdown mega- modal popup pop-up dialog lightbox tooltip popover drawer off-?canvas ' +
      'overlay cookie consent gdpr search log-?in sign-?in sign-?up register cart. minicart basket newsletter share ' +
      'sidebar filter facet language country currency notification toast alert error message- loading spinner skeleton ' +
      'template placeholder preview print .sr-only',
  ],
  // What a list of products shows of one of them, even when it does so in a window.
  [SAYS.product, 'product-full product-detail'],
  // What makes everything inside it something else.
  [
    SAYS.floats,
    'menu. navbar dropdown mega- modal popup pop-up dialog lightbox drawer off-?canvas cookie consent',
  ],
])

const LONGEST_NAMES = 300
const LONGEST_IDS = 200
const MOST_IDS = 5_000
/** How far up what stands around a part may be. */
const SURROUNDING_LEVELS = 3
const OPENING_ROLES = new Set(['tab', 'button'])

/** Names part their words by hyphens or by underscores: `tab-content`, `tab_content`. */
const wordsOf = (names: string | undefined): number =>
  names === undefined || names === '' ? 0 : findWords(names.slice(0, LONGEST_NAMES).replaceAll('_', '-'))

const namesOf = (attributes: TagAttributes): number =>
  wordsOf(attributes.class) | wordsOf(attributes.id) | wordsOf(attributes['data-testid'])

/** Takes note, while the parser runs, of what a person can press, and tells which hidden elements that opens. */
export function createOpenableParts() {
  const opened = new Set<string>()
  /** Elements in which something says that a part is closed. */
  const expanding = new WeakSet<HtmlElement>()

  function note(ids: string | undefined): void {
    if (ids === undefined || ids === '' || ids.length > LONGEST_IDS || opened.size >= MOST_IDS) return
    for (const id of ids.split(/\s+/)) opened.add(id.startsWith('#') ? id.slice(1) : id)
  }

  /** `<h3><button aria-expanded="false">` opens what stands beside the heading. */
  function noteExpander(element: HtmlElement): void {
    let at = element.parent
    for (let level = 0; level < SURROUNDING_LEVELS && at !== null; level++, at = at.parent) expanding.add(at)
  }

  return {
    /** An element that is shown, with its attributes: it may open another. `isOpened`: only because a person opens it. */
    hear(element: HtmlElement, attributes: TagAttributes, isOpened: boolean): void {
      // What opens may be two boxes, one in the other.
      if (isOpened) expanding.add(element)
      if (attributes['aria-expanded'] === 'false' && attributes['aria-haspopup'] === undefined)
        noteExpander(element)
      note(attributes['aria-controls'])
      note(attributes['data-bs-target'])
      note(attributes['data-target'])
      const target = attributes.href
      if (target === undefined || !target.startsWith('#') || target.length < 2) return
      const isOpening =
        (attributes.role !== undefined && OPENING_ROLES.has(attributes.role)) ||
        (wordsOf(attributes.class) & SAYS.opens) !== 0 ||
        isSurrounded(element.parent)
      if (isOpening) note(target)
    },

    /** True when its own names tell that the element opens. */
    isNamedSo: (attributes: TagAttributes): boolean => (namesOf(attributes) & SAYS.openable) !== 0,

    /** True when a person can open the hidden element with these attributes below `parent`, and would to read in it. */
    isOpenable(attributes: TagAttributes, parent: HtmlElement): boolean {
      const words = wordsOf(attributes.class) | wordsOf(attributes.id) | wordsOf(attributes['data-testid'])
      if ((words & SAYS.product) !== 0) return true
      if ((words & SAYS.elsewhere) !== 0 || attributes['aria-modal'] !== undefined) return false
      if (isElsewhere(parent)) return false
      const { id, role } = attributes
      if ((id !== undefined && opened.has(id)) || expanding.has(parent)) return true
      if (role === 'tabpanel' || (role === 'region' && attributes['aria-labelledby'] !== undefined))
        return true
      return (words & SAYS.openable) !== 0 || isSurrounded(parent)
    },
  }
}

const isSurrounded = (parent: HtmlElement | null): boolean =>
  someAround(
    parent,
    SURROUNDING_LEVELS,
    ({ classes, id }) => ((wordsOf(classes) | wordsOf(id)) & SAYS.surrounds) !== 0,
  )

const ELSEWHERE_LANDMARKS = LANDMARK_BIT.nav | LANDMARK_BIT.header | LANDMARK_BIT.footer | LANDMARK_BIT.dialog

function isElsewhere(parent: HtmlElement): boolean {
  for (let at: HtmlElement | null = parent; at !== null; at = at.parent) {
    if ((at.landmarks & ELSEWHERE_LANDMARKS) !== 0) return true
    if (
      at.name !== 'body' &&
      at.name !== 'html' &&
      ((wordsOf(at.classes) | wordsOf(at.id)) & SAYS.floats) !== 0
    )
      return true
  }
  return false
}
