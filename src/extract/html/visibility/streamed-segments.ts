// Parts of a page that React sends after the rest: hidden at the end of the markup, put in their place by a line of
// script (`$RC("B:1","S:1")`). Without that script they are read where they belong.
import type { HtmlElement } from '../element-tree.ts'
import type { TagAttributes } from '../tag-attributes.ts'

/** Ids of a segment, and of the `<template>` that keeps its place. */
const SEGMENT_ID = /^(.{0,40})S:([0-9a-f]{1,8})$/
const PLACE_ID = /^(.{0,40})[BP]:([0-9a-f]{1,8})$/
const MOST_SEGMENTS = 2_000

/** Where a segment belongs. */
interface Place {
  readonly key: string
  readonly parent: HtmlElement
}

/** The page outside all segments, or one of them: its runs from–to, the places in it, and segments that begin in it. */
interface Stretch {
  readonly key: string
  readonly items: (Place | Stretch | { readonly from: number; readonly to: number })[]
}

/** Gathers places and segments while the parser runs. `runs` is always the number of runs that have ended by then. */
export function createStreamedSegments() {
  const page: Stretch = { key: '', items: [] }
  const places = new Map<string, Place>()
  const segments = new Map<string, Stretch>()
  const open = [page]
  let written = 0

  const last = (): Stretch => open.at(-1) ?? page

  function write(runs: number): void {
    if (runs > written) last().items.push({ from: written, to: runs })
    written = runs
  }

  return {
    /** True when the id of a `<template>` keeps the place of a segment. */
    isPlace: (id: string | undefined): boolean => id !== undefined && PLACE_ID.test(id),

    /** True when this is a segment. */
    isSegment: ({ hidden, id }: TagAttributes): boolean =>
      hidden !== undefined && id !== undefined && segments.size < MOST_SEGMENTS && SEGMENT_ID.test(id),

    /** Takes note of the place of a segment below `parent`. */
    notePlace(id: string, parent: HtmlElement, runs: number): void {
      const key = keyOf(PLACE_ID, id)
      if (places.has(key) || places.size >= MOST_SEGMENTS) return
      write(runs)
      const place = { key, parent }
      places.set(key, place)
      last().items.push(place)
    },

    /** A segment opens; returns the element below which it belongs, null when its place is not known. */
    open(id: string, runs: number): HtmlElement | null {
      write(runs)
      const segment: Stretch = { key: keyOf(SEGMENT_ID, id), items: [] }
      last().items.push(segment)
      open.push(segment)
      segments.set(segment.key, segment)
      return places.get(segment.key)?.parent ?? null
    },

    close(runs: number): void {
      write(runs)
      if (open.length > 1) open.pop()
    },

    /** The numbers of the runs in the order in which a person reads them; null when that is as they came. */
    order(runs: number): number[] | null {
      write(runs)
      if (segments.size === 0) return null
      return orderOf(page, places, segments)
    },
  }
}

const keyOf = (pattern: RegExp, id: string): string => pattern.exec(id)?.slice(1).join(' ') ?? id

function orderOf(
  page: Stretch,
  places: ReadonlyMap<string, Place>,
  segments: ReadonlyMap<string, Stretch>,
): number[] {
  const order: number[] = []
  const done = new Set<Stretch>()
  const put = (stretch: Stretch): void => {
    if (done.has(stretch)) return
    done.add(stretch)
    for (const item of stretch.items) {
      if ('from' in item) for (let run = item.from; run < item.to; run++) order.push(run)
      else if ('parent' in item) {
        const segment = segments.get(item.key)
        if (segment !== undefined) put(segment)
      } else if (!places.has(item.key)) put(item)
    }
  }
  put(page)
  // Segments that hold each other's places, or two of one name: nothing that was read is lost.
  const putRest = (stretch: Stretch): void => {
    put(stretch)
    for (const item of stretch.items) if ('items' in item) putRest(item)
  }
  putRest(page)
  return order
}
