// Where a new key is used: the call that it is tried with, which its scopes allow, and the addresses of clients that hold it.
import type { ApiKey } from '../../accounts/keys/api-key.ts'
import { KEY_SCOPES, type KeyScope } from '../../contract/key-scopes.ts'
import { firstCall } from '../code/curl-call.ts'

interface Use {
  label: string
  path: string
  /** Null for a GET. */
  body: object | null
}

/** `page` is one of our own documentation, which every installation can read. */
const USES: Readonly<Record<KeyScope, (page: string) => Use>> = {
  search: () => ({ label: 'A search with the new key', path: '/v1/search', body: null }),
  read: (page) => ({ label: 'Reading a page with the new key', path: '/v1/read', body: { url: page } }),
  rerank: () => ({
    label: 'Ordering texts with the new key',
    path: '/v1/rerank',
    body: {
      query: 'How do I revoke an API key?',
      documents: ['To revoke a key, delete it.', 'Bread is baked.'],
    },
  }),
  verify: (page) => ({
    label: 'Checking a quote with the new key',
    path: '/v1/verify',
    body: { url: page, quotes: ['To revoke an API key, delete it'] },
  }),
  metrics: () => ({ label: 'The metrics with the new key', path: '/metrics', body: null }),
}

/** A call as `curl` makes it, and what it does in words. */
export function firstUse(
  { scopes, isPathToken }: Pick<ApiKey, 'scopes' | 'isPathToken'>,
  publicUrl: string,
  secret: string,
): { label: string; code: string } {
  const scope = KEY_SCOPES.find((each) => scopes.includes(each)) ?? 'search'
  const { label, path, body } = USES[scope](`${publicUrl}/docs/api-keys`)
  if (scope === 'search') {
    return { label, code: isPathToken ? addressCall(publicUrl, secret) : firstCall(publicUrl, secret) }
  }
  const lines = [
    `curl '${publicUrl}${path}${isPathToken ? `/${secret}` : ''}'`,
    ...(isPathToken ? [] : [`  -H "Authorization: Bearer ${secret}"`]),
    ...(body === null ? [] : [`  -H 'Content-Type: application/json'`, `  -d '${JSON.stringify(body)}'`]),
  ]
  return { label, code: lines.join(' \\\n') }
}

/** What a client is given that can only be told an address. */
interface ClientAddress {
  id: string
  client: string
  /** What the client finds there, or makes of it. */
  use: string
  address: string
}

/** The tool of the Model Context Protocol that each of these scopes opens. */
const TOOLS = [
  ['search', 'search'],
  ['read', 'fetch'],
  ['verify', 'verify'],
] as const

/** Where clients find a path token, by what it may be used for; none for a key that goes into a header. */
export function clientAddresses(
  { scopes, isPathToken }: Pick<ApiKey, 'scopes' | 'isPathToken'>,
  publicUrl: string,
  token: string,
): ClientAddress[] {
  if (!isPathToken) return []
  const tools = TOOLS.filter(([scope]) => scopes.includes(scope)).map(([, tool]) => tool)
  const use = `An MCP server over Streamable HTTP with the ${tools.length === 1 ? 'tool' : 'tools'} ${tools.join(', ')}.`
  const mcp = { id: 'mcp-address', client: 'MCP', use, address: `${publicUrl}/mcp/${token}` }
  const searxng = {
    id: 'searxng-address',
    client: 'SearXNG',
    use: 'For applications that ask for the address of a SearXNG.',
    address: `${publicUrl}/compat/searxng/${token}`,
  }
  return [...(tools.length > 0 ? [mcp] : []), ...(scopes.includes('search') ? [searxng] : [])]
}

/** In the shape of the clients that path tokens are for. */
const addressCall = (publicUrl: string, token: string): string =>
  `curl "${publicUrl}/compat/searxng/${token}/search?q=How+do+I+revoke+an+API+key&format=json"`
