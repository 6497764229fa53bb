// The answers that are under way on a listening socket: how long each may take to be taken, and when there are none.
import { EventEmitter, once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { allowBodyTime, limitBodyTime } from './request/body-time.ts'

export interface AnswerLimits {
  /** How long a request's body may take to arrive, unless its route allows more. */
  bodyMs: number
  /** How long a client may take, once an answer is written, to take the last of it. */
  deliveryMs: number
  /** Requests of one connection that may wait for their answers; one that sends more is cut off. */
  pipelined: number
}

export function createAnswers({ bodyMs, deliveryMs, pipelined }: AnswerLimits) {
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
    /** False for a request that is not to be taken up, because its connection has been cut off. */
    follow(request: IncomingMessage, answer: ServerResponse): boolean {
      const { socket } = request
      // Node goes on with what it has read of a connection that was cut off: thousands of requests, when they are short.
      if (socket.destroyed) return false
      const answers = answersOn(socket)
      if (answers.size >= pipelined) {
        socket.destroy()
        return false
      }
      answers.add(answer)
      limitBodyTime(request, answer, bodyMs)
      if (isEnding) answer.shouldKeepAlive = false
      let delivery: NodeJS.Timeout | undefined
      answer.once('prefinish', () => {
        delivery = setTimeout(() => socket.destroy(), deliveryMs)
      })
      answer.once('finish', () => letGo(request, bodyMs))
      answer.once('close', () => {
        clearTimeout(delivery)
        answers.delete(answer)
        changes.emit('closed')
      })
      return true
    },

    /** Whether all that the connection waits for is our next word: its requests are here, and what was said is taken. */
    isOurTurn(socket: Socket): boolean {
      const answers = [...(open.get(socket) ?? [])]
      return socket.writableLength === 0 && answers.length > 0 && answers.every(({ req }) => req.complete)
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

/** What is left of a body that was refused is read and forgotten: the next request of its connection stands behind it. */
function letGo(request: IncomingMessage, bodyMs: number): void {
  if (request.complete) return
  allowBodyTime(request, bodyMs)
  request.unpipe().resume()
}
