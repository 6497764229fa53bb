// Which of a model's ONNX files serves a device: 8 bits on a processor, half precision on a GPU.
import type { Device } from '../catalog.ts'

type Precision = 'q8' | 'fp16' | 'fp32'

/** File names by precision, the best first, as transformers.js and sentence-transformers export them. */
const NAMES: Readonly<Record<Precision, readonly string[]>> = {
  q8: [
    'model_quantized.onnx',
    'model_int8.onnx',
    'model_qint8_avx512_vnni.onnx',
    'model_qint8_avx512.onnx',
    'model_quint8_avx2.onnx',
    'model_qint8_arm64.onnx',
    'model_uint8.onnx',
  ],
  fp16: ['model_fp16.onnx'],
  fp32: ['model.onnx'],
}

const ORDER: Readonly<Record<Device, readonly Precision[]>> = {
  cpu: ['q8', 'fp32', 'fp16'],
  cuda: ['fp16', 'fp32', 'q8'],
}

const FOLDERS = ['onnx/', '']

/** The file of those that a model has, by their paths in its folder; null when none of them can be run. */
export function chooseWeights(paths: readonly string[], device: Device): string | null {
  const wanted = ORDER[device].flatMap((precision) =>
    NAMES[precision].flatMap((name) => FOLDERS.map((folder) => `${folder}${name}`)),
  )
  return wanted.find((path) => paths.includes(path)) ?? null
}
