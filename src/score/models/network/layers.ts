// The small layers after a transformer: dense ones, and normalisations, as functions from vector to vector.
import { join } from 'node:path'
import { ModelUnreadableError } from '../folder/json-files.ts'
import { readSafetensors, type WeightTensor } from '../folder/safetensors.ts'
import type { Activation, Layer } from '../reading.ts'

/** Leaves what it is given as it is, and may give it back. */
export type LoadedLayer = (input: Float32Array) => Float32Array

/** Of PyTorch's LayerNorm. */
const EPSILON = 1e-5

/** The error function, to 2e-7 (Abramowitz and Stegun, "Handbook of Mathematical Functions", 7.1.26). */
function erf(value: number): number {
  const x = Math.abs(value)
  const t = 1 / (1 + 0.3275911 * x)
  const sum =
    t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))))
  return Math.sign(value) * (1 - sum * Math.exp(-x * x))
}

const logistic = (value: number): number => 1 / (1 + Math.exp(-value))

const ACTIVATE: Readonly<Record<Activation, (value: number) => number>> = {
  identity: (value) => value,
  tanh: Math.tanh,
  relu: (value) => Math.max(0, value),
  gelu: (value) => (value / 2) * (1 + erf(value / Math.SQRT2)),
  silu: (value) => value * logistic(value),
  sigmoid: logistic,
}

/** The vector at length 1; one of zeros stays. */
function toUnit(vector: Float32Array): Float32Array {
  let squares = 0
  for (const value of vector) squares += value * value
  return squares > 0 ? vector.map((value) => value / Math.sqrt(squares)) : vector
}

function required(tensors: ReadonlyMap<string, WeightTensor>, name: string): WeightTensor {
  const tensor = tensors.get(name)
  if (tensor === undefined) throw new ModelUnreadableError(`a layer of it lacks ${name}`)
  return tensor
}

/** The rows of a matrix times a vector. */
function product(
  { shape: [outputs = 0, inputs = 0], values }: WeightTensor,
  input: Float32Array,
): Float32Array {
  if (input.length !== inputs)
    throw new ModelUnreadableError(`a layer of it takes ${inputs} numbers and is given ${input.length}`)
  return Float32Array.from({ length: outputs }, (_, row) => {
    let sum = 0
    for (let at = 0; at < inputs; at++) sum += (values[row * inputs + at] ?? 0) * (input[at] ?? 0)
    return sum
  })
}

async function loadDense(
  path: string,
  { activation, isResidual }: Extract<Layer, { kind: 'dense' }>,
): Promise<LoadedLayer> {
  const tensors = await readSafetensors(path)
  const weight = required(tensors, 'linear.weight')
  const bias = tensors.get('linear.bias')?.values
  const residual = tensors.get('residual.weight')
  const activate = ACTIVATE[activation]
  return (input) => {
    const output = product(weight, input).map((value, at) => activate(value + (bias?.[at] ?? 0)))
    if (!isResidual) return output
    const passed = residual === undefined ? input : product(residual, input)
    return output.map((value, at) => value + (passed[at] ?? 0))
  }
}

async function loadLayerNorm(path: string): Promise<LoadedLayer> {
  const tensors = await readSafetensors(path)
  const { values: weight } = required(tensors, 'norm.weight')
  const { values: bias } = required(tensors, 'norm.bias')
  return (input) => {
    const mean = input.reduce((sum, value) => sum + value, 0) / input.length
    const variance = input.reduce((sum, value) => sum + (value - mean) ** 2, 0) / input.length
    const spread = Math.sqrt(variance + EPSILON)
    return input.map((value, at) => ((value - mean) / spread) * (weight[at] ?? 1) + (bias[at] ?? 0))
  }
}

/** @throws {ModelUnreadableError} when a layer's weights are damaged or missing. */
export function loadLayers(directory: string, layers: readonly Layer[]): Promise<LoadedLayer[]> {
  return Promise.all(
    layers.map(async (layer): Promise<LoadedLayer> => {
      if (layer.kind === 'normalize') return toUnit
      const path = join(directory, layer.weights)
      return layer.kind === 'dense' ? loadDense(path, layer) : loadLayerNorm(path)
    }),
  )
}
