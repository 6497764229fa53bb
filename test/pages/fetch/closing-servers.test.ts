// Servers that close the connection behind their answer, as simple ones do. undici 7.26 to 7.30 end the process with an
// AssertionError when such an answer ends while it waits to be read (nodejs/undici#5360, mended in 8, which needs Node 22);
// these tests keep the version in package.json where it is until then.
import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { request } from 'undici'
import { afterEach, describe, expect, it } from 'vitest'
import { openEgress } from '../../../src/pages/egress/egress.ts'
import { createHostLimiter } from '../../../src/pages/robots/host-limiter.ts'
import { decodeLongPage } from '../../../src/pages/fetch/decode-page.ts'
import { createStaticLoader } from '../../../src/pages/static-loader.ts'

const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

/** Answers every request with these bytes and closes. */
async function serveAndClose(headers: readonly string[], body: Buffer): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy())
    socket.once('data', () => {
      socket.write(['HTTP/1.1 200 OK', 'Connection: close', ...headers, '', ''].join('\r\n'))
      socket.end(body)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closers.push(async () => server.close())
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`
}

/** Whatever ends the process: the runner would only say that it happened, not which test is to blame. */
async function withoutCrash(work: () => Promise<void>): Promise<void> {
  const crashes: unknown[] = []
  const note = (error: unknown): void => void crashes.push(error)
  process.on('uncaughtException', note)
  try {
    await work()
    expect(crashes).toEqual([])
  } finally {
    process.off('uncaughtException', note)
  }
}

describe('a server that closes the connection behind its answer', () => {
  it.each([66_000, 131_072, 1_000_000])('loses nothing of %i bytes that are read slowly', async (size) => {
    for (const length of [[`Content-Length: ${size}`], []]) {
      const url = await serveAndClose(length, Buffer.alloc(size, 'x'))
      const egress = openEgress({ allow: ['127.0.0.1'] })
      closers.push(() => egress.close())
      await withoutCrash(async () => {
        const { body } = await request(url, { dispatcher: egress.dispatcher })
        let received = 0
        for await (const chunk of body) {
          received += Buffer.from(chunk).length
          await sleep(5)
        }
        expect(received).toBe(size)
      })
    }
  })

  it('gives a compressed page whole, which is read as slowly as it is unpacked', async () => {
    const words = Array.from({ length: 60_000 }, (_, index) => ((index * 2_654_435_761) >>> 0).toString(36))
    const html = `<!doctype html><title>Long</title><p>${words.join(' ')}</p>`
    const packed = gzipSync(html, { level: 1 })
    expect(packed.length).toBeGreaterThan(250_000)
    const url = await serveAndClose(
      ['Content-Type: text/html', 'Content-Encoding: gzip', `Content-Length: ${packed.length}`],
      packed,
    )
    const egress = openEgress({ allow: ['127.0.0.1'] })
    closers.push(() => egress.close())
    const loader = createStaticLoader({
      egress,
      robots: null,
      hostLimiter: createHostLimiter(),
      userAgent: 'Verbatim-test/1',
      decodeLong: decodeLongPage,
    })
    await withoutCrash(async () => {
      for (let round = 0; round < 8; round += 1) {
        const within = { deadlineMs: Date.now() + 10_000, fresh: true }
        const { capture } = await loader.load(url, within, new AbortController().signal)
        expect(capture?.content).toBe(html)
        expect(capture?.warning).toBeNull()
      }
    })
  })

  it.each([
    ['between two chunks', '7d0\r\n', 2_000, '\r\n'],
    ['within a chunk', 'fa0\r\n', 2_000, ''],
  ])(
    'and cuts a chunked page off %s has sent its beginning, and it says so',
    async (_name, size, sent, end) => {
      const text = `<!doctype html><title>Cut</title><p>${'word '.repeat(1_000)}`.slice(0, sent)
      const body = Buffer.from(`${size}${text}${end}`)
      const url = await serveAndClose(['Content-Type: text/html', 'Transfer-Encoding: chunked'], body)
      expect(await loadFrom(url)).toMatchObject({ content: text, warning: { code: 'truncated' } })
    },
  )

  it('behind the last chunk of its page has sent all of it', async () => {
    const body = Buffer.from('c\r\n<p>whole</p>\r\n0\r\n\r\n')
    const url = await serveAndClose(['Content-Type: text/html', 'Transfer-Encoding: chunked'], body)
    expect(await loadFrom(url)).toMatchObject({ content: '<p>whole</p>', warning: null })
  })
})

async function loadFrom(url: string): Promise<unknown> {
  const egress = openEgress({ allow: ['127.0.0.1'] })
  closers.push(() => egress.close())
  const hostLimiter = createHostLimiter()
  const loader = createStaticLoader({
    egress,
    robots: null,
    hostLimiter,
    userAgent: 'Verbatim-test/1',
    decodeLong: decodeLongPage,
  })
  const within = { deadlineMs: Date.now() + 10_000, fresh: true }
  return (await loader.load(url, within, new AbortController().signal)).capture
}
