// Reads the named constants out of an ONNX file, and nothing else of it.

/** Protobuf wire types (protobuf.dev, "Encoding"). */
const VARINT = 0
const FIXED_64 = 1
const LENGTH_DELIMITED = 2
const FIXED_32 = 5

/** Field numbers of onnx.proto3 (ONNX 1.x, frozen by its compatibility rules). */
const MODEL_GRAPH = 7
const GRAPH_INITIALIZER = 5
const TENSOR_DIMENSIONS = 1
const TENSOR_DATA_TYPE = 2
const TENSOR_NAME = 8
const TENSOR_RAW_DATA = 9

/** TensorProto.DataType values this reader meets. */
export const ONNX_FLOAT = 1
export const ONNX_INT8 = 3

export interface OnnxTensor {
  dimensions: readonly number[]
  /** TensorProto.DataType: 1 float32, 3 int8. */
  dataType: number
  /** Little-endian values, a view into the file. */
  rawData: Uint8Array
}

interface Field {
  number: number
  /** The number of a varint field; 0 for the others. */
  value: number
  /** The bytes of a length-delimited field; empty for the others. */
  bytes: Uint8Array
}

const NO_BYTES = new Uint8Array(0)

/** Varints above 2^53 do not occur in the fields read here; they would lose precision, not safety. */
function readVarint(bytes: Uint8Array, start: number): { value: number; next: number } {
  let value = 0
  let scale = 1
  for (let at = start; at < bytes.length && at < start + 10; at++) {
    const byte = bytes[at] ?? 0
    value += (byte & 0x7f) * scale
    if (byte < 0x80) return { value, next: at + 1 }
    scale *= 128
  }
  throw new RangeError('The ONNX file ends inside a number.')
}

function* fields(bytes: Uint8Array): Generator<Field> {
  let at = 0
  while (at < bytes.length) {
    const key = readVarint(bytes, at)
    const number = Math.floor(key.value / 8)
    const wireType = key.value % 8
    at = key.next
    if (wireType === VARINT) {
      const { value, next } = readVarint(bytes, at)
      at = next
      yield { number, value, bytes: NO_BYTES }
    } else if (wireType === LENGTH_DELIMITED) {
      const { value: length, next } = readVarint(bytes, at)
      if (next + length > bytes.length) throw new RangeError('The ONNX file ends inside a field.')
      at = next + length
      yield { number, value: 0, bytes: bytes.subarray(next, at) }
    } else if (wireType === FIXED_64 || wireType === FIXED_32) {
      at += wireType === FIXED_64 ? 8 : 4
    } else {
      throw new RangeError(`The ONNX file holds an unknown wire type (${wireType}).`)
    }
  }
}

/** Dimensions come packed (one field of varints) or one by one. */
function readDimensions(field: Field): number[] {
  if (field.bytes.length === 0) return [field.value]
  const dimensions: number[] = []
  for (let at = 0; at < field.bytes.length;) {
    const { value, next } = readVarint(field.bytes, at)
    dimensions.push(value)
    at = next
  }
  return dimensions
}

function readTensor(bytes: Uint8Array): { name: string; tensor: OnnxTensor } {
  let name = ''
  let dataType = 0
  let rawData: Uint8Array = NO_BYTES
  const dimensions: number[] = []
  for (const field of fields(bytes)) {
    if (field.number === TENSOR_DIMENSIONS) dimensions.push(...readDimensions(field))
    if (field.number === TENSOR_DATA_TYPE) dataType = field.value
    if (field.number === TENSOR_NAME) name = new TextDecoder().decode(field.bytes)
    if (field.number === TENSOR_RAW_DATA) rawData = field.bytes
  }
  return { name, tensor: { dimensions, dataType, rawData } }
}

/**
 * The constants (initializers) of an ONNX model by name. Values are views into `file`, not copies; only tensors
 * that keep their values in `raw_data` inside the file have any.
 *
 * @throws {RangeError} when the bytes are no protobuf message or end too early.
 */
export function readOnnxTensors(file: Uint8Array): Map<string, OnnxTensor> {
  const tensors = new Map<string, OnnxTensor>()
  for (const model of fields(file)) {
    if (model.number !== MODEL_GRAPH) continue
    for (const graph of fields(model.bytes)) {
      if (graph.number !== GRAPH_INITIALIZER) continue
      const { name, tensor } = readTensor(graph.bytes)
      tensors.set(name, tensor)
    }
  }
  return tensors
}
