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
  wikibooks: ['wikibooks.org'],
  wikiquote: ['wikiquote.org'],
  wikisource: ['wikisource.org'],
  wikiversity: ['wikiversity.org'],
  wikivoyage: ['wikivoyage.org'],
  'arch linux wiki': ['wiki.archlinux.org'],
  gentoo: ['wiki.gentoo.org'],
  github: ['github.com'],
  gitlab: ['gitlab.com'],
  codeberg: ['codeberg.org'],
  'gitea.com': ['gitea.com'],
  bitbucket: ['bitbucket.org'],
  'lobste.rs': ['lobste.rs'],
  habrahabr: ['habr.com'],
  hackernews: ['news.ycombinator.com'],
  'hacker news': ['news.ycombinator.com'],
  arxiv: ['arxiv.org'],
  pubmed: ['pubmed.ncbi.nlm.nih.gov'],
  mdn: ['developer.mozilla.org'],
  npm: ['npmjs.com'],
  pypi: ['pypi.org'],
  'crates.io': ['crates.io'],
  packagist: ['packagist.org'],
  rubygems: ['rubygems.org'],
  'pub.dev': ['pub.dev'],
  metacpan: ['metacpan.org'],
  huggingface: ['huggingface.co'],
  'docker hub': ['hub.docker.com'],
  'semantic scholar': ['semanticscholar.org'],
  crossref: SCHOLARLY_DOMAINS,
  openairepublications: SCHOLARLY_DOMAINS,
  imdb: ['imdb.com'],
  rottentomatoes: ['rottentomatoes.com'],
  goodreads: ['goodreads.com'],
  openlibrary: ['openlibrary.org'],
  'library of congress': ['loc.gov'],
  genius: ['genius.com'],
  steam: ['store.steampowered.com'],
  fdroid: ['f-droid.org'],
  'apple app store': ['apps.apple.com'],
  'google play apps': ['play.google.com'],
  quora: ['quora.com'],
}

/** Names with commas between, as SearXNG takes them. */
const listOf = (text: string | undefined): string[] =>
  (text ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '')

/** Engines and categories whose results are no pages of text. */
const MEDIA_KIND = /(?:^|[ .])(?:images?|videos?|photos?|pictures?|music|maps?|torrents?)$/u
const MEDIA_ENGINES = new Set([
  ...listOf('youtube, vimeo, dailymotion, bilibili, niconico, peertube, sepiasearch, odysee, rumble'),
  ...listOf('invidious, piped, media.ccc.de, flickr, unsplash, pinterest, deviantart, pixiv, wallhaven'),
  ...listOf('imgur, 1x, openverse, artic, svgrepo, soundcloud, bandcamp, deezer, mixcloud, podcastindex'),
  ...listOf('fyyd, openstreetmap, photon, piratebay, 1337x, kickass, nyaa, btdigg, solidtorrents'),
  ...listOf('z-library, zlibrary, annas archive, library genesis'),
])
const MEDIA_CATEGORIES = new Set(['images', 'videos', 'music', 'files', 'map'])

const isMediaEngine = (name: string): boolean => MEDIA_ENGINES.has(name) || MEDIA_KIND.test(name)

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
  const refused = named.length > 0 ? named.filter(isMediaEngine) : media
  const isMediaEngines = named.length > 0 && refused.length === named.length
  const isBesideGeneral = sites.length + refused.length < named.length
  return {
    isMediaOnly: isMediaCategory || isMediaEngines,
    // Beside a general engine a site is one source of many.
    domains: isBesideGeneral ? [] : sites.flatMap((name) => SITES[name] ?? []),
    refused: isMediaCategory ? media : refused,
  }
}
