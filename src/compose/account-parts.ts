// Opens the accounts as they are configured: for the service, and for commands that manage keys and people.
import { openAccounts, type Accounts } from '../accounts/accounts.ts'
import type { Config } from '../config.ts'
import type { PostgresWait } from '../connections/postgres-start.ts'
import type { RedisClient } from '../connections/redis.ts'
import type { Logger } from '../telemetry/log.ts'

/** @throws {OperatorError} when the store cannot be opened, with a message for the operator. */
export const openConfiguredAccounts = (
  config: Config,
  parts: { redis: RedisClient | null; log: Logger; wait?: PostgresWait },
): Promise<Accounts> => openAccounts({ ...config.accounts, ...parts })
