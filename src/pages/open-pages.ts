// Everything that reads pages, built together and closed together: the way out, robots, politeness, plain HTTP, browser.
// The only file of this room that the service needs to know.
import type { Logger } from '../telemetry/log.ts'
import { openBrowser, type BrowserOptions } from './browser/renderer.ts'
import type { CacheStore } from './cache/memory-store.ts'
import { createPageCache, type CacheLimits } from './cache/page-cache.ts'
import type { Capture, LoadOptions } from './capture.ts'
import { openEgress, type EgressOptions } from './egress/egress.ts'
import { createPageLoader, type PageLoaderParts } from './page-loader.ts'
import { createHostLimiter } from './robots/host-limiter.ts'
import { createProxyClients } from './egress/browser-proxy-access.ts'
import { createRobots } from './robots/robots.ts'
import { createStaticLoader, type StaticLimits, type StaticLoaderOptions } from './static-loader.ts'

export interface PagesOptions {
  /** Honest, with a contact: "Verbatim/1.0 (+https://…)". Sent by plain HTTP and browser alike. */
  userAgent: string
  /** The name that rules in robots.txt call us by: "Verbatim". */
  product: string
  /** Ask robots.txt before opening a page (RFC 9309). */
  respectRobots: boolean
  egress: EgressOptions
  browser: Pick<BrowserOptions, 'mode' | 'chromiumPath' | 'limits'> & {
    /** Where a remote browser finds our proxies, and who may use them; a local one finds them on loopback. */
    proxy?: { host: string; port: number; clients: readonly string[] }
  }
  /** Judges plain HTML: is what it shows without scripts enough to work with? */
  assessRendering: PageLoaderParts['assessRendering']
  /** Decodes a long page, away from the thread that serves. */
  decodeLong: StaticLoaderOptions['decodeLong']
  /** Where a page itself sends its readers; null where it does not. Looks at a bounded beginning of it. */
  whereSentOn: NonNullable<StaticLoaderOptions['whereSentOn']>
  /** Where read pages are kept, in memory or in Redis. */
  cacheStore: CacheStore
  /** Whether it is known, and told elsewhere, that it is away. */
  isCacheAway?: () => boolean
  cacheLimits?: Partial<CacheLimits>
  staticLimits?: Partial<StaticLimits>
  logger: Logger
}

export type Pages = Awaited<ReturnType<typeof openPages>>

/**
 * Opens the page reader. Never throws for a missing browser: then plain HTML is read and `describe()` says so.
 * Throws an OperatorError when an entry of `egress.allow` or of the proxies' clients cannot be read.
 */
export async function openPages(options: PagesOptions) {
  const { userAgent, product, logger } = options
  const egress = openEgress({ ...options.egress, ...proxyPlaceOf(options) })
  const robots = options.respectRobots ? createRobots({ egress, userAgent, product }) : null
  const hostLimiter = createHostLimiter()
  const { staticLimits: limits = {}, decodeLong, whereSentOn } = options
  const plain = { egress, robots, hostLimiter, userAgent, decodeLong, whereSentOn, limits }
  const statics = createStaticLoader(plain)
  const browser = await openBrowser({
    ...options.browser,
    proxyHost: options.browser.proxy?.host,
    userAgent,
    listenProxy: egress.listenProxy,
    logger,
  })
  const { render } = browser
  const { assessRendering } = options
  const reader = createPageLoader({ statics, render, assessRendering, egress, robots, hostLimiter })
  const cache = createPageCache({
    store: options.cacheStore,
    limits: options.cacheLimits ?? {},
    onStoreError: (error) =>
      logger[options.isCacheAway?.() === true ? 'debug' : 'warn'](
        { err: error },
        'the page cache fails; pages are read anew',
      ),
  })
  return {
    /** One page, by its deadline, from the cache when it is fresh there. Throws PageError, or the signal's reason. */
    load: (url: string, load: LoadOptions, signal: AbortSignal): Promise<Capture> =>
      cache.load(`${load.rendering}${load.scroll ? '+scroll' : ''} ${url}`, load, signal, (known, inner) =>
        reader.read(url, load, inner, known),
      ),
    /** Which browser was found, in words for the operator. */
    describe: browser.describe,
    /** What the browser is busy with. */
    browserLoad: browser.load,
    /** Ends what is under way, the browser and every process of it. */
    async close(): Promise<void> {
      await browser.close()
      await egress.close()
    },
  }
}

/** Beyond loopback only for a browser elsewhere: nobody else has any business with the proxies. */
function proxyPlaceOf({ browser: { mode, proxy }, logger }: PagesOptions): Pick<EgressOptions, 'proxyPlace'> {
  if (proxy === undefined || !URL.canParse(mode)) return {}
  const { host, port, clients } = proxy
  const onStranger = (peer: string): void =>
    logger.warn({ peer }, 'a stranger asked for the proxy of the browser and was turned away')
  const admits = createProxyClients({ ranges: clients, browserHost: hostnameOf(mode), onStranger })
  return { proxyPlace: { host, port, admits } }
}

/** IPv6 without the brackets of a URL. */
const hostnameOf = (endpoint: string): string => new URL(endpoint).hostname.replaceAll(/[[\]]/gu, '')
