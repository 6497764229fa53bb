// Servers of the tests on a free loopback port, and their end.
import type { Server } from 'node:http'

/** Starts listening on a free loopback port; resolves to the base address. */
export async function listenOnLoopback(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server listens on no port.')
  return `http://127.0.0.1:${address.port}`
}

/** Closes the server with all its connections. */
export async function endServer(server: Server): Promise<void> {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
}
