// Writes BERT models of any shape with seeded random weights as ONNX files, the way the hub's exports are built.
// Speed depends on the shape alone, so the benchmark can measure MiniLM where its weights cannot be had, and tests get
// a real model of a few kilobytes.
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

export interface BertShape {
  vocabularySize: number
  hidden: number
  layers: number
  heads: number
  intermediate: number
  positions: number
  /** `logits` adds the pooler and a classifier with one output, as in a cross-encoder. */
  output: 'last_hidden_state' | 'logits'
  /** Adds `answering_tokens`, a number for each token, as a re-ranker that tells passages part by part has it. */
  tellsTokens?: boolean
  /** `int8`: signed weights, dynamically quantized activations, as `model_quantized.onnx` on the hub. */
  precision: 'int8' | 'fp32'
}

const FLOAT = 1
const INT8 = 3
const INT64 = 7

// Protobuf wire format (protobuf.dev, "Encoding"): only what ONNX needs of it.
function varint(value: number): Buffer {
  const bytes: number[] = []
  let rest = value
  do {
    bytes.push((rest % 128) + (rest >= 128 ? 128 : 0))
    rest = Math.floor(rest / 128)
  } while (rest > 0)
  return Buffer.from(bytes)
}
const numberField = (field: number, value: number): Buffer =>
  Buffer.concat([varint(field * 8), varint(value)])
const bytesField = (field: number, content: Buffer | string): Buffer => {
  const bytes = Buffer.from(content)
  return Buffer.concat([varint(field * 8 + 2), varint(bytes.length), bytes])
}
const floatField = (field: number, value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeFloatLE(value)
  return Buffer.concat([varint(field * 8 + 5), bytes])
}

/** Small, fast and the same everywhere (mulberry32); two draws make one normal number (Box and Muller). */
function createNormals(seed: number): () => number {
  let state = seed
  const uniform = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return (((mixed ^ (mixed >>> 14)) >>> 0) + 1) / 4_294_967_297
  }
  return () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform())
}

/** Collects nodes and constants of a graph; each method returns the name of what it made. */
function createGraph(seed: number) {
  const normal = createNormals(seed)
  const nodes: Buffer[] = []
  const constants: Buffer[] = []
  let count = 0

  function constant(name: string, type: number, dimensions: readonly number[], raw: Buffer): string {
    constants.push(
      bytesField(
        5,
        Buffer.concat([
          ...dimensions.map((dimension) => numberField(1, dimension)),
          numberField(2, type),
          bytesField(8, name),
          bytesField(9, raw),
        ]),
      ),
    )
    return name
  }

  function attribute(name: string, value: number | readonly number[]): Buffer {
    if (typeof value !== 'number') {
      return Buffer.concat([
        bytesField(1, name),
        ...value.map((item) => numberField(8, item)),
        numberField(20, 7),
      ])
    }
    return Number.isInteger(value)
      ? Buffer.concat([
          bytesField(1, name),
          // A negative int64 takes ten bytes; the only one used is -1.
          value < 0
            ? Buffer.from([24, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1])
            : numberField(3, value),
          numberField(20, 2),
        ])
      : Buffer.concat([bytesField(1, name), floatField(2, value), numberField(20, 1)])
  }

  function node(
    type: string,
    inputs: readonly string[],
    attributes: Record<string, number | readonly number[]> = {},
    outputs?: string[],
  ) {
    const names = outputs ?? [`t${count++}`]
    nodes.push(
      bytesField(
        1,
        Buffer.concat([
          ...inputs.map((input) => bytesField(1, input)),
          ...names.map((output) => bytesField(2, output)),
          bytesField(3, `n${count++}`),
          bytesField(4, type),
          ...Object.entries(attributes).map(([name, value]) => bytesField(5, attribute(name, value))),
        ]),
      ),
    )
    return names[0] ?? ''
  }

  const floats = (name: string, dimensions: readonly number[], values: Float32Array): string =>
    constant(name, FLOAT, dimensions, Buffer.from(values.buffer, values.byteOffset, values.byteLength))
  const scalar = (name: string, value: number): string => floats(name, [], Float32Array.of(value))
  const integers = (name: string, values: readonly number[]): string => {
    const raw = BigInt64Array.from(values, BigInt)
    return constant(name, INT64, [values.length], Buffer.from(raw.buffer))
  }
  const random = (length: number, spread: number): Float32Array =>
    Float32Array.from({ length }, () => normal() * spread)

  return { nodes, constants, constant, node, floats, scalar, integers, random }
}

type Graph = ReturnType<typeof createGraph>

/** Symmetric int8 over the whole tensor, as onnxruntime's `quantize_dynamic` with QInt8 makes it. */
function quantize(values: Float32Array): { raw: Buffer; scale: number } {
  let largest = 0
  for (const value of values) largest = Math.max(largest, Math.abs(value))
  const scale = largest / 127
  return { raw: Buffer.from(Int8Array.from(values, (value) => Math.round(value / scale)).buffer), scale }
}

/** Activations of one tensor in unsigned bytes, shared by every product it enters. */
type Quantized = { bytes: string; scale: string; zero: string }

function quantizeActivations(graph: Graph, input: string): Quantized {
  const names = { bytes: `${input}_q`, scale: `${input}_s`, zero: `${input}_z` }
  graph.node('DynamicQuantizeLinear', [input], {}, [names.bytes, names.scale, names.zero])
  return names
}

function createLayers(graph: Graph, shape: BertShape) {
  const spread = 0.05

  /** x · W + b. The quantized operands of x are made once and passed in. */
  function dense(
    name: string,
    input: string,
    quantized: Quantized | null,
    width: number,
    outputWidth: number,
  ): string {
    const weights = graph.random(width * outputWidth, spread)
    const bias = graph.floats(`${name}.bias`, [outputWidth], graph.random(outputWidth, spread))
    if (!quantized) {
      const weight = graph.floats(`${name}.weight`, [width, outputWidth], weights)
      return graph.node('Add', [graph.node('MatMul', [input, weight]), bias])
    }
    const { raw, scale } = quantize(weights)
    const weight = graph.constant(`${name}.weight`, INT8, [width, outputWidth], raw)
    const zero = graph.constant(`${name}.zero`, INT8, [], Buffer.alloc(1))
    const product = graph.node('MatMulInteger', [quantized.bytes, weight, quantized.zero, zero])
    const scales = graph.node('Mul', [quantized.scale, graph.scalar(`${name}.scale`, scale)])
    return graph.node('Add', [
      graph.node('Mul', [graph.node('Cast', [product], { to: FLOAT }), scales]),
      bias,
    ])
  }

  const operands = (input: string): Quantized | null =>
    shape.precision === 'int8' ? quantizeActivations(graph, input) : null

  function normalize(name: string, input: string): string {
    const ones = graph.floats(`${name}.weight`, [shape.hidden], new Float32Array(shape.hidden).fill(1))
    const zeros = graph.floats(`${name}.bias`, [shape.hidden], new Float32Array(shape.hidden))
    return graph.node('LayerNormalization', [input, ones, zeros], { axis: -1, epsilon: 1e-12 })
  }

  function table(name: string, rows: number): string {
    const values = graph.random(rows * shape.hidden, spread)
    if (shape.precision === 'fp32') return graph.floats(name, [rows, shape.hidden], values)
    const { raw, scale } = quantize(values)
    const stored = graph.constant(name, INT8, [rows, shape.hidden], raw)
    return graph.node('DequantizeLinear', [stored, graph.scalar(`${name}.scale`, scale)])
  }

  return { dense, operands, normalize, table }
}

type Layers = ReturnType<typeof createLayers>

function embeddings(graph: Graph, layers: Layers, shape: BertShape): string {
  const words = graph.node('Gather', [layers.table('words', shape.vocabularySize), 'input_ids'])
  const types = graph.node('Gather', [layers.table('types', 2), 'token_type_ids'])
  const length = graph.node('Gather', [graph.node('Shape', ['input_ids']), graph.integers('one', [1])])
  const scalarLength = graph.node('Squeeze', [length, graph.integers('axis0', [0])])
  const zero = graph.node('Squeeze', [graph.integers('zero', [0]), 'axis0'])
  const step = graph.node('Squeeze', ['one', 'axis0'])
  const positions = graph.node('Gather', [
    layers.table('positions', shape.positions),
    graph.node('Range', [zero, scalarLength, step]),
  ])
  return layers.normalize('embeddings', graph.node('Add', [graph.node('Add', [words, types]), positions]))
}

/** Added to the attention scores: 0 for tokens, the lowest number for padding. */
function attentionMask(graph: Graph): string {
  const mask = graph.node('Cast', ['attention_mask'], { to: FLOAT })
  const spread = graph.node('Unsqueeze', [mask, graph.integers('axes12', [1, 2])])
  const inverse = graph.node('Sub', [graph.scalar('unit', 1), spread])
  return graph.node('Mul', [inverse, graph.scalar('lowest', -3.4e38)])
}

function encoderLayer(
  graph: Graph,
  layers: Layers,
  shape: BertShape,
  name: string,
  input: string,
  mask: string,
): string {
  const { hidden, intermediate, heads } = shape
  const split = graph.integers(`${name}.split`, [0, 0, heads, hidden / heads])
  const joined = graph.integers(`${name}.joined`, [0, 0, hidden])
  const operands = layers.operands(input)
  const project = (part: string, order: readonly number[]): string => {
    const dense = layers.dense(`${name}.${part}`, input, operands, hidden, hidden)
    return graph.node('Transpose', [graph.node('Reshape', [dense, split])], { perm: order })
  }
  const query = project('query', [0, 2, 1, 3])
  const key = project('key', [0, 2, 3, 1])
  const value = project('value', [0, 2, 1, 3])
  const scores = graph.node('Div', [
    graph.node('MatMul', [query, key]),
    graph.scalar(`${name}.root`, Math.sqrt(hidden / heads)),
  ])
  const weights = graph.node('Softmax', [graph.node('Add', [scores, mask])], { axis: -1 })
  const mixed = graph.node('Transpose', [graph.node('MatMul', [weights, value])], { perm: [0, 2, 1, 3] })
  const context = graph.node('Reshape', [mixed, joined])
  const attended = layers.dense(`${name}.attended`, context, layers.operands(context), hidden, hidden)
  const first = layers.normalize(`${name}.first`, graph.node('Add', [attended, input]))
  const widened = layers.dense(`${name}.widened`, first, layers.operands(first), hidden, intermediate)
  const erf = graph.node('Erf', [graph.node('Div', [widened, graph.scalar(`${name}.sqrt2`, Math.SQRT2)])])
  const gate = graph.node('Add', [erf, graph.scalar(`${name}.unit`, 1)])
  const gelu = graph.node('Mul', [graph.node('Mul', [widened, gate]), graph.scalar(`${name}.half`, 0.5)])
  const narrowed = layers.dense(`${name}.narrowed`, gelu, layers.operands(gelu), intermediate, hidden)
  return layers.normalize(`${name}.second`, graph.node('Add', [narrowed, first]))
}

/** The value of the first token, through the pooler, to one number. */
function classifier(graph: Graph, layers: Layers, shape: BertShape, states: string): void {
  const first = graph.node('Gather', [states, graph.node('Squeeze', ['zero', 'axis0'])], { axis: 1 })
  const pooled = graph.node('Tanh', [layers.dense('pooler', first, null, shape.hidden, shape.hidden)])
  graph.node('Identity', [layers.dense('classifier', pooled, null, shape.hidden, 1)], {}, ['logits'])
}

/** One number of the value of every token. */
function tokenHead(graph: Graph, { hidden }: BertShape, states: string): void {
  const weight = graph.floats('token.weight', [hidden, 1], graph.random(hidden, 1))
  const column = graph.node('MatMul', [states, weight])
  graph.node('Squeeze', [column, graph.integers('token.axis', [2])], {}, ['answering_tokens'])
}

function valueInfo(
  field: number,
  name: string,
  type: number,
  dimensions: readonly (string | number)[],
): Buffer {
  const shape = dimensions.map((dimension) =>
    bytesField(1, typeof dimension === 'number' ? numberField(1, dimension) : bytesField(2, dimension)),
  )
  const tensor = Buffer.concat([numberField(1, type), bytesField(2, Buffer.concat(shape))])
  return bytesField(field, Buffer.concat([bytesField(1, name), bytesField(2, bytesField(1, tensor))]))
}

/** The bytes of an ONNX file (opset 17). Equal shapes and seeds give equal bytes. */
function makeBertOnnx(shape: BertShape, seed: number): Buffer {
  const graph = createGraph(seed)
  const layers = createLayers(graph, shape)
  let states = embeddings(graph, layers, shape)
  const mask = attentionMask(graph)
  for (let layer = 0; layer < shape.layers; layer++) {
    states = encoderLayer(graph, layers, shape, `layer${layer}`, states, mask)
  }
  if (shape.output === 'logits') classifier(graph, layers, shape, states)
  else graph.node('Identity', [states], {}, ['last_hidden_state'])
  if (shape.tellsTokens === true) tokenHead(graph, shape, states)
  const inputs = ['input_ids', 'attention_mask', 'token_type_ids']
  const outputDimensions = shape.output === 'logits' ? ['batch', 1] : ['batch', 'sequence', shape.hidden]
  const content = Buffer.concat([
    ...graph.nodes,
    bytesField(2, 'bert'),
    ...graph.constants,
    ...inputs.map((name) => valueInfo(11, name, INT64, ['batch', 'sequence'])),
    valueInfo(12, shape.output, FLOAT, outputDimensions),
    ...(shape.tellsTokens === true ? [valueInfo(12, 'answering_tokens', FLOAT, ['batch', 'sequence'])] : []),
  ])
  return Buffer.concat([
    numberField(1, 8),
    bytesField(2, 'verbatim'),
    bytesField(7, content),
    bytesField(8, Buffer.concat([bytesField(1, ''), numberField(2, 17)])),
  ])
}

/** Writes a folder as the hub's models have it: config.json, tokenizer files, onnx/model[_quantized].onnx. */
export async function writeBertFolder(
  directory: string,
  shape: BertShape,
  tokenizer: { json: unknown; config: unknown },
  seed: number,
): Promise<void> {
  const config = {
    model_type: 'bert',
    architectures: [shape.output === 'logits' ? 'BertForSequenceClassification' : 'BertModel'],
    hidden_size: shape.hidden,
    num_hidden_layers: shape.layers,
    num_attention_heads: shape.heads,
    intermediate_size: shape.intermediate,
    vocab_size: shape.vocabularySize,
    max_position_embeddings: shape.positions,
    type_vocab_size: 2,
    pad_token_id: 0,
  }
  const model = shape.precision === 'int8' ? 'onnx/model_quantized.onnx' : 'onnx/model.onnx'
  const files: [string, string | Buffer][] = [
    ['config.json', JSON.stringify(config)],
    ['tokenizer.json', JSON.stringify(tokenizer.json)],
    ['tokenizer_config.json', JSON.stringify(tokenizer.config)],
    [model, makeBertOnnx(shape, seed)],
  ]
  for (const [path, content] of files) {
    await mkdir(dirname(join(directory, path)), { recursive: true })
    await writeFile(join(directory, path), content)
  }
}
