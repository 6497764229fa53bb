// The answers that are under way on a listening socket: how long each may take to be taken, and when there are none.
import { EventEmitter, once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** `deliveryMs`: how long a client may take, once an answer is written, to take the last of it. */
export function createAnswers(deliveryMs: number) {
  const open = new Map<Socket, Set<ServerResponse>>()
  const changes = new EventEmitter()
  let isEnding = false
  const isAny = (): boolean => [...open.values()].some(({ size }) => size > 0)

  /** The answers of a connection; they end with it. */
  function answersOn(socket: Socket): Set<ServerResponse> {
    const known = open.get(socket)
    if (known !== undefined) return known
    const answers = new Set<ServerResponse>()
    open.set(socket, answers)
    // Node closes the answer that was being sent; those that waited behind it would never learn that nobody is left.
    const closeRest = (): void => {
      for (const answer of answers) answer.emit('close')
      open.delete(socket)
    }
    socket.once('close', () => setImmediate(closeRest))
    return answers
  }

  return {
    follow({ socket }: IncomingMessage, answer: ServerResponse): void {
      const answers = answersOn(socket).add(answer)
      if (isEnding) answer.shouldKeepAlive = false
      let delivery: NodeJS.Timeout | undefined
      answer.once('prefinish', () => {
        delivery = setTimeout(() => socket.destroy(), deliveryMs)
      })
      answer.once('close', () => {
        clearTimeout(delivery)
        answers.delete(answer)
        changes.emit('closed')
      })
    },

    /** Resolves when no answer is under way, at the latest after `limitMs`. From now on connections end with theirs. */
    async untilNone(limitMs: number): Promise<void> {
      isEnding = true
      const limit = AbortSignal.timeout(limitMs)
      // Waiting ends with the next answer or with the limit; which of them it was does not matter.
      while (isAny() && !limit.aborted) await once(changes, 'closed', { signal: limit }).catch(() => [])
    },
  }
}
