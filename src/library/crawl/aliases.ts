// Which addresses of a crawl are one page. A page's canonical link is its own word: it may give way to the page it names,
// where that one calls itself so or says the same text, and takes no other page's place.
import type { Library } from '../page-index.ts'
import type { Frontier } from './frontier.ts'

export interface AliasesOptions {
  siteUrl: string
  frontier: Pick<Frontier, 'isRead' | 'settle'>
  library: Pick<Library, 'database' | 'removePage'>
}

/** An address and the number of links that lead to it. */
interface ReadAddress {
  url: string
  depth: number
}

export type Aliases = ReturnType<typeof createAliases>

/** What a crawl that was interrupted knew is forgotten; then texts decide alone. */
export function createAliases({ siteUrl, frontier, library }: AliasesOptions) {
  /** Addresses that were read and call themselves so. */
  const selfNamed = new Set<string>()
  /** What was read under an address of its own, by the address it names. */
  const naming = new Map<string, ReadAddress[]>()

  async function saysTheSame(url: string, text: string): Promise<boolean> {
    const page = library.database.selectFrom('page').select('text').where('url', '=', url)
    return (await page.executeTakeFirst())?.text === text
  }

  return {
    /** Whether a page with this text, which names the address `named`, is the page that was read there. */
    isAlias: async (named: string, text: string): Promise<boolean> =>
      (await frontier.isRead(siteUrl, named)) && (selfNamed.has(named) || (await saysTheSame(named, text))),

    /**
     * Notes what was read, and what it names. Pages that were read before under other addresses, and now turn out to be
     * this one, are forgotten; returns how many.
     */
    async noteRead({ url, depth }: ReadAddress, named: string | null, text: string): Promise<number> {
      if (named === url) selfNamed.add(url)
      else if (named !== null) naming.set(named, [...(naming.get(named) ?? []), { url, depth }])
      let replaced = 0
      for (const alias of naming.get(url) ?? []) {
        if (named !== url && !(await saysTheSame(alias.url, text))) continue
        await frontier.settle(siteUrl, [alias.url], alias.depth, { state: 'alias', reason: null })
        await library.removePage(alias.url)
        replaced += 1
      }
      naming.delete(url)
      return replaced
    },
  }
}
