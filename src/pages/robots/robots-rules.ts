// What a robots.txt says to us (RFC 9309): which pages are open, the pause it asks for, its sitemaps.
import { createRequire } from 'node:module'
import type parse from 'robots-parser'

/** Required, because the package's types describe an ES module that it is not. */
const robotsParser: typeof parse.default = createRequire(import.meta.url)('robots-parser')

/**
 * The file is the site's, the time ours. Wildcards cost their length times the path's: 500 kB of them and a path of
 * 8,000 characters took 38 s. The library keeps every rule once for each robot that it names: thousands of both fill
 * the memory. So it is given the rules for us alone, each once.
 */
const WILDCARD_CHARACTERS_MAX = 16_384
const PATH_CHARACTERS_MAX = 1_024
/** As many lines as 500 kB hold when they are written for robots to read; later ones are not read. */
const RULES_MAX = 10_000
const SITEMAPS_MAX = 100
/** RFC 9309 §2.5: at least 500 kibibytes are parsed. */
const TEXT_CHARACTERS_MAX = 500 * 1_024

/** Lines that say something, of a file in which all others may stand, too. */
const DIRECTIVE = /^[ \t]*(user-agent|allow|disallow|crawl-delay|sitemap)[ \t]*:([^#\r\n]*)/gimu

export interface RobotsRules {
  allows(url: URL): boolean
  /** `Crawl-delay`; 0 when there is none. */
  delayMs: number
  sitemaps: string[]
}

/** A character that needs no escape is the same with one (RFC 9309 §2.2.2, RFC 3986 §6.2.2.2). */
const withoutNeedlessEscapes = (path: string): string =>
  path.replace(/%(?:2[DE]|3\d|4[1-9A-F]|5[0-9AF]|6[1-9A-F]|7[0-9AE])/giu, (escape) =>
    String.fromCharCode(Number.parseInt(escape.slice(1), 16)),
  )

/** Reads the rules for the robot named `product` in the robots.txt at `address`. No rules allow everything. */
export function readRobots(address: string, text: string, product: string): RobotsRules {
  const { rules, sitemaps } = linesFor(text, product.toLowerCase())
  const kept = [...boundWildcards(rules).map(withoutNeedlessEscapes), ...sitemaps]
  const parsed = robotsParser(address, ['user-agent: *', ...kept].join('\n'))
  return {
    allows(url) {
      const path = `${url.pathname}${url.search}`.slice(0, PATH_CHARACTERS_MAX)
      return parsed.isAllowed(url.origin + withoutNeedlessEscapes(path), product) ?? true
    },
    delayMs: (parsed.getCrawlDelay(product) ?? 0) * 1_000,
    sitemaps: parsed.getSitemaps(),
  }
}

/** The lines of the groups that name the robot, else of those for all (RFC 9309 §2.2.1), and the sitemaps. */
function linesFor(text: string, robot: string): { rules: Set<string>; sitemaps: Set<string> } {
  const groups = { own: new Set<string>(), all: new Set<string>() }
  const sitemaps = new Set<string>()
  let isOwn = false
  let isForAll = false
  let hasOwn = false
  let isNaming = false
  for (const [, name = '', rest = ''] of text.slice(0, TEXT_CHARACTERS_MAX).matchAll(DIRECTIVE)) {
    const directive = name.toLowerCase()
    const value = rest.trim()
    const line = `${directive}: ${value}`
    if (directive === 'sitemap') {
      if (sitemaps.size < SITEMAPS_MAX) sitemaps.add(line)
    } else if (directive === 'user-agent') {
      const named = (value.split('/', 1)[0] ?? '').trim().toLowerCase()
      // The first robot that is named after a rule begins another group.
      isOwn = (isNaming && isOwn) || named === robot
      isForAll = (isNaming && isForAll) || named === '*'
      hasOwn ||= isOwn
      isNaming = true
    } else {
      isNaming = false
      if (isOwn && groups.own.size < RULES_MAX) groups.own.add(line)
      if (isForAll && groups.all.size < RULES_MAX) groups.all.add(line)
    }
  }
  return { rules: hasOwn ? groups.own : groups.all, sitemaps }
}

function boundWildcards(rules: Iterable<string>): string[] {
  let characters = 0
  return [...rules].filter((line) => {
    const length = line.includes('*') ? line.length : 0
    characters += length
    return length === 0 || characters <= WILDCARD_CHARACTERS_MAX
  })
}
