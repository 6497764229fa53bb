// The books of one slot of the browser's proxy: what is open, what was moved, what was refused.
import { AddressRefusedError, type RefusalReason } from './address-policy.ts'
import { UnreachableHostError } from './connector.ts'

const REFUSALS_KEPT = 1_000

/** One connection that was not made. */
interface RefusedRequest {
  /** Host and port, or the start of what was asked for when it is neither. */
  target: string
  reason: RefusalReason | UnreachableHostError['reason'] | 'failed'
}

/** What one slot has done since `start()`. */
export interface ProxyUsage {
  bytes: number
  requests: number
  /** True once the byte budget is used up: everything open was cut, everything new is refused. */
  overBudget: boolean
  /** At most 1,000 are kept. */
  refused: readonly RefusedRequest[]
}

export type Slot = ReturnType<typeof createSlot>

/** Closes by itself, or is closed when the page is over. */
interface Cuttable {
  destroy(): unknown
  once(event: 'close', listener: () => void): unknown
}

/** Empty books; a page may move `bytesMax` until `start` says otherwise, and open `limits.connections` at a time. */
export function createSlot(limits: { readonly connections: number }, bytesMax: number) {
  const usage = { bytes: 0, requests: 0, overBudget: false, refused: [] as RefusedRequest[] }
  const cuttable = new Set<Cuttable>()
  let budget = bytesMax
  let open = 0

  function cutAll(): void {
    for (const thing of cuttable) thing.destroy()
    cuttable.clear()
  }

  function start(pageBytesMax: number): void {
    cutAll()
    budget = pageBytesMax
    Object.assign(usage, { bytes: 0, requests: 0, overBudget: false, refused: [] })
  }

  /** Remembers what must be cut with the page. */
  function hold(thing: Cuttable): void {
    cuttable.add(thing)
    thing.once('close', () => cuttable.delete(thing))
  }

  /** Counts a request until `exchange` closes. Throws what refuses it. */
  function admit(target: string, exchange: Cuttable): void {
    usage.requests += 1
    open += 1
    exchange.once('close', () => (open -= 1))
    if (usage.overBudget) throw new AddressRefusedError('byte_budget', target)
    if (open > limits.connections) throw new UnreachableHostError('busy', target)
  }

  function meter(chunk: { length: number }): void {
    usage.bytes += chunk.length
    if (usage.bytes <= budget || usage.overBudget) return
    usage.overBudget = true
    cutAll()
  }

  /** Notes a refusal and gives the status that answers it. */
  function refuse(error: unknown, target: string): number {
    const ours = error instanceof AddressRefusedError || error instanceof UnreachableHostError
    const reason = ours ? error.reason : 'failed'
    if (usage.refused.length < REFUSALS_KEPT) usage.refused.push({ target: target.slice(0, 200), reason })
    if (error instanceof AddressRefusedError) return 403
    return reason === 'busy' ? 503 : 502
  }

  const report = (): ProxyUsage => ({ ...usage, refused: [...usage.refused] })
  return { start, usage: report, cutAll, hold, admit, meter, refuse }
}
