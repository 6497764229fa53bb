// Reads the weights of a small layer from a safetensors file: a length, a JSON header, then the numbers.
import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { ModelUnreadableError } from './json-files.ts'

export interface WeightTensor {
  shape: readonly number[]
  values: Float32Array
}

const HEADER_LENGTH_BYTES = 8

const tensorSchema = z.object({
  dtype: z.enum(['F32', 'F16', 'BF16']),
  shape: z.array(z.int().nonnegative()),
  data_offsets: z.tuple([z.int().nonnegative(), z.int().nonnegative()]),
})

const headerSchema = z.object({ __metadata__: z.unknown().optional() }).catchall(tensorSchema)

/** IEEE 754 half precision. */
export function floatOfHalf(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1
  const exponent = (bits >> 10) & 0x1f
  const fraction = bits & 0x3ff
  if (exponent === 0) return sign * fraction * 2 ** -24
  if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN
  return sign * (1 + fraction / 1_024) * 2 ** (exponent - 15)
}

function valuesOf(bytes: Buffer, dtype: z.output<typeof tensorSchema>['dtype']): Float32Array {
  if (dtype === 'F32')
    return Float32Array.from({ length: bytes.length / 4 }, (_, at) => bytes.readFloatLE(at * 4))
  if (dtype === 'F16')
    return Float32Array.from({ length: bytes.length / 2 }, (_, at) => floatOfHalf(bytes.readUInt16LE(at * 2)))
  // A float's upper half.
  const wide = Buffer.alloc(4)
  return Float32Array.from({ length: bytes.length / 2 }, (_, at) => {
    wide.writeUInt16LE(bytes.readUInt16LE(at * 2), 2)
    return wide.readFloatLE()
  })
}

/**
 * Every tensor of a file, by its name.
 * @throws {ModelUnreadableError} when it is no safetensors file of floating-point numbers; Node's error when it is not there.
 */
export async function readSafetensors(path: string): Promise<Map<string, WeightTensor>> {
  const bytes = await readFile(path)
  try {
    const dataStart = HEADER_LENGTH_BYTES + Number(bytes.readBigUInt64LE())
    const text = bytes.subarray(HEADER_LENGTH_BYTES, dataStart).toString('utf8')
    const { __metadata__: _made, ...tensors } = headerSchema.parse(JSON.parse(text))
    return new Map(
      Object.entries(tensors).map(([name, tensor]) => {
        const {
          dtype,
          shape,
          data_offsets: [from, to],
        } = tensorSchema.parse(tensor)
        const values = valuesOf(bytes.subarray(dataStart + from, dataStart + to), dtype)
        if (values.length !== shape.reduce((product, size) => product * size, 1))
          throw new RangeError(`${name} has not the size of its shape`)
        return [name, { shape, values }]
      }),
    )
  } catch (cause) {
    throw new ModelUnreadableError('the weights of a layer are damaged', { cause })
  }
}
