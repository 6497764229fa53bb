// One ONNX session: feeds whatever inputs an export has with the tokens of a batch, and gives one output as floats, and
// what is said of every token where the export says it.
import { basename } from 'node:path'
import { InferenceSession, Tensor } from 'onnxruntime-node'
import type { Device } from '../catalog.ts'
import { ModelUnreadableError } from '../folder/json-files.ts'
import { floatOfHalf } from '../folder/safetensors.ts'
import { ANSWERING_OUTPUT } from '../reading.ts'
import { declineTelemetry } from './telemetry.ts'

/** Sequences of one width; shorter ones are padded at their ends. */
export interface TokenBatch {
  rows: readonly TokenSequence[]
  width: number
}

export interface TokenSequence {
  ids: ArrayLike<number>
  /** First token of type 1; the length where there is none. */
  secondStart: number
  /** First token that the others do not look at; the length where there is none. */
  unseenFrom?: number
}

export interface SessionOutput {
  name: string
  data: Float32Array
  /** Sizes, the batch first. */
  dims: readonly number[]
  /** Of ANSWERING_OUTPUT a number a token, rows of the batch's width; null for a model that has none. */
  answering: Float32Array | null
}

type FloatType = 'float32' | 'float16'

const OPTIONS: InferenceSession.SessionOptions = {
  // One thread a session and a session a worker: several threads in one session collapse beside other work.
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  extra: {
    // That fusion's CPU kernel is seven times as slow as the two operators it replaces.
    optimization: { disable_specified_optimizers: 'SkipLayerNormFusion' },
    // Without VNNI, sums of signed 8-bit weights overflow (AVX2's vpmaddubsw): unsigned ones cost an eighth more time there
    // and give every machine the same numbers.
    session: { x64quantprecision: '1' },
  },
  // Warnings are about the making of the graph, which is not ours to mend.
  logSeverityLevel: 3,
}

/** Of one row of a batch, the number at each of its tokens; 0 where it is padded. */
function fill({ rows, width }: TokenBatch, valueAt: (row: TokenSequence, at: number) => number): Tensor {
  const values = new BigInt64Array(rows.length * width)
  for (const [index, row] of rows.entries())
    for (let at = 0; at < row.ids.length; at++) values[index * width + at] = BigInt(valueAt(row, at))
  return new Tensor('int64', values, [rows.length, width])
}

const TOKEN_INPUTS: Readonly<Record<string, (row: TokenSequence, at: number) => number>> = {
  input_ids: ({ ids }, at) => ids[at] ?? 0,
  attention_mask: ({ ids, unseenFrom = ids.length }, at) => (at < unseenFrom ? 1 : 0),
  token_type_ids: ({ secondStart }, at) => (at >= secondStart ? 1 : 0),
  position_ids: (_row, at) => at,
}

/** A generating model's memory of tokens before, which is empty. */
const isMemory = (name: string): boolean => /^past_key_values\b/u.test(name)

interface Input {
  name: string
  /** Sizes as the export names them; a name stands for one that varies. */
  shape: readonly (number | string)[]
  type: FloatType
}

function memoryOf({ shape, type }: Input, rows: number): Tensor {
  const dims = shape.map((size, axis) => (typeof size === 'number' ? size : axis === 0 ? rows : 0))
  return new Tensor(type, type === 'float16' ? new Uint16Array(0) : new Float32Array(0), dims)
}

/** The inputs of an export. @throws {Error} when one of them is none that a text can fill. */
function inputsOf(session: InferenceSession): Input[] {
  return session.inputMetadata.map((input) => {
    const isKnown = input.name in TOKEN_INPUTS || isMemory(input.name)
    if (!input.isTensor || !isKnown)
      throw new Error(`The model wants an input "${input.name}", which is none of a text's.`)
    return { name: input.name, shape: input.shape, type: input.type === 'float16' ? 'float16' : 'float32' }
  })
}

function outputOf(name: string, tensor: unknown): Omit<SessionOutput, 'answering'> {
  if (!(tensor instanceof Tensor)) throw new Error(`The model gave no output "${name}".`)
  const { data, dims } = tensor
  if (data instanceof Float32Array) return { name, data, dims }
  // Where JavaScript has no array of halves the engine gives their bits.
  if (data instanceof Uint16Array) return { name, data: Float32Array.from(data, floatOfHalf), dims }
  if (tensor.type === 'float16') return { name, data: Float32Array.from(Array.from(data, Number)), dims }
  throw new Error(`The model's output "${name}" is of ${tensor.type}, not of floats.`)
}

/** What ONNX Runtime says of weights beside the graph (ONNX, "External Data") that are not there, or not whole. */
const LACKS_WEIGHTS = /\bexternal (?:data path|initializer)\b/iu

async function createSession(
  path: string,
  options: InferenceSession.SessionOptions,
): Promise<InferenceSession> {
  declineTelemetry()
  try {
    return await InferenceSession.create(path, options)
  } catch (cause) {
    if (!(cause instanceof Error && LACKS_WEIGHTS.test(cause.message))) throw cause
    const name = basename(path)
    throw new ModelUnreadableError(
      `the weights beside its ${name} are missing or cut off: bring the files again that begin with ${name}`,
      { cause },
    )
  }
}

/**
 * Loads an ONNX file; weights that lie beside it are mapped. `outputs` are the names of which the first that the file
 * has is asked for, with ANSWERING_OUTPUT where it has that, too.
 * @throws {ModelUnreadableError} when the weights beside it are missing or cut off; {Error} when the file is damaged,
 * wants inputs that no text fills, or has none of the outputs.
 */
export async function openSession(path: string, device: Device, outputs: readonly string[]) {
  const providers = device === 'cuda' ? ['cuda', 'cpu'] : ['cpu']
  const session = await createSession(path, { ...OPTIONS, executionProviders: providers })
  const inputs = inputsOf(session)
  const output = outputs.find((name) => session.outputNames.includes(name))
  if (output === undefined)
    throw new Error(`The model has no output ${outputs.join(' or ')}, but ${session.outputNames.join(', ')}.`)
  const tellsTokens = session.outputNames.includes(ANSWERING_OUTPUT)
  const asked = tellsTokens ? [output, ANSWERING_OUTPUT] : [output]

  return {
    /** The output it is asked for. */
    output,

    /** Whether it says of every token how much it answers. */
    tellsTokens,

    /** One pass; blocks its thread. */
    async run(batch: TokenBatch): Promise<SessionOutput> {
      const feeds = Object.fromEntries(
        inputs.map((input) => {
          const valueAt = TOKEN_INPUTS[input.name]
          return [
            input.name,
            valueAt === undefined ? memoryOf(input, batch.rows.length) : fill(batch, valueAt),
          ]
        }),
      )
      const made = await session.run(feeds, asked)
      const answering = tellsTokens ? outputOf(ANSWERING_OUTPUT, made[ANSWERING_OUTPUT]).data : null
      return { ...outputOf(output, made[output]), answering }
    },
  }
}
