// What an API key may be used for. A route names the scope that it demands.

export const KEY_SCOPES = ['search', 'read', 'rerank', 'verify', 'metrics'] as const

export type KeyScope = (typeof KEY_SCOPES)[number]

/** Of a key for which none are named. What the operator watches is not among them. */
export const DEFAULT_SCOPES: readonly KeyScope[] = ['search', 'read', 'rerank', 'verify']

/** Of a token that stands in an address for which none are named: addresses are seen by more eyes than headers. */
export const DEFAULT_PATH_SCOPES: readonly KeyScope[] = ['search']

/** The scopes that `text` lists with commas between, each once, in our order; null when one of them does not exist. */
export function readScopes(text: string): KeyScope[] | null {
  const named = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
  const known = KEY_SCOPES.filter((scope) => named.includes(scope))
  return new Set(named).size === known.length ? known : null
}
