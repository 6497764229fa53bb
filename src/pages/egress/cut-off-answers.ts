// Tells an answer that was cut off from a whole one. A server that says it will close the connection and then does so in
// the midst of a chunked body has undici 7.25 take what came for all of it; Chromium and curl call it an error.
import { subscribe } from 'node:diagnostics_channel'
import { Socket } from 'node:net'
import { errors, type Dispatcher } from 'undici'

/** The socket that each request was written to: undici tells it on this channel and nowhere else. */
const sockets = new WeakMap<object, Socket>()
/** The socket whose answer has just been told to be complete; read by the answer's handler in the same turn. */
let completing: Socket | undefined

const part = (message: unknown, name: string): unknown => Reflect.get(Object(message), name)

subscribe('undici:client:sendHeaders', (message) => {
  const socket = part(message, 'socket')
  if (socket instanceof Socket) sockets.set(Object(part(message, 'request')), socket)
})
subscribe('undici:request:trailers', (message) => {
  completing = sockets.get(Object(part(message, 'request')))
})

/** An interceptor by which an answer that its connection's end cut off ends in an error, whatever undici makes of it. */
export function failCutOffAnswers(dispatch: Dispatcher['dispatch']): Dispatcher['dispatch'] {
  return (options, handler) => dispatch(options, withoutCutOffEnds(handler))
}

function withoutCutOffEnds(handler: Dispatcher.DispatchHandler): Dispatcher.DispatchHandler {
  let isChunked = false
  return {
    onRequestStart: (controller, context) => handler.onRequestStart?.(controller, context),
    onRequestUpgrade: (...upgrade) => handler.onRequestUpgrade?.(...upgrade),
    onResponseStart(controller, status, headers, text) {
      isChunked = /\bchunked\b/iu.test(String(headers['transfer-encoding'] ?? ''))
      handler.onResponseStart?.(controller, status, headers, text)
    },
    onResponseData: (controller, chunk) => handler.onResponseData?.(controller, chunk),
    onResponseEnd(controller, trailers) {
      const socket = completing
      completing = undefined
      if (socket !== undefined && isCutOff(socket, isChunked))
        handler.onResponseError?.(controller, new errors.SocketError('cut off'))
      else handler.onResponseEnd?.(controller, trailers)
    },
    onResponseError: (controller, error) => handler.onResponseError?.(controller, error),
  }
}

/** A chunked answer that came whole is complete before the end of its connection is seen; any other ends with it. */
const isCutOff = (socket: Socket, isChunked: boolean): boolean =>
  socket.errored !== null || (isChunked && (socket.readableEnded || socket.destroyed))
