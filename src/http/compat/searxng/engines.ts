// What the lists of engines and categories of a SearXNG client mean here: engines that name a site become a domain,
// media is not to be had, and everything else is the general search that this service is.
import { SCHOLARLY_DOMAINS } from '../foreign-domains.ts'

export const ENGINE = 'verbatim'

/** Engines of SearXNG that search one site, or sites of one kind, by their domains. */
const SITES: Readonly<Record<string, readonly string[]>> = {
  'google scholar': SCHOLARLY_DOMAINS,
  reddit: ['reddit.com'],
  stackoverflow: ['stackoverflow.com'],
  askubuntu: ['askubuntu.com'],
  superuser: ['superuser.com'],
  wikipedia: ['wikipedia.org'],
  wikidata: ['wikidata.org'],
  wiktionary: ['wiktionary.org'],
  wikinews: ['wikinews.org'],
  github: ['github.com'],
  gitlab: ['gitlab.com'],
  hackernews: ['news.ycombinator.com'],
  'hacker news': ['news.ycombinator.com'],
  arxiv: ['arxiv.org'],
  pubmed: ['pubmed.ncbi.nlm.nih.gov'],
  mdn: ['developer.mozilla.org'],
  npm: ['npmjs.com'],
  pypi: ['pypi.org'],
  'docker hub': ['hub.docker.com'],
  'semantic scholar': ['semanticscholar.org'],
  imdb: ['imdb.com'],
  quora: ['quora.com'],
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

/**
 * Named engines win over categories, as in SearXNG, but that general ones do not make text of a media category: clients
 * send the same list of engines with every category.
 */
export function chooseEngines(categories: string | undefined, engines: string | undefined): ChosenEngines {
  const named = listOf(engines)
  const wantedCategories = listOf(categories)
  const media = wantedCategories.filter((name) => MEDIA_CATEGORIES.has(name))
  const sites = named.filter((name) => Object.hasOwn(SITES, name))
  const isMediaCategory = media.length > 0 && media.length === wantedCategories.length && sites.length === 0
  const refused = named.length > 0 ? named.filter((name) => MEDIA_ENGINE.test(name)) : media
  const isMediaEngines = named.length > 0 && refused.length === named.length
  const isBesideGeneral = sites.length + refused.length < named.length
  return {
    isMediaOnly: isMediaCategory || isMediaEngines,
    // Beside a general engine a site is one source of many.
    domains: isBesideGeneral ? [] : sites.flatMap((name) => SITES[name] ?? []),
    refused: isMediaCategory ? media : refused,
  }
}
