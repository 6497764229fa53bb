// robots.txt (RFC 9309): whether a page may be opened. Rules are fetched once per origin and kept; the page's request
// follows on the same connection, so a first visit costs one round trip more and every later one nothing. Fetching page
// and rules side by side would save that trip by asking for pages that the site forbids.
import { LRUCache } from 'lru-cache'
import { AddressRefusedError } from '../egress/address-policy.ts'
import { ACCEPT_ENCODING, readBody } from '../fetch/body.ts'
import { PageError, type PageWarning } from '../capture.ts'
import type { Egress } from '../egress/egress.ts'
import { discard, sendSingleRequest, type Hop } from '../fetch/single-request.ts'
import { FAILURES, toPageError } from '../page-failure.ts'
import { readRobots, type RobotsRules } from './robots-rules.ts'
import { TimeLimitError, withDeadline } from '../../concurrency/deadline.ts'

export interface RobotsLimits {
  /** RFC 9309 §2.5: at least 500 kibibytes are parsed. */
  bytesMax: number
  redirectsMax: number
  /** How long rules are kept; RFC 9309 §2.4 allows a day. */
  keepMs: number
  /** How long it is kept that a site has no reachable rules. */
  keepFailureMs: number
  originsMax: number
  /** The fetch itself; it goes on, for the next page, when the page that asked first has stopped waiting. */
  fetchMs: number
  /** A page waits at most this long, and at most a third of its time: rules that hang leave it time to say so. */
  waitMs: number
}

const ROBOTS_LIMITS: RobotsLimits = {
  bytesMax: 500 * 1_024,
  redirectsMax: 5,
  keepMs: 12 * 3_600_000,
  keepFailureMs: 60_000,
  originsMax: 2_000,
  fetchMs: 5_000,
  waitMs: 1_500,
}

/** A body that is cut at the end of its time is handed over within this. */
const ENDING_MS = 500

const ACCEPTED = { accept: 'text/plain,*/*;q=0.5', 'accept-encoding': ACCEPT_ENCODING }

type Rules =
  | ({ kind: 'rules' } & Pick<RobotsRules, 'allows'>)
  | { kind: 'closed'; warning: PageWarning; cause: unknown }

export interface RobotsOptions {
  egress: Pick<Egress, 'dispatcher' | 'checkUrl'>
  /** Sent as User-Agent. */
  userAgent: string
  /** The product token that rules name: "Verbatim". */
  product: string
  limits?: Partial<RobotsLimits>
}

/** Rules of sites, in memory of this process. */
export function createRobots({ egress, userAgent, product, limits: overrides }: RobotsOptions) {
  const limits = { ...ROBOTS_LIMITS, ...overrides }
  const headers = { 'user-agent': userAgent, ...ACCEPTED }
  const known = new LRUCache<string, Promise<Rules>>({ max: limits.originsMax })

  function rulesOf(origin: string): Promise<Rules> {
    const kept = known.get(origin)
    if (kept !== undefined) return kept
    const fetching = fetchRules(origin)
    known.set(origin, fetching, { ttl: limits.keepMs })
    return fetching
  }

  async function fetchRules(origin: string): Promise<Rules> {
    const limit = { what: 'robots.txt', limitMs: limits.fetchMs, graceMs: ENDING_MS }
    const rules = await withDeadline(limit, (timeUp) => readRules(origin, timeUp)).catch((error: unknown) =>
      closed(toPageError(origin, error)),
    )
    // Only when this is still the entry that waits for this answer: it was set just before the fetch began.
    if (rules.kind === 'closed') known.set(origin, Promise.resolve(rules), { ttl: limits.keepFailureMs })
    return rules
  }

  /** Follows redirects (RFC 9309 §2.3.1.2) and judges the status (§2.3.1.3: 4xx opens all, §2.3.1.4: 5xx closes all). */
  async function readRules(origin: string, timeUp: AbortSignal): Promise<Rules> {
    let url = new URL('/robots.txt', origin)
    for (let hops = 0; hops <= limits.redirectsMax; hops += 1) {
      const answer = await sendSingleRequest(egress, egress.checkUrl(url.href), headers, timeUp)
      if (answer.redirect === null) return rulesIn(answer, origin, timeUp)
      try {
        url = egress.checkUrl(answer.redirect)
      } catch (error) {
        // Rules at a forbidden address are no rules. The page's own redirects are judged for themselves.
        if (error instanceof AddressRefusedError) return OPEN
        throw error
      }
    }
    return OPEN
  }

  async function rulesIn(answer: Hop, origin: string, timeUp: AbortSignal): Promise<Rules> {
    if (answer.status < 200 || answer.status >= 300) {
      discard(answer.body)
      return answer.status >= 500 ? closed(unreadable(origin, answer.status)) : OPEN
    }
    const limit = { bytesMax: limits.bytesMax, ratioMax: 200 }
    const { bytes } = await readBody(answer.body, answer.header('content-encoding') ?? '', limit, timeUp)
    const address = new URL('/robots.txt', origin).href
    return { kind: 'rules', ...readRobots(address, new TextDecoder().decode(bytes), product) }
  }

  return {
    /**
     * Returns when the page may be opened. Throws PageError `robots_disallowed` when the rules say no or the site answers
     * 5xx for them, `unreachable` or `timeout` when the site cannot be reached, and the signal's reason.
     */
    async admit(url: URL, deadlineMs: number, signal: AbortSignal): Promise<void> {
      const waitMs = Math.min(limits.waitMs, (deadlineMs - Date.now()) / 3)
      const rules = await withDeadline({ what: 'robots.txt', limitMs: waitMs, signal }, () =>
        rulesOf(url.origin),
      ).catch((error: unknown) => {
        throw error instanceof TimeLimitError ? toPageError(url.href, error) : error
      })
      if (rules.kind === 'closed') throw new PageError(url.href, rules.warning, rules.cause)
      if (rules.allows(url)) return
      throw new PageError(url.href, { code: 'robots_disallowed', message: FAILURES.robots_disallowed })
    },
  }
}

export type Robots = ReturnType<typeof createRobots>

const OPEN: Rules = { kind: 'rules', allows: () => true }

const closed = (error: PageError): Rules => ({ kind: 'closed', warning: error.warning, cause: error.cause })

function unreadable(origin: string, status: number): PageError {
  const message = `The site's robots.txt could not be read (status ${status}), so the page was not opened.`
  return new PageError(origin, { code: 'robots_disallowed', message })
}
