// Where in a document a passage stands: on which page, slide or sheet, or in which chapter.
import type { PagePlace } from '../../extract/document.ts'

export type PlaceInDocument = Omit<PagePlace, 'start'>

/** The last of `places`, which are in the order of the text, that begins at `offset` or before; null without one. */
export function placeAt(places: readonly PagePlace[] | undefined, offset: number): PlaceInDocument | null {
  const place = places?.findLast(({ start }) => start <= offset)
  return place === undefined ? null : { kind: place.kind, number: place.number, name: place.name }
}
