// What the dashboard is made of: what service.ts hands over, and what every family of routes works with.
import type { Accounts } from '../accounts/accounts.ts'
import type { SiteKeeper } from '../library/crawl/site-keeper.ts'
import type { DocumentStore } from '../library/files/document-store.ts'
import type { Library } from '../library/library.ts'
import type { SearchDocumentation } from './docs/docs-search.ts'
import type { Documentation } from './docs/docs-view.tsx'
import type { AssetUrls } from './frame/page.tsx'
import type { ServiceOverview, ServiceSettings } from '../telemetry/service-overview.ts'
import type { ServiceStatus } from '../telemetry/service-status.ts'
import type { PageAccess } from '../search/proof/single-page.ts'
import type { VerifyAnswer } from '../search/proof/verify-answer.ts'
import type { FindBundle } from '../search/bundles/kept-bundle.ts'
import type { FindSurroundings } from '../search/proof/surroundings.ts'
import type { Search } from '../search/search.ts'
import type { Logger } from '../telemetry/log.ts'
import type { Assets } from './frame/assets.ts'
import type { Cookies } from './visitor/cookies.ts'
import type { OidcClient } from './sign-in/oidc-client.ts'

type AccountParts = Pick<
  Accounts,
  | 'keys'
  | 'users'
  | 'invitations'
  | 'sessions'
  | 'passwords'
  | 'usage'
  | 'activity'
  | 'audit'
  | 'keyLimiter'
  | 'sentForms'
>

export interface DashboardOptions {
  accounts: AccountParts
  search: Search
  pageAccess: Pick<PageAccess, 'verify'> & { verifyAnswer: VerifyAnswer }
  /** What stands around a passage that was quoted. */
  findSurroundings: FindSurroundings
  /** The signed proof of one. */
  findBundle: FindBundle
  /** The pages that the embedded engine can find. */
  library: Pick<Library, 'newestTitles' | 'searchOrigin' | 'listPages' | 'getPage' | 'listFolders'>
  sites: Omit<SiteKeeper, 'close'>
  documents: Omit<DocumentStore, 'load'>
  /** What the service stands on. */
  describeService(): ServiceStatus | Promise<ServiceStatus>
  /** What it is doing now. */
  describeOverview(): Promise<ServiceOverview>
  settings: ServiceSettings
  /** Asks the store of accounts, and Redis where there is one, to answer. Rejects when one of them does not. */
  probeStores(): Promise<void>
  /**
   * Has the models of each depth score one passage; what kept them from it, in words for everybody, or null. Rejects when
   * nothing can be scored.
   */
  probeModels(): Promise<string | null>
  /** Asks one search engine a plain question, which a paid one charges; what comes of it is in the overview. */
  probeEngine(name: string): Promise<void>
  documentation: Documentation
  searchDocumentation: SearchDocumentation
  /** The files of docs/images. */
  documentationImages: Assets
  /** The files of public/. */
  assets: Assets
  /** The address people use, without a slash at its end, for links and examples; null takes it from each request. */
  publicUrl: string | null
  /** True behind TLS: cookies become Secure and HSTS is sent. */
  secureCookies: boolean
  /** The quota of keys without one of their own, as the pages tell it. */
  rateLimit: { points: number; durationSeconds: number }
  /** Sign-in at an OpenID Connect issuer; left out for passwords alone. */
  oidc?: OidcClient | null
  log: Logger
}

export type DashboardParts = Omit<DashboardOptions, 'accounts'> &
  AccountParts & { assetUrls: AssetUrls; cookies: Cookies; oidc: OidcClient | null }
