// The rows of the account store, as Kysely sees them. Moments are milliseconds since 1970 and truths are 0 or 1,
// because those two mean the same in SQLite and PostgreSQL.
import type { Kysely, Transaction } from 'kysely'

interface UserTable {
  id: string
  /** Lower case, unique. */
  email: string
  name: string
  password_hash: string | null
  is_admin: number
  oidc_issuer: string | null
  oidc_subject: string | null
  created_at: number
  disabled_at: number | null
  last_seen_at: number | null
}

interface InvitationTable {
  id: string
  token_hash: string
  email: string | null
  is_admin: number
  created_by: string | null
  created_at: number
  expires_at: number
  accepted_at: number | null
  accepted_by: string | null
}

interface SessionTable {
  token_hash: string
  user_id: string
  created_at: number
  last_seen_at: number
  expires_at: number
}

interface PasswordResetTable {
  token_hash: string
  user_id: string
  created_by: string | null
  created_at: number
  expires_at: number
  used_at: number | null
}

interface ApiKeyTable {
  id: string
  key_hash: string
  name: string
  owner_id: string | null
  display_prefix: string
  last_four: string
  created_at: number
  expires_at: number | null
  revoked_at: number | null
  last_used_at: number | null
  rate_limit_points: number | null
  /** Words with commas between. */
  scopes: string
  /** 1 for a token that stands in an address. */
  is_path_token: number
  /** Product and version of the client that used it last, as it calls itself. */
  last_used_client: string | null
}

interface KeyEventTable {
  id: string
  key_id: string
  event: 'created' | 'revoked'
  by_user_id: string | null
  occurred_at: number
}

/** What is summed over the requests of a key. Client errors are the 4xx without 429. */
export interface UsageTotals {
  requests: number
  client_errors: number
  rate_limited: number
  server_errors: number
  snippets: number
}

interface UsageTable extends UsageTotals {
  key_id: string
  /** Start of the hour (UTC). */
  hour_at: number
}

interface UsageLatencyTable {
  key_id: string
  hour_at: number
  bucket: number
  requests: number
}

interface UsageDayTable extends UsageTotals {
  key_id: string
  /** Start of the day (UTC). */
  day_at: number
}

interface UsageDayLatencyTable {
  key_id: string
  day_at: number
  bucket: number
  requests: number
}

/** How often something happened in an hour or a day (UTC) that begins at `starts_at`. */
interface ActivityTable {
  starts_at: number
  kind: string
  name: string
  detail: string
  count: number
}

interface RequestLogTable {
  occurred_at: number
  /** Ours: callers may send one request id twice. */
  entry_id: string
  request_id: string
  method: string
  /** The pattern of the route, never the caller's own words. */
  route: string
  status: number
  /** The code of the refusal or failure. */
  code: string | null
  elapsed_ms: number
  snippets: number
  key_id: string | null
  depth: string | null
  engine: string | null
  /** Only where the operator has queries kept. */
  query: string | null
}

interface AuditTable {
  occurred_at: number
  entry_id: string
  /** Null for the command line. */
  actor_id: string | null
  action: string
  subject: string
}

/** Forms that were sent and must do nothing when they come again. */
interface SentFormTable {
  mark_hash: string
  sent_at: number
}

/** Keys of a first run of which nobody is known to have been shown them. */
interface FirstRunKeyTable {
  key_id: string
}

export interface AccountTables {
  users: UserTable
  invitations: InvitationTable
  sessions: SessionTable
  password_resets: PasswordResetTable
  api_keys: ApiKeyTable
  key_events: KeyEventTable
  usage_hours: UsageTable
  usage_latencies: UsageLatencyTable
  usage_days: UsageDayTable
  sent_forms: SentFormTable
  usage_day_latencies: UsageDayLatencyTable
  usage_total_days: UsageDayTable
  usage_total_day_latencies: UsageDayLatencyTable
  activity_hours: ActivityTable
  activity_days: ActivityTable
  request_log: RequestLogTable
  audit_log: AuditTable
  first_run_keys: FirstRunKeyTable
}

export type StoreDatabase = Kysely<AccountTables>
export type StoreTransaction = Transaction<AccountTables>
