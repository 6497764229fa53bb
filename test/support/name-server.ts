// A DNS server on loopback (UDP) that answers A and AAAA questions from a table, so that resolving is tested over the wire.
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { isIPv4 } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Addresses of a name, or what the server does instead: says that it does not exist, that it failed, or nothing. */
export type Zone = Record<string, readonly string[] | 'NXDOMAIN' | 'SERVFAIL' | 'silent'>

const RESPONSE_CODES = { NXDOMAIN: 3, SERVFAIL: 2 } as const
const TYPE_A = 1
const TYPE_AAAA = 28

/** Serves `zone`, which may change while it runs. `questions` is every question so far: "A name". */
export async function startNameServer(zone: Zone) {
  const questions: string[] = []
  const socket = createSocket('udp4')
  socket.on('message', (message, { port, address }) => {
    const { name, type, end } = readQuestion(message)
    questions.push(`${type === TYPE_A ? 'A' : 'AAAA'} ${name}`)
    const known = zone[name] ?? 'NXDOMAIN'
    if (known === 'silent') return
    const code = typeof known === 'string' ? RESPONSE_CODES[known] : 0
    const addresses =
      typeof known === 'string' ? [] : known.filter((text) => isIPv4(text) === (type === TYPE_A))
    socket.send(respond(message.subarray(0, end), code, type, addresses), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    address: `127.0.0.1:${socket.address().port}`,
    questions,
    close: () => new Promise<void>((resolve) => socket.close(() => resolve())),
  }
}

function readQuestion(message: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), type: message.readUInt16BE(at + 1), end: at + 5 }
}

/** RFC 1035 §4.1: the question again, then one record for each address, its name a pointer to the question's. */
function respond(question: Buffer, code: number, type: number, addresses: readonly string[]): Buffer {
  const head = Buffer.from(question)
  head.writeUInt16BE(0x8180 | code, 2)
  head.writeUInt16BE(addresses.length, 6)
  head.writeUInt32BE(0, 8)
  const records = addresses.map((address) => {
    const data = Buffer.from(ipaddr.parse(address).toByteArray())
    const record = Buffer.from([
      0xc0,
      0x0c,
      0,
      type === TYPE_AAAA ? TYPE_AAAA : TYPE_A,
      0,
      1,
      0,
      0,
      0,
      60,
      0,
      data.length,
    ])
    return Buffer.concat([record, data])
  })
  return Buffer.concat([head, ...records])
}
