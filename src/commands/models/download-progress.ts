// Shows a download as it goes: a bar on a terminal, a line at every quarter elsewhere (logs of CI and of containers).
import { stderr } from 'node:process'
import { Presets, SingleBar } from 'cli-progress'
import type { DownloadProgress } from '../../score/models/download/transfer-file.ts'

const QUARTERS = 4

const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`

function createBar(): (progress: DownloadProgress) => void {
  const format = '{file} {bar} {percentage} % | {received} of {whole} | {eta_formatted}'
  let bar: SingleBar | null = null
  let shown = ''
  return ({ model, path, receivedBytes, totalBytes }) => {
    const file = `${model}/${path}`
    const total = totalBytes ?? receivedBytes
    const texts = {
      file,
      received: megabytes(receivedBytes),
      whole: totalBytes === null ? 'unknown' : megabytes(total),
    }
    if (file !== shown) {
      shown = file
      bar = new SingleBar({ format, stream: stderr, hideCursor: true }, Presets.shades_classic)
      bar.start(total, receivedBytes, texts)
    }
    bar?.setTotal(total)
    bar?.update(receivedBytes, texts)
    if (receivedBytes === totalBytes) {
      bar?.stop()
      shown = ''
    }
  }
}

function createLines(line: (text: string) => void): (progress: DownloadProgress) => void {
  let last = ''
  return ({ model, path, receivedBytes, totalBytes }) => {
    const quarter = totalBytes === null ? 0 : Math.floor((receivedBytes / totalBytes) * QUARTERS)
    const step = `${model}/${path} ${quarter}`
    if (step === last) return
    last = step
    const share = totalBytes === null ? 'size unknown' : `${quarter * 25} % of ${megabytes(totalBytes)}`
    line(`${model}/${path}: ${share}`)
  }
}

/** A function to call with every progress of a download. */
export function createDownloadProgress(
  isTerminal: boolean,
  line: (text: string) => void,
): (progress: DownloadProgress) => void {
  return isTerminal ? createBar() : createLines(line)
}
