// The tools `search`, `fetch` and `verify` of the Model Context Protocol, for either transport: the same pipeline as the
// API. Their text content is JSON as ChatGPT's connectors expect it, within what an agent's context can hold.
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import { LIMITS } from '../../../contract/limits.ts'
import { parseSearchRequest, RECENCIES, SEARCH_DEPTHS } from '../../../contract.ts'
import { parseVerifyRequest } from '../../../contract/verify.ts'
import type { KeyScope } from '../../../contract/key-scopes.ts'
import { isPageAddress, PAGE_ADDRESS_RULE } from '../../../contract/fields.ts'
import { badRequest } from '../../../errors.ts'
import type { AdmittedReadPages } from '../../../search/given/admitted-work.ts'
import type { PageAccess } from '../../../search/proof/single-page.ts'
import type { SearchOptions } from '../../../search/search-context.ts'
import type { Search } from '../../../search/search.ts'
import { foreignLanguage } from '../../request/foreign-language.ts'
import { describePage, describeSearch, describeVerification, TEXT_TOKENS } from './mcp-answers.ts'

const READ_ONLY = { readOnlyHint: true, idempotentHint: true, openWorldHint: true } as const

export interface ToolOptions {
  search: Search
  readPages: AdmittedReadPages
  pageAccess: Pick<PageAccess, 'verify'>
  version: string
}

/** On whose behalf the tools work. */
export interface ToolCaller {
  /** Tools beyond these are not offered. */
  scopes: readonly KeyScope[]
  /** Made anew for each call. */
  searchOptions: () => SearchOptions
  /** Aborts when the client goes away. */
  signal: AbortSignal
  /** Records what a tool call failed with; gives the sentence that the agent is told. */
  describeFailure: (thrown: unknown) => string
  /** Told of the snippets that a search has answered. */
  onSnippets?: (count: number) => void
}

/** What a tool works with. */
interface ToolContext {
  options: ToolOptions
  caller: ToolCaller
  signal: AbortSignal
}

/** A server with the tools that the caller may use; nothing is connected to it yet. */
export function createMcpServer(options: ToolOptions, caller: ToolCaller): McpServer {
  const server = new McpServer({ name: 'verbatim', version: options.version })
  if (caller.scopes.includes('search')) offerSearch(server, options, caller)
  if (caller.scopes.includes('read')) offerFetch(server, options, caller)
  if (caller.scopes.includes('verify')) offerVerify(server, options, caller)
  // The library says that the list may change; ours never does, and a server without sessions could not tell.
  server.server.registerCapabilities({ tools: { listChanged: false } })
  return server
}

function offerSearch(server: McpServer, options: ToolOptions, caller: ToolCaller): void {
  server.registerTool(
    'search',
    {
      title: 'Web search',
      description: 'Searches the web; gives passages of the pages word for word, scored 0..1.',
      inputSchema: {
        query: z.string(),
        num_results: z.int().min(1).max(LIMITS.resultsMax).nullish(),
        page: z.int().min(1).max(LIMITS.pageMax).nullish(),
        search_depth: z.enum(SEARCH_DEPTHS).nullish(),
        recency: z.enum(RECENCIES).nullish(),
        language: z.string().nullish().describe('Of the pages: en, de, …'),
        include_domains: z.array(z.string()).nullish(),
        exclude_domains: z.array(z.string()).nullish(),
      },
      annotations: READ_ONLY,
    },
    answering(search, options, caller),
  )
}

function offerFetch(server: McpServer, options: ToolOptions, caller: ToolCaller): void {
  server.registerTool(
    'fetch',
    {
      title: 'Read a page',
      description: 'Reads a web page. The id is that of a search result, or any URL.',
      inputSchema: {
        id: z.string(),
        offset: z.int().min(0).nullish().describe('Go on from metadata.next_offset'),
      },
      annotations: READ_ONLY,
    },
    answering(fetchPage, options, caller),
  )
}

function offerVerify(server: McpServer, options: ToolOptions, caller: ToolCaller): void {
  server.registerTool(
    'verify',
    {
      title: 'Check quotes',
      description: 'Says of each quote whether it stands on the page: exact, normalised or none.',
      inputSchema: { url: z.string(), quotes: z.array(z.string()) },
      annotations: READ_ONLY,
    },
    answering(verify, options, caller),
  )
}

/** Runs a tool on behalf of `caller`. Failures are answers of the tool, in public words; whatever is thrown stops here. */
const answering =
  <Input>(
    run: (context: ToolContext, input: Input) => Promise<CallToolResult>,
    options: ToolOptions,
    caller: ToolCaller,
  ) =>
  async (input: Input, { signal }: { signal: AbortSignal }): Promise<CallToolResult> => {
    try {
      return await run({ options, caller, signal: AbortSignal.any([caller.signal, signal]) }, input)
    } catch (thrown) {
      // Nobody is sent this: what a client takes back has not failed.
      if (signal.aborted && !caller.signal.aborted) return toolError('The call was taken back.')
      return toolError(caller.describeFailure(thrown))
    }
  }

async function search(
  { options, caller, signal }: ToolContext,
  { language, ...fields }: Record<string, unknown>,
): Promise<CallToolResult> {
  // Models send null for what they leave out.
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null))
  const parsed = parseSearchRequest({
    ...given,
    ...foreignLanguage(language),
    max_total_tokens: TEXT_TOKENS,
    include: ['flags'],
  })
  if (!parsed.ok) throw badRequest(parsed.issues.map((issue) => issue.message).join(' '), parsed.issues)
  const { response } = await options.search(parsed.request, caller.searchOptions(), signal)
  const { json, snippets } = describeSearch(response, parsed.request)
  caller.onSnippets?.(snippets)
  return textOf(json)
}

async function fetchPage(
  { options, caller, signal }: ToolContext,
  { id, offset: from }: { id: string; offset?: number | null | undefined },
): Promise<CallToolResult> {
  const offset = from ?? 0
  if (!isPageAddress(id)) throw badRequest(`id ${PAGE_ADDRESS_RULE}`)
  if (id.length > LIMITS.urlCharacters)
    throw badRequest(`id must be at most ${LIMITS.urlCharacters} characters long.`)
  // A little more than is shown, so that it is known whether the page goes on: a token is taken for three characters at most.
  const budget = { maxCharacters: offset + 4 * TEXT_TOKENS, maxTokens: null }
  const request = {
    urls: [id],
    query: null,
    format: 'text',
    budget,
    maxAgeMs: null,
    isProofWanted: false,
    isBundleWanted: false,
  } as const
  const [page] = await options.readPages(request, caller.searchOptions(), signal)
  if (page === undefined) throw new Error('no page for an address')
  if (page.failure !== null) return toolError(`${page.failure.message} Try another result of search.`)
  return textOf(describePage(page, id, offset))
}

async function verify(
  { options, signal }: ToolContext,
  input: { url: string; quotes: string[] },
): Promise<CallToolResult> {
  const parsed = parseVerifyRequest(input)
  if (!parsed.ok) throw badRequest(parsed.issues.map((issue) => issue.message).join(' '), parsed.issues)
  return textOf(describeVerification(await options.pageAccess.verify(parsed.request, signal)))
}

const textOf = (json: unknown): CallToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(json) }],
})

function toolError(text: string): CallToolResult {
  return { isError: true, content: [{ type: 'text', text }] }
}
