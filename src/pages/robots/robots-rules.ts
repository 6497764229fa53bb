// What a robots.txt says to us (RFC 9309): which pages are open, the pause it asks for, its sitemaps.
import { createRequire } from 'node:module'
import type parse from 'robots-parser'

/** Required, because the package's types describe an ES module that it is not. */
const robotsParser: typeof parse.default = createRequire(import.meta.url)('robots-parser')

/**
 * Wildcards cost time by their length times the path's, so both are bounded: the file is the site's, the time ours.
 * Measured with 500 kB of them and a path of 8,000 characters: 38 s without these bounds, 0.2 s with them.
 */
const WILDCARD_CHARACTERS_MAX = 16_384
const PATH_CHARACTERS_MAX = 1_024

export interface RobotsRules {
  allows(url: URL): boolean
  /** `Crawl-delay`; 0 when there is none. */
  delayMs: number
  sitemaps: string[]
}

/** Reads the rules for the robot named `product` in the robots.txt at `address`. No rules allow everything. */
export function readRobots(address: string, text: string, product: string): RobotsRules {
  let wildcards = 0
  const lines = text.split(/\r\n|\r|\n/u).filter((line) => {
    const length = line.includes('*') && /^\s*(?:dis)?allow/iu.test(line) ? line.length : 0
    wildcards += length
    return length === 0 || wildcards <= WILDCARD_CHARACTERS_MAX
  })
  const parsed = robotsParser(address, lines.join('\n'))
  return {
    allows(url) {
      const path = `${url.pathname}${url.search}`.slice(0, PATH_CHARACTERS_MAX)
      return parsed.isAllowed(url.origin + path, product) ?? true
    },
    delayMs: (parsed.getCrawlDelay(product) ?? 0) * 1_000,
    sitemaps: parsed.getSitemaps(),
  }
}
