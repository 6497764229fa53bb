// Composition root: builds every part once, in order, from Config, and closes them in reverse.
import { join } from 'node:path'
import type { Accounts } from '../accounts/accounts.ts'
import { openConfiguredAccounts } from './account-parts.ts'
import { createClosers, type Closers } from './closers.ts'
import { PACKAGE_ROOT, type Config } from '../config.ts'
import { readChanges, readDocumentation } from '../dashboard/docs/docs-folder.ts'
import { openServiceSites } from './crawl-parts.ts'
import { describeService } from './describe/describe-service.ts'
import { createObservers } from './observe-service.ts'
import { createOverview } from './describe/describe-overview.ts'
import { DOCUMENTATION_ORIGIN } from './library-parts.ts'
import { createProbes } from './probes.ts'
import { openSearchParts, type SearchParts } from './search-parts.ts'
import { createDocumentationSearch } from './search-documentation.ts'
import { describeSettings } from './describe/describe-settings.ts'
import { readVersion } from './version.ts'
import { createApp } from '../http/app.ts'
import { readAssets } from '../dashboard/frame/assets.ts'
import { createDashboard } from '../dashboard/routes.ts'
import type { SiteKeeper } from '../library/crawl/site-keeper.ts'
import { createReadiness, type Readiness } from '../http/readiness.ts'
import { openServer } from '../http/server.ts'
import { documentationPages } from '../library/bundled-docs.ts'
import { createMetrics, type Metrics } from '../telemetry/metrics.ts'
import type { Logger } from '../telemetry/log.ts'
import type { Tracing } from '../telemetry/open-telemetry.ts'

/** What is under way when the service ends may take this long to finish. */
const SHUTDOWN_GRACE_MS = 10_000

export type Service = Awaited<ReturnType<typeof openService>>

/** What is shown once, when a fresh store is opened: the first key, and the address that makes the administrator. */
export interface FirstRun {
  key: string
  invitationUrl: string
  /** Told that both were shown; the next start makes others where nobody did. */
  confirmShown: () => Promise<void>
}

/**
 * Builds the service and listens.
 * @throws whatever keeps a part from being built, with a message for the operator; what was opened is closed.
 */
export async function openService(config: Config, { log }: { log: Logger }) {
  const closers = createClosers(log)
  try {
    return await buildService(config, log, closers)
  } catch (error) {
    await closers.closeAll()
    throw error
  }
}

interface Watching {
  /** Where this service answers. */
  url: string
  metrics: Metrics
  observers: ReturnType<typeof createObservers>
  log: Logger
}

/** What is traced, searched with and remembered in; whatever is opened is watched from then on. */
async function openOwnParts(config: Config, { url, metrics, observers, log }: Watching, closers: Closers) {
  const tracing = await openConfiguredTracing(config, log)
  closers.add('tracing', async () => tracing?.close())
  const parts = await openSearchParts(config, {
    ownUrl: url,
    metrics: observers.searching,
    ...(tracing === null ? {} : { trace: tracing.trace }),
    log,
  })
  metrics.watchService(parts)
  closers.add('search parts', () => parts.close())
  const accounts = await openConfiguredAccounts(config, { redis: parts.redis?.client ?? null, log })
  closers.add('accounts', () => accounts.close())
  observers.remember(accounts)
  return { tracing, parts, accounts }
}

async function buildService(config: Config, log: Logger, closers: Closers) {
  const startedAt = new Date()
  const server = await openServer(config.http)
  closers.add('server', () => server.close(0))
  const url = originOf(config.http.host, server.port)
  const publicUrl = config.http.publicUrl ?? url
  const metrics = createMetrics()
  const observers = createObservers(metrics)
  const { tracing, parts, accounts } = await openOwnParts(config, { url, metrics, observers, log }, closers)
  const readiness = describeReadiness(parts, accounts)

  const store = 'dataDir' in config.accounts.store ? 'sqlite' : 'postgres'
  const { isWritten } = accounts.usage
  const describe = () => describeService({ ...parts, startedAt, store, isWritten })
  const files = await readFiles()
  const documentation = parts.isLibraryAlone() ? files.documentation : []
  await parts.library.addLocalPages(documentationPages(documentation, DOCUMENTATION_ORIGIN))
  const sites = await openServiceSites(config, { ...parts, log }, closers)
  const dashboard = createDashboard({
    ...files.shown,
    ...dashboardParts(config, { ...parts, sites }, accounts),
    ...(await loadOidc(config)),
    searchDocumentation: createDocumentationSearch(parts.readPages, files.documentation, url),
    describeService: describe,
    publicUrl,
    secureCookies: publicUrl.startsWith('https:'),
    log,
  })
  const app = createApp({
    ...door(accounts, metrics),
    ...routeParts(parts),
    readiness,
    onFinished: (request) => observers.onFinished(request),
    ...proxyParts(config, metrics),
    publicUrl,
    startRequest: tracing?.startRequest ?? null,
    pages: [dashboard],
    log,
  })
  server.serve(app)
  return {
    url,
    publicUrl,
    accounts,
    library: parts.library,
    describe,
    firstRun: await prepareFirstRun(accounts, publicUrl),
    /** To be told of every rejection in this process that had no handler. */
    observeUnhandledRejection: metrics.observeUnhandledRejection,
    /** Lets what is under way finish, for at most ten seconds, before its parts are closed. */
    async close(): Promise<void> {
      readiness.startClosing()
      await server.close(SHUTDOWN_GRACE_MS)
      await closers.closeAll()
    },
  }
}

/** What routes work with. */
const routeParts = ({
  search,
  readPages,
  readDocument,
  rerank,
  pageAccess,
  signing,
  findBundle,
  version,
}: SearchParts) => ({
  search,
  readPages,
  readDocument,
  rerank,
  pageAccess,
  signing,
  findBundle,
  version,
})

/** What pages of the dashboard work with. */
const dashboardParts = (config: Config, parts: SearchParts & { sites: SiteKeeper }, accounts: Accounts) => ({
  accounts,
  search: parts.search,
  pageAccess: parts.pageAccess,
  findSurroundings: parts.findSurroundings,
  findBundle: parts.findBundle,
  library: parts.library,
  sites: parts.sites,
  documents: parts.documents,
  describeOverview: createOverview(parts),
  ...createProbes(parts, accounts),
  settings: describeSettings(config, parts.providers.steps.flat()),
  rateLimit: config.accounts.rateLimit,
})

/** Who may see the metrics, and whose word for an address counts. */
const proxyParts = ({ http, metricsToken }: Config, metrics: Metrics) => ({
  trustProxy: http.trustProxy,
  metrics: {
    ...metrics,
    token: metricsToken,
    isBehindProxy: http.trustProxy || http.publicUrl !== null,
  },
})

/** Without these no search can be answered; engines are not asked, since their failure is not this replica's. */
function describeReadiness(parts: Pick<SearchParts, 'areThreadsUp'>, accounts: Accounts): Readiness {
  const readiness = createReadiness()
  readiness.add('threads', () => parts.areThreadsUp())
  readiness.add('store', async () => {
    await accounts.ping()
    return true
  })
  return readiness
}

/** Loads OpenID Connect only where an issuer is named. */
async function loadOidc({ oidc }: Config) {
  if (oidc === null) return {}
  const { createOidcClient } = await import('../dashboard/sign-in/oidc-client.ts')
  return { oidc: createOidcClient(oidc) }
}

/** Loads OpenTelemetry only where a collector is named. */
async function openConfiguredTracing(config: Config, log: Logger): Promise<Tracing | null> {
  if (config.tracing === null) return null
  const { openTracing } = await import('../telemetry/open-telemetry.ts')
  return openTracing({ ...config.tracing, version: await readVersion(), log })
}

/** What pages show, and the documentation that is searched: the changes are read and not searched. */
async function readFiles() {
  const [documentation, changes, documentationImages, assets] = await Promise.all([
    readDocumentation(join(PACKAGE_ROOT, 'docs')),
    readChanges(join(PACKAGE_ROOT, 'CHANGELOG.md')),
    readAssets(join(PACKAGE_ROOT, 'docs', 'images')),
    readAssets(join(PACKAGE_ROOT, 'public')),
  ])
  return { documentation, shown: { documentation: [...documentation, changes], documentationImages, assets } }
}

function door(accounts: Accounts, { observeRateLimitRefusal }: Metrics) {
  const counted = <T extends { allowed: boolean }>(quota: 'key' | 'address', result: T): T => {
    if (!result.allowed) observeRateLimitRefusal(quota)
    return result
  }
  return {
    verifyKey: (key: string | null, userAgent: string) => accounts.keys.verify(key, userAgent),
    consumeKeyPoint: async (key: { id: string; rateLimitPoints: number | null }) =>
      counted('key', await accounts.keyLimiter.consume(key.id, key.rateLimitPoints ?? undefined)),
    consumeRefusalPoint: async (address: string) =>
      counted('address', await accounts.refusalLimiter.consume(address)),
  }
}

async function prepareFirstRun(accounts: Accounts, publicUrl: string): Promise<FirstRun | null> {
  const first = await accounts.prepareFirstRun()
  if (first === null) return null
  const { key, invitationToken, confirmShown } = first
  return { key, invitationUrl: `${publicUrl}/invitations/${invitationToken}`, confirmShown }
}

/** Where the service reaches itself: a wildcard address answers on loopback too. */
function originOf(host: string, port: number): string {
  if (host === '0.0.0.0') return `http://127.0.0.1:${port}`
  if (host === '::') return `http://[::1]:${port}`
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
