import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/sdk/types.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { article, startSearchSite, type SearchSite } from '../support/search-site.ts'
import { startService, type TestService } from '../support/service.ts'

const TEXT =
  'A key can be revoked at any time in the dashboard. The revocation takes effect within one second on every replica, and every later request with the revoked key is refused with status 401, whatever it asks for.'

let site: SearchSite
let service: TestService
let client: Client
beforeAll(async () => {
  site = await startSearchSite({
    '/keys': { html: article('Managing keys', [TEXT]) },
    '/long': {
      html: article(
        'Long',
        Array.from({ length: 400 }, (_, index) => `${index}. ${TEXT}`),
      ),
    },
  })
  service = await startService({ SEARCH_PROVIDERS: 'searxng', SEARXNG_URL: site.engineUrl })
  client = new Client({ name: 'test', version: '1' })
  await client.connect(transport(service.key))
})
afterAll(async () => {
  await client.close()
  await service.close()
  await site.close()
})

const transport = (key: string): StreamableHTTPClientTransport =>
  new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), {
    requestInit: { headers: { Authorization: `Bearer ${key}` } },
  })

interface ToolAnswer {
  isError?: boolean
  content: { type: string; text: string }[]
  structuredContent?: Record<string, unknown>
}
const call = async (name: string, input: Record<string, unknown>): Promise<ToolAnswer> =>
  (await client.callTool({ name, arguments: input })) as unknown as ToolAnswer

describe('the MCP server', () => {
  test('offers search and fetch, read-only, with output schemas, in few words', async () => {
    const { tools } = await client.listTools()
    expect(tools.map((tool) => tool.name)).toEqual(['search', 'fetch'])
    for (const tool of tools) {
      expect(tool.annotations).toMatchObject({ readOnlyHint: true })
      expect(tool.outputSchema).toBeDefined()
    }
    expect(JSON.stringify(tools).length).toBeLessThan(2_500)
  })

  test('search returns verbatim passages with their scores, as text and as structure', async () => {
    site.find('/keys')
    const answer = await call('search', { query: 'How do I revoke a key?' })
    expect(answer.isError ?? false).toBe(false)
    const results = answer.structuredContent?.['results'] as { url: string; passages: { text: string }[] }[]
    expect(results[0]?.url).toBe(`${site.siteUrl}/keys`)
    expect(TEXT).toContain(results[0]?.passages[0]?.text)
    expect(answer.content[0]?.text).toContain('revoked at any time')
  })

  test('fetch returns the text of a page, capped', async () => {
    const answer = await call('fetch', { id: `${site.siteUrl}/long` })
    expect(answer.structuredContent).toMatchObject({ id: `${site.siteUrl}/long`, title: 'Long' })
    expect(JSON.stringify(answer).length).toBeLessThan(25_000)
  })

  test('page text stands between marks that differ from answer to answer', async () => {
    const marks = []
    for (let round = 0; round < 2; round += 1) {
      const { content } = await call('fetch', { id: `${site.siteUrl}/keys` })
      marks.push(/between the marks ([0-9a-f]{12})/u.exec(content[0]?.text ?? '')?.[1])
    }
    expect(new Set(marks).size).toBe(2)
  })

  test.each([
    ['search', { query: '  ' }, /query/u],
    ['fetch', { id: 'file:///etc/passwd' }, /http/u],
    ['fetch', { id: 'http://10.0.0.1/' }, /./u],
  ])('%s(%j) fails as a tool error with advice', async (name, input, says) => {
    const answer = await call(name, input)
    expect(answer.isError).toBe(true)
    expect(answer.content[0]?.text).toMatch(says)
  })

  test('is closed without a key', async () => {
    await expect(new Client({ name: 'test', version: '1' }).connect(transport('vbt_wrong'))).rejects.toThrow()
  })

  test.each(SUPPORTED_PROTOCOL_VERSIONS.slice(0, 2))(
    'speaks protocol revision %s',
    async (protocolVersion) => {
      const response = await fetch(`${service.url}/mcp`, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${service.key}`,
          'Content-Type': 'application/json',
          Accept: 'application/json, text/event-stream',
        },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'initialize',
          params: { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '1' } },
        }),
      })
      expect(await response.json()).toMatchObject({ result: { protocolVersion } })
    },
  )
})
