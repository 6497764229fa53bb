// The client closed the connection: nobody is left to answer, so pages and inference stop at once.
import { setMaxListeners } from 'node:events'
import type { Context } from 'koa'

/** Aborts when the client goes away before its answer is complete. */
export function goneSignal(context: Context): AbortSignal {
  const controller = new AbortController()
  // As many parts of a request as it has pages and passages may listen; they leave with it.
  setMaxListeners(0, controller.signal)
  const { res } = context
  const leave = (): void => {
    if (!res.writableFinished) controller.abort(new ClientGoneError())
  }
  // It may have gone while something else was waited for.
  if (res.closed) leave()
  else res.once('close', leave)
  return controller.signal
}

/** Carries nginx's status for this case, so that the log line tells it from a failure of ours. */
export class ClientGoneError extends Error {
  readonly status = 499
  constructor() {
    super('the client went away')
    this.name = 'ClientGoneError'
  }
}
