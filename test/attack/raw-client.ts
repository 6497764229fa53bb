// HTTP by hand: bytes on a socket that no HTTP client would send.
import { connect, type Socket } from 'node:net'
import { request } from 'node:http'
import type { IncomingHttpHeaders } from 'node:http'

export interface Answer {
  status: number
  headers: IncomingHttpHeaders
  text: string
}

/** Sends `bytes`, then waits until the server closes, or for `lingerMs`; returns everything it said. */
export async function exchange(url: string, bytes: string | Buffer, lingerMs = 2_000): Promise<string> {
  const socket = await openSocket(url)
  let said = ''
  socket.on('data', (chunk: Buffer) => (said += chunk.toString('latin1')))
  socket.write(bytes)
  await closeOf(socket, lingerMs)
  socket.destroy()
  return said
}

export function openSocket(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port) }, () => {
      socket.off('error', reject)
      // A server that cuts an attacker off resets the connection: that is an outcome, no failure.
      socket.on('error', () => socket.destroy())
      resolve(socket)
    })
    socket.once('error', reject)
  })
}

/** Settles when the other side has closed, or after `lingerMs`. */
export function closeOf(socket: Socket, lingerMs: number): Promise<'closed' | 'open'> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve('open'), lingerMs)
    const closed = (): void => {
      clearTimeout(timer)
      resolve('closed')
    }
    if (socket.closed || socket.readableEnded) closed()
    // Nobody else may be reading, and an end is seen by readers alone.
    socket.resume()
    socket.once('end', closed)
    socket.once('close', closed)
  })
}

/** The statuses of every response in `said`, in order; no body of ours holds a status line. */
export const statusesIn = (said: string): number[] =>
  [...said.matchAll(/HTTP\/1\.1 (\d{3}) /gu)].map((match) => Number(match[1]))

/** One request with any method, path and headers that are legal on the wire. */
export function send(
  url: string,
  {
    body,
    ...options
  }: { method: string; path: string; headers: Record<string, string>; body?: string | Buffer },
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(new URL(url), { ...options, agent: false }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.once('error', reject)
      response.once('end', () => {
        const text = Buffer.concat(chunks).toString()
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text })
      })
    })
    sent.once('error', reject)
    sent.end(body)
  })
}
