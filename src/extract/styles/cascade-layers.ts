// The cascade layers of a page's style sheets (`@layer`): which of two rules counts before either's selector is weighed.

/** A layer, or the page itself around all of them: what stands in no layer is the page's. */
export interface CascadeLayer {
  /** By name, in the order in which they are first named. */
  readonly inside: Map<string, CascadeLayer>
  /** Of two layers the one with the higher rank counts; of what is important, the one with the lower. */
  rank: number
  /** How many there are on the page; shared by all of them. */
  readonly made: { count: number }
}

/** What would stand in a further one stands in the layer around it. */
export const MOST_LAYERS = 2_000

const LONGEST_NAME = 200
const DEEPEST_NAME = 8

/** The page, with no layers yet. */
export const createLayers = (): CascadeLayer => ({ inside: new Map(), rank: 0, made: { count: 0 } })

/** The layer `a.b` in `around`, made when it is new; null for what is no name of one. */
export function layerNamed(around: CascadeLayer, name: string): CascadeLayer | null {
  const words = name.length > LONGEST_NAME ? [] : name.trim().split('.')
  if (words.length > DEEPEST_NAME || !words.every((word) => /^[\w\u{80}-\u{10ffff}\\-]+$/u.test(word)))
    return null
  return words.length === 0 ? null : words.reduce(layerIn, around)
}

/** A layer without a name, which nothing can add to. */
export const newAnonymousLayer = (around: CascadeLayer): CascadeLayer =>
  // No name holds white space.
  layerIn(around, ` ${around.inside.size}`)

function layerIn(around: CascadeLayer, name: string): CascadeLayer {
  const known = around.inside.get(name)
  if (known !== undefined) return known
  const { made } = around
  if (made.count >= MOST_LAYERS) return around
  made.count += 1
  const layer = { inside: new Map(), rank: 0, made }
  around.inside.set(name, layer)
  return layer
}

/** Ranks all layers once every sheet is read: those in a layer below what stands in it beside them. */
export function rankLayers(page: CascadeLayer): void {
  let rank = 0
  const visit = (layer: CascadeLayer): void => {
    for (const inner of layer.inside.values()) visit(inner)
    layer.rank = rank++
  }
  visit(page)
}

const LAYER_OF_IMPORT = /\blayer\(([^()]*)\)\s*(.*)$/is

/** Of `@layer a, b` the names, and of `@import … layer(a) …` the name and the media that it is asked for. */
export function namedInStatement(statement: string): { names: readonly string[]; media: string } {
  const text = withoutComments(statement)
  const list = /^@layer\b(.*)$/is.exec(text)?.[1]
  if (list !== undefined) return { names: list.split(','), media: '' }
  const imported = /^@import\b/i.test(text) ? LAYER_OF_IMPORT.exec(text) : null
  return { names: imported === null ? [] : [imported[1] ?? ''], media: imported?.[2] ?? '' }
}

function withoutComments(text: string): string {
  const pieces: string[] = []
  let from = 0
  for (let at = text.indexOf('/*'); at !== -1; at = text.indexOf('/*', from)) {
    const end = text.indexOf('*/', at + 2)
    if (end === -1) break
    pieces.push(text.slice(from, at))
    from = end + 2
  }
  return [...pieces, text.slice(from)].join(' ')
}
