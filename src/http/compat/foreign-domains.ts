// Domains as clients of foreign services write them: bare, as addresses with scheme and path, or with a wildcard in
// front. Our contract knows bare ones, which stand for their sub-domains too; what lies in a path is checked on the
// results.

export interface ForeignDomain {
  /** As the contract wants it; judged there. */
  domain: string
  /** What the path of a result must begin with; '' for any. */
  path: string
}

/** Never throws: what is no domain in any of these spellings is passed on as it came, and refused by the contract. */
export function readForeignDomain(text: string): ForeignDomain {
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
export function liesUnder(url: string, { domain, path }: ForeignDomain): boolean {
  if (!URL.canParse(url)) return false
  const { hostname, pathname } = new URL(url)
  const isOnDomain = hostname === domain || hostname.endsWith(`.${domain}`)
  return isOnDomain && (path === '' || pathname === path || pathname.startsWith(`${path}/`))
}

/** Lists of domains as fields of our own request, and what must hold of a result's address besides. */
export function readForeignDomains(
  include: readonly string[] | null | undefined,
  exclude: readonly string[] | null | undefined,
) {
  const included = (include ?? []).map(readForeignDomain)
  const excluded = (exclude ?? []).map(readForeignDomain)
  const without = excluded.filter(({ path }) => path !== '')
  const isAnyPath = included.every(({ path }) => path === '')
  return {
    fields: {
      include_domains: included.map(({ domain }) => domain),
      exclude_domains: excluded.filter(({ path }) => path === '').map(({ domain }) => domain),
    },
    accepts: ({ url }: { url: string }): boolean =>
      (isAnyPath || included.some((one) => liesUnder(url, one))) &&
      !without.some((one) => liesUnder(url, one)),
  }
}

/** The same where a page must lie on one of `sites` as well; none of them for any. */
export function readDomainsWithin(
  sites: readonly string[],
  include: readonly string[] | null | undefined,
  exclude: readonly string[] | null | undefined,
) {
  if (sites.length === 0) return readForeignDomains(include, exclude)
  if ((include ?? []).length === 0) return readForeignDomains(sites, exclude)
  const { fields, accepts } = readForeignDomains(include, exclude)
  const isOnSite = (url: string): boolean => sites.some((domain) => liesUnder(url, { domain, path: '' }))
  return { fields, accepts: (result: { url: string }) => accepts(result) && isOnSite(result.url) }
}

/** Where papers are published, for shapes that know an engine or a category of them. */
export const SCHOLARLY_DOMAINS: readonly string[] = [
  'arxiv.org',
  'biorxiv.org',
  'medrxiv.org',
  'pubmed.ncbi.nlm.nih.gov',
  'pmc.ncbi.nlm.nih.gov',
  'semanticscholar.org',
  'openreview.net',
  'aclanthology.org',
  'nature.com',
  'science.org',
  'sciencedirect.com',
  'link.springer.com',
  'ieeexplore.ieee.org',
  'dl.acm.org',
  'journals.plos.org',
  'jstor.org',
]
