import { once } from 'node:events'
import { request } from 'node:http'
import Koa from 'koa'
import { expect, test } from 'vitest'
import { errorBoundary } from '../../../src/http/request/error-boundary.ts'
import {
  followRequests,
  type FinishedRequest,
  type RequestState,
} from '../../../src/http/request/follow-requests.ts'
import { readBody } from '../../../src/http/request/json-body.ts'
import { openServer } from '../../../src/http/server.ts'
import { createLogger } from '../../../src/telemetry/log.ts'

/** Something to wait for. */
function happening() {
  let tell = (): void => undefined
  const told = new Promise<void>((resolve) => (tell = resolve))
  return { tell: () => tell(), told }
}

test.each([
  ['whole', '{"query":"a"}'],
  ['in part', '{"query":'],
])(
  'a client that leaves while its key is looked up is counted and logged as gone, its body having come %s',
  async (_what, sent) => {
    const lines: string[] = []
    const log = createLogger('info', { write: (line: string) => lines.push(line) })
    const finished: FinishedRequest[] = []
    const [arrived, ended] = [happening(), happening()]
    const app = new Koa<RequestState>()
    app.silent = true
    app.use(followRequests({ log, startRequest: null, onFinished: (one) => finished.push(one) }))
    app.use(async (_context, next) => next().finally(ended.tell))
    app.use(errorBoundary(log))
    app.use(async ({ res }, next) => {
      arrived.tell()
      await once(res, 'close')
      await next()
    })
    app.use(readBody())
    const server = await openServer({ host: '127.0.0.1', port: 0 })
    server.serve(app)
    const headers = { 'Content-Type': 'application/json', 'Content-Length': 13 }
    const client = request({ host: '127.0.0.1', port: server.port, method: 'POST', headers })
    client.on('error', () => undefined)
    client.write(sent)
    await arrived.told
    client.destroy()
    await ended.told
    expect(finished).toMatchObject([{ status: 499 }])
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ msg: 'request', status: 499 }])
    await server.close(0)
  },
)
