import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { article, hangingPage, startSearchSite, type SearchSite } from '../support/search-site.ts'

const MAIN = join(import.meta.dirname, '..', '..', 'dist', 'main.js')
const TEXT =
  'A key can be revoked at any time in the dashboard. The revocation takes effect within one second on every replica, and every later request with the revoked key is refused with status 401, whatever it asks for.'

let dataDir: string
let site: SearchSite
let client: Client
let transport: StdioClientTransport
const hanging = { asked: 0, closed: 0 }

const environment = (): Record<string, string> => ({
  ...(process.env as Record<string, string>),
  DATA_DIR: dataDir,
  BROWSER: 'off',
  EGRESS_ALLOW: '127.0.0.1',
  SEARCH_PROVIDERS: 'searxng',
  SEARXNG_URL: site.engineUrl,
})

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'verbatim-mcp-'))
  site = await startSearchSite({
    '/keys': { html: article('Managing keys', [TEXT]) },
    '/hang': hangingPage(hanging),
  })
  client = new Client({ name: 'test', version: '1' })
  transport = new StdioClientTransport({ command: process.execPath, args: [MAIN, 'mcp'], env: environment() })
  await client.connect(transport)
})
afterAll(async () => {
  await client.close()
  await site.close()
  rmSync(dataDir, { recursive: true, force: true })
})

interface ToolAnswer {
  isError?: boolean
  content: { type: string; text: string }[]
}
const call = async (
  name: string,
  input: Record<string, unknown>,
  signal?: AbortSignal,
): Promise<ToolAnswer> =>
  (await client.callTool(
    { name, arguments: input },
    undefined,
    signal && { signal },
  )) as unknown as ToolAnswer

describe('verbatim mcp', () => {
  test('offers the tools search, fetch and verify to the official client', async () => {
    expect(client.getServerVersion()?.name).toBe('verbatim')
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(['search', 'fetch', 'verify'])
  })

  test('searches and reads pages, without a service and without a key', async () => {
    site.find('/keys')
    const found = await call('search', { query: 'How do I revoke a key?', search_depth: 'exhaustive' })
    const { results } = JSON.parse(found.content[0]?.text ?? '') as {
      results: { id: string; text: string }[]
    }
    expect(results[0]?.text).toContain(TEXT)
    const page = await call('fetch', { id: results[0]?.id })
    expect(JSON.parse(page.content[0]?.text ?? '')).toMatchObject({
      title: 'Managing keys',
      text: expect.stringContaining(TEXT),
    })
  })

  test('fails as a tool error with advice', async () => {
    const answer = await call('fetch', { id: 'file:///etc/passwd' })
    expect(answer.isError).toBe(true)
    expect(answer.content[0]?.text).toMatch(/does not open/u)
  })

  test('a call that the agent takes back stops: its page is let go', async () => {
    site.find('/hang')
    const controller = new AbortController()
    const search = call('search', { query: 'q' }, controller.signal)
    await expect.poll(() => hanging.asked).toBe(1)
    controller.abort('enough')
    await expect(search).rejects.toThrow()
    await expect.poll(() => hanging.closed, { timeout: 3_000 }).toBe(1)
  })

  test.each(['closes stdin', 'sends SIGTERM', 'takes its call back and closes stdin'])(
    'ends with 0, and no word of a failure, when the agent %s, in the middle of work too',
    async (how) => {
      site.find('/hang')
      const [before, closed] = [hanging.asked, hanging.closed]
      const child = spawn(process.execPath, [MAIN, 'mcp'], { env: environment() })
      let [stdout, stderr] = ['', '']
      child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()))
      child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
      const send = (message: object): unknown =>
        child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
      const clientInfo = { name: 'test', version: '1' }
      send({
        id: 1,
        method: 'initialize',
        params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo },
      })
      send({ method: 'notifications/initialized' })
      send({ id: 2, method: 'tools/call', params: { name: 'search', arguments: { query: 'q' } } })
      await expect.poll(() => hanging.asked, { timeout: 30_000 }).toBe(before + 1)
      const exit = once(child, 'exit')
      if (how.startsWith('takes')) {
        send({ method: 'notifications/cancelled', params: { requestId: 2 } })
        await expect.poll(() => hanging.closed, { timeout: 3_000 }).toBe(closed + 1)
      }
      if (how === 'sends SIGTERM') child.kill('SIGTERM')
      else child.stdin.end()
      expect(await exit).toEqual([0, null])
      for (const line of stdout.trimEnd().split('\n'))
        expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' })
      expect(stderr).not.toContain('failed')
    },
  )
})

test('a client that asks for the revision with batches, which stdio does not read here, is offered the next one', async () => {
  const child = spawn(process.execPath, [MAIN, 'mcp'], {
    env: environment(),
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const clientInfo = { name: 'test', version: '1' }
  const params = { protocolVersion: '2025-03-26', capabilities: {}, clientInfo }
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`)
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  expect(JSON.parse(line.toString())).toMatchObject({
    id: 1,
    result: { protocolVersion: '2025-06-18', capabilities: { tools: { listChanged: false } } },
  })
  const ended = once(child, 'exit')
  child.stdin.end()
  expect(await ended).toEqual([0, null])
})
