// Whether an answer has reached its client: Node calls an answer finished, too, whose connection was cut in the middle.
import type { Context } from 'koa'

/** Follows the answer from now on; true once the system has taken all of it while its connection stood. */
export function followDelivery({ req: { socket }, res }: Context): () => boolean {
  let isDelivered = false
  res.prependOnceListener('finish', () => {
    isDelivered = !socket.destroyed
  })
  return () => isDelivered
}
