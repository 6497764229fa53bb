// What the lists of engines and categories of a SearXNG client mean here: engines that name a site become a domain,
// media is not to be had, and everything else is the general search that this service is.

export const ENGINE = 'verbatim'

/** Engines of SearXNG that search one site, by the site's domain. */
const SITES: Readonly<Record<string, string>> = {
  reddit: 'reddit.com',
  stackoverflow: 'stackoverflow.com',
  askubuntu: 'askubuntu.com',
  superuser: 'superuser.com',
  wikipedia: 'wikipedia.org',
  wikidata: 'wikidata.org',
  wiktionary: 'wiktionary.org',
  wikinews: 'wikinews.org',
  github: 'github.com',
  gitlab: 'gitlab.com',
  hackernews: 'news.ycombinator.com',
  'hacker news': 'news.ycombinator.com',
  arxiv: 'arxiv.org',
  pubmed: 'pubmed.ncbi.nlm.nih.gov',
  mdn: 'developer.mozilla.org',
  npm: 'npmjs.com',
  pypi: 'pypi.org',
  'docker hub': 'hub.docker.com',
  'semantic scholar': 'semanticscholar.org',
  imdb: 'imdb.com',
  quora: 'quora.com',
}

/** Engines and categories whose results are no pages of text. */
const MEDIA_ENGINE =
  /(?:^| )(?:images?|videos?|photos?|pictures?|music|maps?)$|^(?:youtube|vimeo|dailymotion|flickr|unsplash|pinterest|soundcloud|bandcamp|openstreetmap|photon|piratebay|1337x)$/u
const MEDIA_CATEGORIES = new Set(['images', 'videos', 'music', 'files', 'map'])

/** Names with commas between, as SearXNG takes them. */
const listOf = (text: string | undefined): string[] =>
  (text ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '')

export interface ChosenEngines {
  /** Only what is not to be had was asked for. */
  isMediaOnly: boolean
  /** Empty for the whole web. */
  domains: string[]
  /** Named engines and categories that answer nothing. */
  refused: string[]
}

/** Engines win over categories, as in SearXNG. */
export function chooseEngines(categories: string | undefined, engines: string | undefined): ChosenEngines {
  const named = listOf(engines)
  const wanted = named.length > 0 ? named : listOf(categories)
  const isMedia = (name: string): boolean =>
    named.length > 0 ? MEDIA_ENGINE.test(name) : MEDIA_CATEGORIES.has(name)
  const refused = wanted.filter(isMedia)
  const left = wanted.filter((name) => !isMedia(name))
  const domains = left.flatMap((name) => (named.length > 0 ? (SITES[name] ?? []) : []))
  return {
    isMediaOnly: wanted.length > 0 && left.length === 0,
    // Beside a general engine a site is one source of many.
    domains: domains.length === left.length ? domains : [],
    refused,
  }
}
