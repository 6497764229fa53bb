// The last requests, one row each: what a person needs who holds a request id and asks what happened.
import { randomBytes } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { chunks } from '../store/delete-in-chunks.ts'
import { cutPage, isOlderThan, type ListCursor } from '../store/list-cursor.ts'
import type { StoreDatabase, StoreTransaction } from '../store/schema.ts'

export interface LoggedRequest {
  occurredAt: Date
  requestId: string
  method: string
  /** The pattern of the route. */
  route: string
  status: number
  /** The code of the refusal or failure; null for an answer. */
  code: string | null
  elapsedMs: number
  snippets: number
  /** Null for a request that no key was accepted for. */
  keyId: string | null
  depth: string | null
  engine: string | null
  /** Null unless the operator has queries kept. */
  query: string | null
}

/** How the requests ended that are asked for. */
export const REQUEST_OUTCOMES = ['answered', 'refused', 'failed'] as const
export type RequestOutcome = (typeof REQUEST_OUTCOMES)[number]

export interface RequestQuery {
  /** The whole request id. */
  requestId?: string
  /** Refused: 4xx; failed: 5xx. */
  outcome?: RequestOutcome
  keyId?: string
  /** Only requests with this user's keys, revoked ones included. */
  ownerId?: string
  /** Only requests before this one. */
  before?: ListCursor
  limit: number
}

/** Newest first; `next` is null when these are the last. */
export interface RequestPage {
  requests: LoggedRequest[]
  next: ListCursor | null
}

const STATUSES: Readonly<Record<RequestOutcome, readonly [from: number, below: number]>> = {
  answered: [100, 400],
  refused: [400, 500],
  failed: [500, 600],
}

/** Requests that wait to be written; further ones are counted, and missing from the list. */
const PENDING_MAX = 5_000

/** Keeps requests in memory until they are written; `take` hands over what there is and begins anew. */
export function createPendingRequests() {
  let pending: LoggedRequest[] = []
  let missing = 0
  const add = (request: LoggedRequest): void => {
    if (pending.length < PENDING_MAX) pending.push(request)
    else missing += 1
  }
  return {
    add,
    take(): LoggedRequest[] {
      const taken = pending
      pending = []
      return taken
    },
    /** What could not be written comes back, before what came since. */
    giveBack(requests: readonly LoggedRequest[]): void {
      const since = pending
      pending = []
      for (const request of [...requests, ...since]) add(request)
    },
    missing: (): number => missing,
  }
}

/** Inserts requests inside the caller’s transaction, in chunks with a turn of the event loop between them. */
export async function writeRequests(
  transaction: StoreTransaction,
  requests: readonly LoggedRequest[],
): Promise<void> {
  for (const some of chunks(requests)) {
    await nextTurn()
    await transaction.insertInto('request_log').values(some.map(rowOf)).execute()
  }
}

const rowOf = (request: LoggedRequest) => ({
  occurred_at: request.occurredAt.getTime(),
  entry_id: randomBytes(9).toString('base64url'),
  request_id: request.requestId,
  method: request.method,
  route: request.route,
  status: request.status,
  code: request.code,
  elapsed_ms: Math.round(request.elapsedMs),
  snippets: request.snippets,
  key_id: request.keyId,
  depth: request.depth,
  engine: request.engine,
  // NUL is a character of JSON that PostgreSQL takes in no text: one such query would keep all others from being written.
  query: request.query?.replaceAll('\0', '\uFFFD') ?? null,
})

/** @throws what the store throws. */
export async function readRequests(database: StoreDatabase, wanted: RequestQuery): Promise<RequestPage> {
  let query = database
    .selectFrom('request_log')
    .selectAll()
    .orderBy('occurred_at', 'desc')
    .orderBy('entry_id', 'desc')
    .limit(wanted.limit + 1)
  const { requestId, outcome, keyId, ownerId, before } = wanted
  if (requestId !== undefined) query = query.where('request_id', '=', requestId)
  if (keyId !== undefined) query = query.where('key_id', '=', keyId)
  if (outcome !== undefined) {
    const [from, below] = STATUSES[outcome]
    query = query.where('status', '>=', from).where('status', '<', below)
  }
  if (ownerId !== undefined)
    query = query.where(
      'key_id',
      'in',
      database.selectFrom('api_keys').select('id').where('owner_id', '=', ownerId),
    )
  if (before !== undefined) query = query.where(isOlderThan(before))
  const { shown, next } = cutPage(await query.execute(), wanted.limit)
  return {
    requests: shown.map((row) => ({
      occurredAt: new Date(row.occurred_at),
      requestId: row.request_id,
      method: row.method,
      route: row.route,
      status: row.status,
      code: row.code,
      elapsedMs: row.elapsed_ms,
      snippets: row.snippets,
      keyId: row.key_id,
      depth: row.depth,
      engine: row.engine,
      query: row.query,
    })),
    next,
  }
}

/** When the request was that `count` others have come after; null when there are not so many. */
export async function momentAfterWhich(database: StoreDatabase, count: number): Promise<number | null> {
  const row = await database
    .selectFrom('request_log')
    .select('occurred_at')
    .orderBy('occurred_at', 'desc')
    .limit(1)
    .offset(count)
    .executeTakeFirst()
  return row?.occurred_at ?? null
}
