// Runs inside a rendered page, as part of the capture: where in the page a node stands, as far as its writing depends on
// it, found from where the node around it does.
import type { Backdrop, CoverList, UnseenText } from './unseen-text.ts'

export interface Place {
  readonly view: Window & typeof globalThis
  readonly visible: boolean
  readonly backdrop: Backdrop
  readonly preformatted: boolean
  readonly inPre: boolean
  readonly prose: boolean
  readonly depth: number
  readonly frameDepth: number
}

interface Seeing {
  readonly unseen: UnseenText
  readonly coverList: CoverList
}

/** What the capture asks of the functions below, all of them sent to the page. */
export const CAPTURED_PLACES = { placeOfPage, placeInside, placeInFrame } as const
export type CapturedPlaces = typeof CAPTURED_PLACES

function placeOfPage(unseen: UnseenText, root: Element | null): Place {
  const paper = { colour: 'rgb(255, 255, 255)' }
  return {
    view: window,
    visible: true,
    backdrop: root === null ? paper : unseen.backdropInside(getComputedStyle(root), paper),
    preformatted: false,
    inPre: false,
    prose: true,
    depth: 0,
    frameDepth: 0,
  }
}

function placeInside(
  { unseen, coverList }: Seeing,
  element: Element,
  tag: string,
  style: CSSStyleDeclaration,
  place: Place,
): Place {
  const backdrop = unseen.backdropInside(style, place.backdrop)
  const aside = /^(a|button|nav|footer|label)$/u.test(element.localName)
  const role = element.getAttribute('role') ?? ''
  return {
    ...place,
    visible: style.visibility === 'visible' && !unseen.isUnseenInk(element, style, backdrop, coverList),
    backdrop,
    preformatted: /^(pre|break-spaces)/u.test(style.whiteSpace),
    inPre: place.inPre || tag === 'pre',
    prose: place.prose && !aside && !/^(navigation|dialog|alertdialog|menu|button)$/u.test(role),
    depth: place.depth + 1,
  }
}

/** `view` is the frame's own. */
function placeInFrame(view: Place['view'], place: Place): Place {
  return {
    ...place,
    view,
    backdrop: { colour: null },
    depth: place.depth + 1,
    frameDepth: place.frameDepth + 1,
    inPre: false,
  }
}
