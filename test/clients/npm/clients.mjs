// The clients for Node, each as its documentation shows it. Prints what an application would hand to its model.
// Argument: the name of one of the functions below. Address, key and question come from the environment.
import { argv, env } from 'node:process'

const { VERBATIM_URL: url, VERBATIM_KEY: key, VERBATIM_TOKEN: token } = env
const { VERBATIM_QUESTION: question, VERBATIM_PAGE: page } = env
const documents = JSON.parse(env['VERBATIM_DOCUMENTS'])

const programs = {
  async tavily() {
    const { tavily } = await import('@tavily/core')
    const client = tavily({ apiKey: key, apiBaseURL: `${url}/compat/tavily` })
    const wrong = tavily({ apiKey: 'vbt_wrong', apiBaseURL: `${url}/compat/tavily` })
    return {
      search: await client.search(question, { maxResults: 3, searchDepth: 'advanced' }),
      extract: await client.extract([page], { query: question, format: 'text' }),
      refused: await wrong.search(question).catch((error) => error.message),
    }
  },

  async firecrawl() {
    const { Firecrawl } = await import('@mendable/firecrawl-js')
    const { default: FirecrawlApp } = await import('firecrawl-v1')
    const options = { apiKey: key, apiUrl: `${url}/compat/firecrawl` }
    const [client, old] = [new Firecrawl(options), new FirecrawlApp(options)]
    return {
      search: await client.search(question, { limit: 3, timeout: 30_000 }),
      scrape: await client.scrape(page, { formats: ['markdown', 'rawHtml'], timeout: 30_000 }),
      oldSearch: await old.search(question, { limit: 3 }),
      oldScrape: await old.scrapeUrl(page, { formats: ['markdown'] }),
    }
  },

  async exa() {
    const { Exa } = await import('exa-js')
    const client = new Exa(key, `${url}/compat/exa`)
    return {
      search: await client.searchAndContents(question, { numResults: 3, highlights: true, text: true }),
      contents: await client.getContents([page], { text: true, highlights: { query: question } }),
    }
  },

  async cohere() {
    const { CohereClient, CohereClientV2 } = await import('cohere-ai')
    const options = { token: key, environment: `${url}/compat/cohere` }
    const asked = { model: 'rerank-v3.5', query: question, documents, topN: 2 }
    return {
      version2: (await new CohereClientV2(options).rerank(asked)).results,
      version1: (await new CohereClient(options).rerank({ ...asked, returnDocuments: true })).results,
    }
  },

  async mcp() {
    const { Client } = await import('@modelcontextprotocol/sdk/client/index.js')
    const { StreamableHTTPClientTransport } =
      await import('@modelcontextprotocol/sdk/client/streamableHttp.js')
    const client = new Client({ name: 'test', version: '1' })
    const requestInit = { headers: { Authorization: `Bearer ${key}` } }
    await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }))
    const { tools } = await client.listTools()
    const call = async (name, input) => (await client.callTool({ name, arguments: input })).content[0].text
    const texts = [
      await call('search', { query: question }),
      await call('fetch', { id: page }),
      await call('verify', { url: page, quotes: [documents[1]] }),
    ]
    await client.close()
    return { tools: tools.map(({ name }) => name), texts }
  },

  /** A model of the AI SDK that calls the tool it is given, and what it is given to read in return. */
  async aiSdk() {
    const { createMCPClient } = await import('@ai-sdk/mcp')
    const { generateText, stepCountIs } = await import('ai')
    const { MockLanguageModelV3 } = await import('ai/test')
    const client = await createMCPClient({ transport: { type: 'http', url: `${url}/mcp/${token}` } })
    const usage = {
      inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: 1, text: 1, reasoning: 0 },
    }
    const input = JSON.stringify({ query: question })
    const step = (content, unified) => ({
      content: [content],
      finishReason: { unified },
      usage,
      warnings: [],
    })
    const model = new MockLanguageModelV3({
      doGenerate: [
        step({ type: 'tool-call', toolCallId: '1', toolName: 'search', input }, 'tool-calls'),
        step({ type: 'text', text: 'done' }, 'stop'),
      ],
    })
    const tools = await client.tools()
    await generateText({ model, prompt: question, tools, stopWhen: stepCountIs(3) })
    await client.close()
    const prompt = model.doGenerateCalls[1]?.prompt ?? []
    return { tools: Object.keys(tools), read: prompt.find(({ role }) => role === 'tool')?.content }
  },
}

console.log(JSON.stringify(await programs[argv[2]]()))
