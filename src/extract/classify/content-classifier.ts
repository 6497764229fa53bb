// Boosted trees that weigh a row of block features: the probability that the run is content. Learned offline.
import { createRequire } from 'node:module'
import { z } from 'zod'
import { FEATURE_NAMES } from './block-features.ts'

/** Nodes of all trees, each in preorder: the left child follows its parent. Leaves have feature -1. */
const treesSchema = z.object({
  features: z.array(z.string()),
  roots: z.array(z.int()),
  feature: z.array(z.int()),
  /** A threshold, or a leaf's contribution to the log odds. */
  value: z.array(z.number()),
  right: z.array(z.int()),
})

type Trees = z.output<typeof treesSchema>

export type ContentClassifier = (row: Float32Array) => number

/**
 * Builds the classifier from learned trees. Throws when they were learned from other features than these: weights and
 * features change together or not at all.
 */
export function createContentClassifier(trees: Trees): ContentClassifier {
  if (trees.features.join('\n') !== FEATURE_NAMES.join('\n'))
    throw new Error(
      'models/extraction/content-classifier.json was learned from other features: train it again.',
    )
  const roots = Int32Array.from(trees.roots)
  const features = Int32Array.from(trees.feature)
  const values = Float64Array.from(trees.value)
  const rights = Int32Array.from(trees.right)
  return (row) => {
    let logOdds = 0
    for (const root of roots) {
      let node = root
      let feature = features[node] ?? -1
      while (feature >= 0) {
        node = (row[feature] ?? 0) <= (values[node] ?? 0) ? node + 1 : (rights[node] ?? 0)
        feature = features[node] ?? -1
      }
      logOdds += values[node] ?? 0
    }
    return 1 / (1 + Math.exp(-logOdds))
  }
}

/**
 * Reads the trees that ship with the service, which are data to the compiler: by their name in package.json, whose
 * `imports` say where it is.
 */
export function loadContentClassifier(): ContentClassifier {
  const trees: unknown = createRequire(import.meta.url)('#models/extraction/content-classifier.json')
  return createContentClassifier(treesSchema.parse(trees))
}
