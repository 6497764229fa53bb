// Runs the examples as a reader would, against a real service over real pages.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { MetadataMode } from '@llamaindex/core/schema'
import { generateText, stepCountIs } from 'ai'
import { MockLanguageModelV3 } from 'ai/test'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createWebSearch } from '../../examples/ai-sdk.ts'
import { createSearchTool, VerbatimRetriever } from '../../examples/langchain.ts'
import * as llamaindex from '../../examples/llamaindex.ts'
import { createVerbatimClient } from '../../packages/client/src/index.ts'
import { findProgram, pathFolders } from '../support/programs.ts'
import { article, startSearchSite, type SearchSite } from '../support/search-site.ts'
import { startService, type TestService } from '../support/service.ts'

const EXAMPLES = join(import.meta.dirname, '..', '..', 'examples')
const TSX = join(import.meta.dirname, '..', '..', 'node_modules', 'tsx', 'dist', 'cli.mjs')
const QUESTION = 'How do I "revoke" a\\the key?'
const TEXT =
  'A key can be revoked at any time in the dashboard. The revocation takes effect within one second on every replica, and every later request with the revoked key is refused with status 401, whatever it asks for.'
/** As it is quoted: under its heading. */
const PASSAGE = `Managing keys\n\n${TEXT}`

let site: SearchSite
let service: TestService
let client: ReturnType<typeof createVerbatimClient>
beforeAll(async () => {
  site = await startSearchSite({ '/keys': { html: article('Managing keys', [TEXT]) } })
  service = await startService({ SEARCH_PROVIDERS: 'searxng', SEARXNG_URL: site.engineUrl })
  client = createVerbatimClient({ baseUrl: service.url, apiKey: service.key })
})
afterAll(async () => {
  await service.close()
  await site.close()
})

/** Not spawnSync: the service answers from this very process. */
async function run(
  program: string,
  args: readonly string[],
  key: string = service.key,
): Promise<{ status: number | null; stdout: string; stderr: string }> {
  const child = spawn(program, args, {
    env: { ...process.env, VERBATIM_URL: service.url, VERBATIM_KEY: key },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = { stdout: '', stderr: '' }
  for (const stream of ['stdout', 'stderr'] as const)
    child[stream].on('data', (chunk: Buffer) => (output[stream] += chunk.toString()))
  const status = await new Promise<number | null>((resolve) => void child.once('close', resolve))
  return { status, ...output }
}

const isHere = (program: string): boolean => findProgram(program, pathFolders, program) !== null

/** The example prints the passage, has asked for the question to the letter, and fails loudly without a valid key. */
async function expectToWork(program: string, ...args: string[]): Promise<void> {
  const { status, stdout, stderr } = await run(program, [...args, QUESTION])
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  expect(stdout).toContain(TEXT)
  expect(site.asked.at(-1)?.get('q')).toBe(QUESTION)
  const refused = await run(program, [...args, QUESTION], 'vbt_wrong')
  expect(refused.status).not.toBe(0)
  expect(refused.stdout + refused.stderr).toContain('401')
}

describe('the example to copy works', () => {
  test('with fetch', () => expectToWork(process.execPath, TSX, join(EXAMPLES, 'fetch.ts')))
  test.skipIf(!isHere('curl'))('with curl', () => expectToWork('sh', join(EXAMPLES, 'search.sh')))
  test.skipIf(!isHere('python3'))('in Python', () => expectToWork('python3', join(EXAMPLES, 'search.py')))
})

test('the documentation shows the Python example as it is', () => {
  const code = readFileSync(join(EXAMPLES, 'search.py'), 'utf8').replace(/^#.*\n/gmu, '')
  expect(readFileSync(join(EXAMPLES, '..', 'docs', 'clients.md'), 'utf8')).toContain(code)
})

describe('in LangChain', () => {
  test('the retriever gives one document per passage, with where it stands', async () => {
    const retriever = new VerbatimRetriever(client, { search_depth: 'exhaustive' })
    const documents = await retriever.invoke(QUESTION)
    expect(documents[0]?.pageContent).toBe(PASSAGE)
    expect(documents[0]?.metadata).toMatchObject({ source: `${site.siteUrl}/keys`, title: 'Managing keys' })
    expect(documents[0]?.metadata['link']).toContain('#:~:text=')
  })

  test('the tool answers an agent with passages and their addresses', async () => {
    const answer: unknown = await createSearchTool(client, { search_depth: 'exhaustive' }).invoke({
      query: QUESTION,
    })
    expect(answer).toBe(`${site.siteUrl}/keys\n${PASSAGE}`)
  })
})

describe('in LlamaIndex.TS', () => {
  test('the retriever gives one node per passage, with its score and where it stands', async () => {
    const retriever = new llamaindex.VerbatimRetriever(client, { search_depth: 'exhaustive' })
    const nodes = await retriever.retrieve(QUESTION)
    expect(nodes).toHaveLength(1)
    expect(nodes[0]?.node.getContent(MetadataMode.NONE)).toBe(PASSAGE)
    expect(nodes[0]?.score).toBeGreaterThan(0)
    expect(nodes[0]?.score).toBeLessThanOrEqual(1)
    expect(nodes[0]?.node.metadata).toMatchObject({ source: `${site.siteUrl}/keys`, title: 'Managing keys' })
    expect(nodes[0]?.node.metadata['link']).toContain('#:~:text=')
  })

  test('the tool describes its input and answers an agent with passages and their addresses', async () => {
    const search = llamaindex.createSearchTool(client, { search_depth: 'exhaustive' })
    expect(search.metadata.parameters).toMatchObject({ required: ['query'] })
    expect(await search.call({ query: QUESTION })).toBe(`${site.siteUrl}/keys\n${PASSAGE}`)
  })
})

test('in the AI SDK a model calls the tool and gets the passages', async () => {
  const usage = {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  }
  const input = JSON.stringify({ query: QUESTION })
  // A model that does what it is told: first the call, then the end.
  const model = new MockLanguageModelV3({
    doGenerate: [
      {
        content: [{ type: 'tool-call', toolCallId: '1', toolName: 'webSearch', input }],
        finishReason: { unified: 'tool-calls', raw: undefined },
        usage,
        warnings: [],
      },
      {
        content: [{ type: 'text', text: 'done' }],
        finishReason: { unified: 'stop', raw: undefined },
        usage,
        warnings: [],
      },
    ],
  })
  const { steps, text } = await generateText({
    model,
    prompt: QUESTION,
    tools: { webSearch: createWebSearch(client) },
    stopWhen: stepCountIs(3),
  })
  expect(text).toBe('done')
  expect(steps[0]?.toolResults[0]?.output).toEqual([
    expect.objectContaining({ url: `${site.siteUrl}/keys`, title: 'Managing keys', text: PASSAGE }),
  ])
  expect(JSON.stringify(model.doGenerateCalls[1]?.prompt)).toContain(TEXT)
})
