// How long the body of a request may take to arrive. Node knows one time for all requests of a server, and a form with
// documents takes as long as its sender's line is slow.
import type { IncomingMessage, ServerResponse } from 'node:http'

const REQUEST_TIMEOUT = 'HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n'

const limits = new WeakMap<IncomingMessage, (limitMs: number) => void>()

/** Unless it has arrived `limitMs` from now, the answer is 408, or where one was begun none, and the connection is cut. */
export function limitBodyTime(request: IncomingMessage, answer: ServerResponse, limitMs: number): void {
  let timer: NodeJS.Timeout | undefined
  const limit = (ms: number): void => {
    clearTimeout(timer)
    if (!request.complete) timer = setTimeout(() => request.complete || cutOff(answer), ms)
  }
  request.once('close', () => clearTimeout(timer))
  limits.set(request, limit)
  limit(limitMs)
}

/** Gives the body of this request `limitMs` from now, however long it has taken. */
export const allowBodyTime = (request: IncomingMessage, limitMs: number): void =>
  limits.get(request)?.(limitMs)

/** An answer has its connection when those before it are out. */
function cutOff(answer: ServerResponse): void {
  const { socket } = answer
  if (socket !== null && !answer.headersSent) socket.write(REQUEST_TIMEOUT)
  answer.req.socket.destroy()
}
