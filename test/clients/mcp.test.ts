// The MCP server as agents' own programs use it: the SDKs of TypeScript and Python, the AI SDK and the inspector, over HTTP
// with a key, over HTTP with a token in the path, and over stdio.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { MAIN } from '../support/built.ts'
import {
  aScore,
  NPM_CLIENTS,
  outputOf,
  QUESTION,
  startClientService,
  thePassage,
  type ClientService,
} from './client-service.ts'

const INSPECTOR = join(
  NPM_CLIENTS,
  'node_modules',
  '@modelcontextprotocol',
  'inspector',
  'cli',
  'build',
  'cli.js',
)
const TOOLS = ['search', 'fetch', 'verify']

let clients: ClientService
let dataDir: string
beforeAll(async () => {
  clients = await startClientService()
  dataDir = mkdtempSync(join(tmpdir(), 'verbatim-mcp-'))
})
afterAll(async () => {
  await clients.close()
  rmSync(dataDir, { recursive: true, force: true })
})

/** The texts of search, fetch and verify, as an agent reads them. */
function expectAnswers(texts: readonly string[]): void {
  const [found, page, checked] = texts.map((text) => JSON.parse(text) as unknown)
  expect(found).toMatchObject({
    results: expect.arrayContaining([
      expect.objectContaining({ url: clients.page, text: thePassage, score: aScore }),
    ]),
  })
  expect(page).toMatchObject({ url: clients.page, title: 'Managing keys', text: thePassage })
  expect(checked).toMatchObject({ quotes: [{ match: 'exact' }] })
}

/** The command that an agent starts, over the same little web, and its settings. */
const stdio = () => ({
  command: [process.execPath, MAIN, 'mcp'],
  settings: {
    DATA_DIR: dataDir,
    SEARCH_PROVIDERS: 'searxng',
    SEARXNG_URL: clients.site.engineUrl,
    EGRESS_ALLOW: '127.0.0.1',
    BROWSER: 'off',
  },
})

interface Told {
  tools: string[]
  texts: string[]
}

test('the SDK for TypeScript gets passages with scores, pages and verdicts', async () => {
  const { tools, texts } = (await clients.node('clients.mjs', ['mcp'])) as Told
  expect(tools).toEqual(TOOLS)
  expectAnswers(texts)
})

test('the SDK for Python gets the same over HTTP with a key, with a token in the path, and over stdio', async () => {
  const { command, settings } = stdio()
  const more = { VERBATIM_STDIO: JSON.stringify({ command, ...settings }) }
  const told = (await clients.python('clients.py', ['mcp'], more)) as Record<string, Told>
  expect(Object.keys(told)).toEqual(['http', 'token', 'stdio'])
  expect([told['http']?.tools, told['stdio']?.tools]).toEqual([TOOLS, TOOLS])
  expectAnswers(told['http']?.texts ?? [])
  expectAnswers(told['stdio']?.texts ?? [])
  expect(told['token']?.texts[0]).toEqual(thePassage)
})

test('the AI SDK gives a model the tool, and the passages to read when it calls it', async () => {
  const { tools, read } = (await clients.node('clients.mjs', ['aiSdk'])) as { tools: string[]; read: unknown }
  expect(tools).toContain('search')
  expect(JSON.stringify(read)).toEqual(thePassage)
})

test('the inspector lists the tools and calls one, over HTTP and over stdio', async () => {
  const inspect = async (...args: string[]): Promise<unknown> =>
    JSON.parse(await outputOf(process.execPath, [INSPECTOR, '--cli', ...args], {}))
  const header = `Authorization: Bearer ${clients.service.key}`
  const http = [`${clients.service.url}/mcp`, '--transport', 'http', '--header', header]
  const { tools } = (await inspect(...http, '--method', 'tools/list')) as { tools: { name: string }[] }
  expect(tools.map(({ name }) => name)).toEqual(TOOLS)
  const { command, settings } = stdio()
  const variables = Object.entries(settings).flatMap(([name, value]) => ['-e', `${name}=${value}`])
  const call = ['--method', 'tools/call', '--tool-name', 'search', '--tool-arg', `query=${QUESTION}`]
  for (const server of [http, [...variables, ...command]])
    expect(await inspect(...server, ...call)).toMatchObject({ content: [{ type: 'text', text: thePassage }] })
})
