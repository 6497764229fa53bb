// `verbatim mcp`: the tools `search` and `fetch` for an agent on this machine, over stdin and stdout. Starts and stops;
// the tools themselves are those of /mcp.
import { Command } from 'commander'
import type { SearchParts } from '../compose/search-parts.ts'

/**
 * Serves until the agent closes stdin or a signal ends it; then exit code 0. Nothing but protocol messages goes to
 * stdout (MCP, transport stdio); the log goes to stderr.
 */
export function createMcpCommand({
  openSearchParts,
}: {
  openSearchParts: () => Promise<SearchParts>
}): Command {
  return new Command('mcp')
    .description('serve the tools search and fetch to an agent, by the Model Context Protocol over stdio')
    .action(async () => {
      // Loaded here, because no other command needs the protocol.
      const { createMcpServer } = await import('../http/routes/mcp.ts')
      const { StdioServerTransport } = await import('@modelcontextprotocol/sdk/server/stdio.js')
      const ended = untilEnd()
      const parts = await openSearchParts()
      const work = new AbortController()
      const server = createMcpServer(parts, { id: 'stdio', signal: work.signal })
      await server.connect(new StdioServerTransport())
      await ended
      work.abort(new Error('the agent went away'))
      await server.close()
      await parts.close()
    })
}

/** Settles when the agent has closed our stdin, or when we are told to stop. */
function untilEnd(): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => resolve()
    process.stdin.once('end', end).once('close', end)
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, end)
  })
}
