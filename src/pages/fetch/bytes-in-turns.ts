// A page's bytes piece by piece, so that whatever else the thread has to do goes on in between.
import { setImmediate as nextTurn } from 'node:timers/promises'

/** Decoded or filtered in a few milliseconds, whatever they hold. */
const TURN_BYTES = 131_072

/** Throws the signal's reason before the piece at which it is aborted. */
export async function* bytesInTurns(
  bytes: Uint8Array,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
  for (let start = 0; start < bytes.length; start += TURN_BYTES) {
    if (start > 0) await nextTurn()
    signal?.throwIfAborted()
    yield bytes.subarray(start, start + TURN_BYTES)
  }
}
