// Words that are printed twice at one place, which is how many programs make letters bold, or give them a shadow.
import type { TextItem } from 'pdfjs-dist/types/src/display/api.js'

/** Nearer than this, in heights of the letters, the same words are those that stand there already. */
const SAME_PLACE = 0.1
/** Places that are remembered of the same words: a table may say "0" ten thousand times. */
const PLACES_MAX = 40

type Place = readonly [x: number, y: number]

/** Returns a function that tells, item by item of a page, whether the same words were printed there before. */
export function createOverprints(): (item: Pick<TextItem, 'str' | 'height' | 'transform'>) => boolean {
  const printed = new Map<string, Place[]>()
  return ({ str, height, transform }) => {
    if (str.trim() === '' || height === 0) return false
    const [x, y] = [Number(transform[4]), Number(transform[5])]
    const nearest = height * SAME_PLACE
    const places = printed.get(str) ?? []
    if (places.some((place) => Math.abs(place[0] - x) <= nearest && Math.abs(place[1] - y) <= nearest))
      return true
    places.push([x, y])
    if (places.length > PLACES_MAX) places.shift()
    printed.set(str, places)
    return false
  }
}
