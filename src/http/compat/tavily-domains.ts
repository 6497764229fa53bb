// Domains as Tavily's clients write them: bare, as addresses with scheme and path, or with a wildcard in front. Our
// contract knows bare ones, which stand for their sub-domains too; what lies in a path is checked on the results.

export interface TavilyDomain {
  /** As the contract wants it; judged there. */
  domain: string
  /** What the path of a result must begin with; '' for any. */
  path: string
}

/** Never throws: what is no domain in any of these spellings is passed on as it came, and refused by the contract. */
export function readTavilyDomain(text: string): TavilyDomain {
  const written = text.trim()
  const bare = written.replace(/^\*\./u, '')
  const address = /^https?:\/\//iu.test(bare) ? bare : `https://${bare}`
  if (bare === '' || /[\s*@]/u.test(bare) || !URL.canParse(address)) return { domain: written, path: '' }
  const { hostname, pathname } = new URL(address)
  return { domain: hostname, path: withoutTrailingSlashes(pathname) }
}

function withoutTrailingSlashes(path: string): string {
  let end = path.length
  while (path[end - 1] === '/') end -= 1
  return path.slice(0, end)
}

/** Whether a result's address lies on the domain and below the path. */
export function liesUnder(url: string, { domain, path }: TavilyDomain): boolean {
  if (!URL.canParse(url)) return false
  const { hostname, pathname } = new URL(url)
  const isOnDomain = hostname === domain || hostname.endsWith(`.${domain}`)
  return isOnDomain && (path === '' || pathname === path || pathname.startsWith(`${path}/`))
}
