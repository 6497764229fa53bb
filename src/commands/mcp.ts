// `verbatim mcp`: the tools `search`, `fetch` and `verify` for an agent on this machine, over stdin and stdout. Starts
// and stops; the tools themselves are those of /mcp.
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { InitializeRequest } from '@modelcontextprotocol/sdk/types.js'
import { Command } from 'commander'
import type { SearchParts } from '../compose/search-parts.ts'
import { DEFAULT_SCOPES } from '../contract/key-scopes.ts'
import type { ApiError } from '../errors.ts'
import type { ToolCaller } from '../http/routes/mcp/mcp-tools.ts'
import type { Logger } from '../telemetry/log.ts'
import { guardProcess } from './process-guard.ts'

/** Revision whose batches the library's stdio transport cannot read, and the next one, which is offered in its place. */
const REVISION_WITH_BATCHES = '2025-03-26'
const NEXT_REVISION = '2025-06-18'

export interface McpCommandOptions {
  openSearchParts: () => Promise<SearchParts>
  createLog: () => Logger
}

interface CallerParts {
  signal: AbortSignal
  log: Logger
  toApiError: (thrown: unknown) => ApiError
}

/**
 * Serves until the agent closes stdin or a signal ends it; then exit code 0. Nothing but protocol messages goes to
 * stdout (MCP, transport stdio); the log goes to stderr.
 */
export function createMcpCommand({ openSearchParts, createLog }: McpCommandOptions): Command {
  return new Command('mcp')
    .description(
      'serve the tools search, fetch and verify to an agent, by the Model Context Protocol over stdio',
    )
    .action(async () => {
      const log = createLog()
      guardProcess({
        log,
        onUnhandledRejection: () => undefined,
        onUncaughtException: () => process.exit(1),
      })
      // Loaded here, because no other command needs the protocol.
      const { toApiError } = await import('../http/request/error-boundary.ts')
      const { createMcpServer } = await import('../http/routes/mcp/mcp-tools.ts')
      const { StdioServerTransport } = await import('@modelcontextprotocol/sdk/server/stdio.js')
      const { isInitializeRequest } = await import('@modelcontextprotocol/sdk/types.js')
      const ended = untilEnd()
      const parts = await openSearchParts()
      const work = new AbortController()
      const server = createMcpServer(parts, callerOf({ signal: work.signal, log, toApiError }))
      const transport = new StdioServerTransport()
      await server.connect(transport)
      // In the same turn: connecting begins to read, and the first message must not get past this.
      negotiateWithoutBatches(transport, isInitializeRequest)
      await ended
      work.abort(new Error('the agent went away'))
      await server.close()
      await parts.close()
    })
}

const callerOf = ({ signal, log, toApiError }: CallerParts): ToolCaller => ({
  scopes: DEFAULT_SCOPES,
  searchOptions: () => ({ arrivedAtMs: Date.now(), callerId: 'stdio', fresh: false }),
  signal,
  describeFailure(thrown) {
    const error = toApiError(thrown)
    // What an agent that went away had asked for has not failed.
    if (error.status >= 500 && !signal.aborted) log.error({ err: thrown }, 'a tool call failed')
    return error.code === 'internal_error'
      ? 'Something unexpected went wrong; stderr tells what.'
      : error.detail
  },
})

/** A client that asks for the revision with batches is offered the next one; whether that will do is for it to say. */
function negotiateWithoutBatches(
  transport: Transport,
  isInitializeRequest: (message: unknown) => message is InitializeRequest,
): void {
  const receive = transport.onmessage
  const negotiate: NonNullable<Transport['onmessage']> = (message, extra) => {
    const asksForBatches =
      isInitializeRequest(message) && message.params.protocolVersion === REVISION_WITH_BATCHES
    const params = asksForBatches ? { ...message.params, protocolVersion: NEXT_REVISION } : null
    receive?.(params === null ? message : { ...message, params }, extra)
  }
  Object.assign(transport, { onmessage: negotiate })
}

/** Settles when the agent has closed our stdin, or when we are told to stop. */
function untilEnd(): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => resolve()
    process.stdin.once('end', end).once('close', end)
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, end)
  })
}
