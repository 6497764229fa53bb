// A running dashboard for tests: the real application over a real store in a temporary folder. Only the search is a
// function of the test's, because what the dashboard shows must be known to the letter.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openAccounts } from '../../src/accounts/accounts.ts'
import type { User } from '../../src/accounts/people/user.ts'
import { PACKAGE_ROOT } from '../../src/config.ts'
import type { SearchResponse } from '../../src/contract.ts'
import type { SearchDocumentation } from '../../src/dashboard/docs/docs-search.ts'
import { readChanges, readDocumentation } from '../../src/dashboard/docs/docs-folder.ts'
import { createCrawler, type Crawler } from '../../src/library/crawl/crawler.ts'
import { openSiteKeeper } from '../../src/library/crawl/site-keeper.ts'
import { createDocumentStore } from '../../src/library/files/document-store.ts'
import { createFolderFiles } from '../../src/library/files/folder-files.ts'
import { openSqliteLibrary } from '../../src/library/sqlite/sqlite.ts'
import type { ServiceOverview } from '../../src/telemetry/service-overview.ts'
import type { ServiceStatus } from '../../src/telemetry/service-status.ts'
import { readAssets } from '../../src/dashboard/frame/assets.ts'
import { createDashboard } from '../../src/dashboard/routes.ts'
import { createApp } from '../../src/http/app.ts'
import { createReadiness } from '../../src/http/readiness.ts'
import { openServer, type ServerLimits } from '../../src/http/server.ts'
import type { OidcClient } from '../../src/dashboard/sign-in/oidc-client.ts'
import type { PageAccess } from '../../src/search/proof/single-page.ts'
import type { FindBundle } from '../../src/search/bundles/kept-bundle.ts'
import type { FindSurroundings } from '../../src/search/proof/surroundings.ts'
import type { VerifyAnswer } from '../../src/search/proof/verify-answer.ts'
import type { Search } from '../../src/search/search.ts'
import { createLogger } from '../../src/telemetry/log.ts'
import { createMetrics } from '../../src/telemetry/metrics.ts'
import { loadPage, readText } from '../library/crawl/load-page.ts'
import { keepLog, registerSecrets } from '../support/suite-secrets.ts'
import { createVisitorClient, type VisitorClient } from './visitor-client.ts'

/** The password of everyone in these tests. */
export const PASSWORD = 'correct horse battery'

interface SiteOptions {
  search?: Search
  verifyAnswer?: VerifyAnswer
  verify?: PageAccess['verify']
  findSurroundings?: FindSurroundings
  findBundle?: FindBundle
  /** The search engines that are asked, in their order. */
  engines?: string[]
  describeService?: () => ServiceStatus
  describeOverview?: () => ServiceOverview
  /** What is set, as config.ts would show it. */
  set?: ReadonlyMap<string, string | null>
  searchDocumentation?: SearchDocumentation
  /** How often it is looked for a site that is to be read. */
  lookMs?: number
  probeStores?: () => Promise<void>
  probeModels?: () => Promise<string | null>
  probeEngine?: (name: string) => Promise<void>
  secureCookies?: boolean
  oidc?: OidcClient
  rateLimit?: { points: number; durationSeconds: number }
  limits?: Partial<ServerLimits>
  log?: { write(line: string): unknown }
}

export type DashboardSite = Awaited<ReturnType<typeof openDashboardSite>>

interface PersonToAdd {
  email: string
  name?: string
  isAdmin?: boolean
}

/** Opens the site on a free loopback port. `url` has no slash at its end. */
export async function openDashboardSite(options: SiteOptions = {}) {
  const dataDir = await mkdtemp(join(tmpdir(), 'verbatim-dashboard-'))
  const log = createLogger('info', {
    write(line) {
      keepLog(line)
      options.log?.write(line)
    },
  })
  registerSecrets(PASSWORD)
  const rateLimit = options.rateLimit ?? { points: 600, durationSeconds: 60 }
  const accounts = await openAccounts({ store: { dataDir }, redis: null, rateLimit, log })
  const search = options.search ?? (() => Promise.resolve(ANSWER))
  const noPages = () => Promise.reject(new Error('this test opens no page'))
  const library = openSqliteLibrary({ dataDir })
  const crawler = createCrawler({ library, loadPage, readPage: readText, product: 'Verbatim' })
  // Sites of these tests lie on loopback and need no pause.
  const hasty: Crawler = {
    crawl: (url, request, signal) => crawler.crawl(url, { ...request, delayMs: 0 }, signal),
  }
  const sites = openSiteKeeper({
    library,
    crawler: hasty,
    ...(options.lookMs === undefined ? {} : { lookMs: options.lookMs }),
    onError: (error) => log.error({ err: error }, 'a crawl'),
    onStoreChange: (error) => log.error({ err: error }, 'due sites'),
  })
  const folder = join(dataDir, 'uploads')
  const files = createFolderFiles(folder)
  const documents = createDocumentStore({ folder, files, library, readPage: readText })
  const dashboard = createDashboard({
    accounts,
    search,
    pageAccess: { verify: options.verify ?? noPages, verifyAnswer: options.verifyAnswer ?? noPages },
    library: {
      ...library,
      newestTitles: () => Promise.resolve(['How do I revoke an API key?', 'Errors']),
    },
    sites,
    documents,
    describeService: options.describeService ?? (() => STATUS),
    describeOverview: () => Promise.resolve((options.describeOverview ?? (() => OVERVIEW))()),
    findSurroundings: options.findSurroundings ?? noPages,
    findBundle: options.findBundle ?? noPages,
    settings: {
      asked: options.engines ?? ['searxng', 'library'],
      set: options.set ?? new Map([['PORT', '8080']]),
      engines: [
        { name: 'searxng', setUpWith: '`SEARXNG_URL`', use: 'asked' },
        { name: 'brave', setUpWith: '`BRAVE_API_KEY`', use: 'not_set_up' },
      ],
    },
    probeStores: options.probeStores ?? (() => Promise.resolve()),
    probeModels: options.probeModels ?? (() => Promise.resolve(null)),
    probeEngine: options.probeEngine ?? (() => Promise.resolve()),
    documentation: [
      ...(await readDocumentation(join(PACKAGE_ROOT, 'docs'))),
      await readChanges(join(PACKAGE_ROOT, 'CHANGELOG.md')),
    ],
    searchDocumentation: options.searchDocumentation ?? (() => Promise.resolve([])),
    documentationImages: await readAssets(join(PACKAGE_ROOT, 'docs', 'images')),
    assets: await readAssets(join(PACKAGE_ROOT, 'public')),
    publicUrl: null,
    secureCookies: options.secureCookies ?? false,
    rateLimit,
    oidc: options.oidc ?? null,
    log,
  })
  const server = await openServer({ host: '127.0.0.1', port: 0, limits: options.limits ?? {} })
  const url = `http://127.0.0.1:${server.port}`
  const metrics = createMetrics()
  const app = createApp({
    verifyKey: (key, userAgent) => accounts.keys.verify(key, userAgent),
    consumeKeyPoint: (key) => accounts.keyLimiter.consume(key.id, key.rateLimitPoints ?? undefined),
    consumeRefusalPoint: (from) => accounts.refusalLimiter.consume(from),
    search,
    readPages: noPages,
    readDocument: noPages,
    rerank: noPages,
    pageAccess: { verify: noPages, verifyAnswer: noPages },
    findBundle: noPages,
    signing: { publicKeys: noPages },
    readiness: createReadiness(),
    metrics: { ...metrics, token: null, isBehindProxy: false },
    startRequest: null,
    onFinished(request) {
      metrics.observeRequest(request)
      const { callerId, status, elapsedMs, snippets } = request
      if (callerId !== null) accounts.usage.count(callerId, { status, latencyMs: elapsedMs, snippets })
    },
    version: '0.1.0',
    publicUrl: url,
    trustProxy: false,
    pages: [dashboard],
    log,
  })
  server.serve(app)

  /** Makes an account whose password is PASSWORD, by an invitation as people do. */
  async function addPerson({ email, name = email, isAdmin = false }: PersonToAdd): Promise<User> {
    const { token } = await accounts.invitations.create({ isAdmin, createdBy: null })
    const accepted = await accounts.invitations.accept(token, { email, name, password: PASSWORD })
    if (!accepted.ok) throw new Error(accepted.reason)
    return accepted.user
  }

  return {
    url,
    accounts,
    library,
    sites,
    documents,
    addPerson,
    /** The same, with a session: its token is what a browser's cookie holds. */
    async addVisitor(person: PersonToAdd): Promise<{ id: string; token: string }> {
      const { id } = await addPerson(person)
      const { token } = await accounts.sessions.create(id)
      return { id, token }
    },
    /** A client without a browser that has signed in by its password, as people do. */
    async signIn(email: string): Promise<VisitorClient> {
      const visitor = createVisitorClient(url)
      await visitor.signIn(email, PASSWORD)
      return visitor
    },
    async close(): Promise<void> {
      await server.close(1_000)
      await sites.close()
      await library.close()
      await accounts.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** A service in fair health, with one thing of each state. */
const STATUS: ServiceStatus = {
  version: '0.1.0',
  startedAt: new Date(Date.now() - 3 * 3_600_000),
  parts: [
    { kind: 'search engine', name: 'searxng', state: 'ready', detail: 'Answers.', remedy: null },
    {
      kind: 'search engine',
      name: 'brave',
      state: 'off',
      detail: 'No key is set.',
      remedy: 'BRAVE_API_KEY=…',
    },
    {
      kind: 'search engine',
      name: 'library',
      state: 'ready',
      detail: 'The embedded engine holds 12 pages.',
      remedy: null,
    },
    {
      kind: 'model',
      name: 'all-MiniLM-L6-v2',
      state: 'limited',
      detail: 'Not downloaded: the bundled model scores instead.',
      remedy: 'npm run models -- prefetch',
    },
    {
      kind: 'browser',
      name: 'Chromium',
      state: 'missing',
      detail: 'Pages whose text needs JavaScript cannot be read.',
      remedy: 'npx playwright install chromium',
    },
    { kind: 'storage', name: 'SQLite', state: 'ready', detail: 'Accounts, keys and usage.', remedy: null },
  ],
}

/** One engine that answers and one that is left alone. */
export const OVERVIEW: ServiceOverview = {
  engines: [
    {
      name: 'searxng',
      condition: 'left_alone',
      failingSince: new Date(Date.now() - 20 * 60_000),
      lastAnswerAt: null,
      lastFailure: {
        at: new Date(Date.now() - 60_000),
        words: 'did not answer in time',
        advice: 'See that it runs.',
      },
      medianMs: null,
    },
    {
      name: 'library',
      condition: 'answering',
      failingSince: null,
      lastAnswerAt: new Date(),
      lastFailure: null,
      medianMs: 12,
    },
  ],
  failureTexts: new Map([['timeout', { words: 'did not answer in time', advice: 'See that it runs.' }]]),
  load: {
    searches: { running: 2, waiting: 1 },
    browser: { tabs: 3, busy: 1, waiting: 0, starts: 1 },
    reading: { waiting: 0 },
    scoring: { waiting: 0 },
    engines: [],
    caches: {},
    redisReady: null,
  },
  crawls: [
    {
      url: 'https://handbook.example/',
      finishedAt: new Date('2026-11-20T08:00:00Z'),
      pages: { waiting: 0, read: 212, failed: 3 },
    },
  ],
}

const RESPONSE: SearchResponse = {
  query: 'How do I revoke an API key?',
  results: [
    {
      rank: 1,
      url: 'https://search.example/docs/api-keys',
      title: 'API keys',
      snippets: [
        {
          text: 'To revoke an API key, delete it: sign in to the dashboard, open Keys, choose Delete beside the key and confirm. A revoked key stops working within a second on every replica.',
          relevance_score: 0.93,
          start: 10,
          end: 120,
          text_fragment_url: 'https://search.example/docs/api-keys#:~:text=To%20revoke',
        },
        {
          text: 'Create a new key in the dashboard, put it into your application’s configuration, then delete the old key, which revokes it.',
          relevance_score: 0.61,
          start: 400,
          end: 520,
          text_fragment_url: 'https://search.example/docs/api-keys#:~:text=Create%20a%20new%20key',
        },
      ],
      warning: null,
      publish_date: '2026-03-02',
      last_updated: '2026-11-19T08:30:00Z',
      content_sha256: 'a'.repeat(64),
      fetched_at: '2026-11-22T10:00:00Z',
    },
    {
      rank: 2,
      url: 'https://slow.example/security/rotation',
      title: 'Rotating secrets without downtime',
      snippets: [],
      warning: 'The page took too long to answer.',
      publish_date: null,
      last_updated: null,
      content_sha256: null,
      fetched_at: null,
    },
  ],
  total_latency_ms: 412,
  explain: {
    pages: [
      {
        url: 'https://search.example/docs/api-keys',
        read_by: 'static',
        started_ms: 41,
        load_ms: 288,
        elapsed_ms: 310,
        passages: 12,
        rejected: [],
      },
      {
        url: 'https://slow.example/security/rotation',
        read_by: null,
        started_ms: 41,
        load_ms: 4_000,
        elapsed_ms: 4_000,
        passages: 0,
        rejected: [{ text: 'Rotate them <b>often</b>.', relevance_score: 0.12 }],
      },
    ],
    filters: { dropped_pages: [{ url: 'https://de.example/schluessel', reason: 'language' }] },
    threshold: 0.3,
  },
}

/** What every search of a site answers unless the test says otherwise. */
export const ANSWER: Awaited<ReturnType<Search>> = {
  response: RESPONSE,
  facts: {
    provider: 'library',
    model: 'bundled',
    scoreVersion: 'test',
    requestedTier: 'balanced',
    stages: { provider: 41.2, pages: 288.5, score: 79.3 },
    snippets: 2,
    pages: [{ host: 'site.example', outcome: 'read', isOurFault: false, readBy: 'static', elapsedMs: 120 }],
    dropped: {},
  },
}
