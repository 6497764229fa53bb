// A loopback server that answers as a search engine would: it keeps every request and gives one reply after the other.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { endServer } from '../../support/loopback.ts'
import { freePort } from '../../support/programs.ts'

export interface SeenRequest {
  method: string
  path: string
  /** Of the path with its parameters, as it came. */
  addressBytes: number
  query: Record<string, string>
  headers: Record<string, string>
  /** Parsed when it is JSON, else the text; undefined when empty. */
  body: unknown
}

export type Reply = (request: SeenRequest, response: ServerResponse) => void

export const replyWith =
  (
    status: number,
    body: string,
    headers: Record<string, string> = { 'content-type': 'application/json' },
  ): Reply =>
  (_request, response) =>
    void response.writeHead(status, headers).end(body)

/** Never answers; the socket is closed with the server. */
export const neverReply: Reply = () => undefined

/** Says that it answers and then gives a byte now and again, without end. */
export const replyTrickling: Reply = (_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json' })
  const drip = setInterval(() => response.write(' '), 20)
  response.once('close', () => clearInterval(drip))
}

/** Promises more bytes than it sends and then breaks the connection. */
export const replyCutOff =
  (body: string): Reply =>
  (_request, response) => {
    response.writeHead(200, {
      'content-type': 'application/json',
      'content-length': String(body.length + 100),
    })
    response.write(body.slice(0, Math.ceil(body.length / 2)), () => response.destroy())
  }

/** Replies are used up in order; the last one stays. */
export async function openEngineServer(replies: Reply[]) {
  const requests: SeenRequest[] = []
  const server = createServer((request, response) => {
    const answer = async (): Promise<void> => {
      const seen = await readRequest(request)
      requests.push(seen)
      replies[Math.min(requests.length, replies.length) - 1]?.(seen, response)
    }
    void answer()
  })
  const port = await freePort()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${port}`,
    requests,
    close: () => endServer(server),
  }
}

async function readRequest(request: IncomingMessage): Promise<SeenRequest> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  const url = new URL(request.url ?? '/', 'http://engine')
  return {
    method: request.method ?? '',
    path: url.pathname,
    addressBytes: (request.url ?? '').length,
    query: Object.fromEntries(url.searchParams),
    headers: Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    ),
    body: parseBody(text),
  }
}

function parseBody(text: string): unknown {
  if (text === '') return undefined
  return /^\s*[[{]/u.test(text) ? JSON.parse(text) : Object.fromEntries(new URLSearchParams(text))
}
