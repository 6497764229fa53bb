// The Model Context Protocol at /mcp (Streamable HTTP, stateless): same keys, limits and pipeline as the API; only the
// framing is the protocol's. No session, so that any replica can answer any request.
import type { ParameterizedContext } from 'koa'
import { badRequest } from '../../../errors.ts'
import type { Logger } from '../../../telemetry/log.ts'
import { spendPoint, type CallerState, type DoorOptions } from '../../request/authenticate.ts'
import { goneSignal } from '../../request/client-gone.ts'
import { recordFailure } from '../../request/error-boundary.ts'
import { parseJsonMessages } from '../../request/json-body.ts'
import { searchOptionsOf } from '../../request/search-options.ts'
import type { Route } from '../../route.ts'
import type { ToolCaller, ToolOptions } from './mcp-tools.ts'

/** The revision that took batches out of the protocol; a client that names none speaks the one before. */
const WITHOUT_BATCHES = '2025-06-18'
const BATCH_MAX = 10

type McpParts = ToolOptions & Pick<DoorOptions, 'consumeKeyPoint'> & { log: Logger }
type Context = ParameterizedContext<CallerState>

/** With the first message: over a hundred modules, which a service without agents does without. */
async function loadProtocol() {
  const [{ createMcpServer }, { WebStandardStreamableHTTPServerTransport: StreamableTransport }] =
    await Promise.all([
      import('./mcp-tools.ts'),
      import('@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'),
    ])
  return { createMcpServer, StreamableTransport }
}

export const mcpRoute: Route<McpParts> = {
  method: 'post',
  path: '/mcp',
  door: 'key',
  scope: ['search', 'read', 'verify'],
  operation: null,
  createHandler: (parts) =>
    async function answerMcp(context) {
      const { messages, isBatch } = parseJsonMessages(context)
      if (isBatch) await admitBatch(context, messages, parts)
      const { createMcpServer, StreamableTransport } = await loadProtocol()
      const server = createMcpServer(parts, callerOf(context, parts.log))
      const transport = new StreamableTransport({ enableJsonResponse: true })
      await server.connect(transport)
      try {
        // A call and its withdrawal in one batch would be waited for without end; alone, nothing is left to withdraw.
        const received = messages.filter(({ method }) => method !== 'notifications/cancelled')
        if (received.length === 0) return writeAnswer(context, new Response(null, { status: 202 }), '')
        const response = await transport.handleRequest(requestOf(context), {
          parsedBody: isBatch ? received : received[0],
        })
        const text = await response.text()
        // JSON-RPC 2.0 §6: whoever asks in an array is answered in one; the library unpacks a single answer.
        const isUnpacked = isBatch && response.status === 200 && text.startsWith('{')
        writeAnswer(context, response, isUnpacked ? `[${text}]` : text)
      } finally {
        await server.close()
      }
    },
}

/**
 * Refuses a batch that the revision does not know, that is too long or repeats an id, and spends a point for each
 * further call.
 */
async function admitBatch(
  context: Context,
  messages: readonly Record<string, unknown>[],
  parts: McpParts,
): Promise<void> {
  const revision = context.get('MCP-Protocol-Version')
  if (revision >= WITHOUT_BATCHES)
    throw badRequest(`Protocol revision ${WITHOUT_BATCHES} and later ones know no batches; send one message.`)
  if (messages.length > BATCH_MAX) throw badRequest(`A batch may hold at most ${BATCH_MAX} messages.`)
  // The library would answer one of two with the same id, and end the other half-way.
  const ids = messages.map(({ id }) => id).filter((id) => id !== undefined)
  if (new Set(ids).size < ids.length) throw badRequest('Messages of a batch must have ids of their own.')
  const calls = messages.filter(({ method }) => method === 'tools/call').length
  for (let spent = 1; spent < calls; spent += 1) await spendPoint(context, parts)
}

function callerOf(context: Context, log: Logger): ToolCaller {
  const { state } = context
  return {
    scopes: state.caller.scopes,
    searchOptions: () => searchOptionsOf(context),
    signal: goneSignal(context),
    describeFailure(thrown) {
      const { status, detail } = recordFailure(context, thrown, log)
      return status >= 500 ? `${detail} The request id is ${state.requestId}.` : detail
    },
    onSnippets: (count) => (state.snippets += count),
  }
}

function requestOf(context: Context): Request {
  const headers = Object.entries(context.req.headers).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as [string, string]] : [],
  )
  return new Request(new URL(context.path, 'http://localhost'), { method: 'POST', headers })
}

function writeAnswer(context: Context, { status, headers }: Response, text: string): void {
  context.status = status
  for (const [name, value] of headers) context.set(name, value)
  context.body = text
}
