// Sequences put together into batches that a device likes, and run one batch after the other.
import type { Device } from '../catalog.ts'
import type { SessionOutput, TokenBatch, TokenSequence } from './session.ts'

/**
 * On a CPU a batch is worth it only while it holds no padding and stays in the cache; a GPU wants large batches and
 * does not mind some padding.
 */
export const BATCHING: Readonly<Record<Device, Batching>> = {
  cpu: { tokens: 256, mayPad: false },
  cuda: { tokens: 16_384, mayPad: true },
}

export interface Batching {
  /** Most tokens in a batch, padding included; a longer sequence goes alone. */
  tokens: number
  mayPad: boolean
}

export interface Sequence extends TokenSequence {
  /** Where its result goes. */
  position: number
}

interface Session {
  run(batch: TokenBatch): Promise<SessionOutput>
}

/** Told what came of a batch, and which sequences its rows are. */
export type UseBatch = (output: SessionOutput, batch: readonly Sequence[]) => void

/** Sequences of (nearly) one length together, within the device's token budget. */
export function makeBatches(sequences: readonly Sequence[], { tokens, mayPad }: Batching): Sequence[][] {
  const batches: Sequence[][] = []
  // Ascending: the newest member is a batch's longest, so its length is the batch's width.
  for (const sequence of sequences.toSorted((a, b) => a.ids.length - b.ids.length)) {
    const last = batches.at(-1)
    const fits =
      last !== undefined &&
      (last.length + 1) * sequence.ids.length <= tokens &&
      (mayPad || last[0]?.ids.length === sequence.ids.length)
    if (fits) last.push(sequence)
    else batches.push([sequence])
  }
  return batches
}

/** Runs the network over all of them, a batch at a time. */
export async function runBatches(
  session: Session,
  batching: Batching,
  sequences: readonly Sequence[],
  use: UseBatch,
): Promise<void> {
  for (const rows of makeBatches(sequences, batching)) {
    const width = rows.at(-1)?.ids.length ?? 0
    use(await session.run({ rows, width }), rows)
  }
}
