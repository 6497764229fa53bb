// `verbatim keys`: API keys from the command line, on the same store as the running service. What a script wants to
// read goes to stdout, everything for people to stderr.
import { Command, InvalidArgumentError } from 'commander'
import { endOfDay } from '../accounts/keys/expiry.ts'
import type { ApiKey } from '../accounts/keys/api-key.ts'
import { KEY_SCOPES, readScopes, type KeyScope } from '../contract/key-scopes.ts'
import { CommandError, formatMoment, formatTable, withAccounts, type OpenAccounts } from './with-accounts.ts'

interface CreateOptions {
  scopes?: KeyScope[]
  path?: boolean
  expires?: Date
  rateLimit?: number
}

/** `verbatim keys` with its sub-commands. */
export function createKeysCommand({ openAccounts }: { openAccounts: OpenAccounts }): Command {
  const command = new Command('keys').description('create, list and revoke API keys')
  addCreate(command, openAccounts)
  addList(command, openAccounts)
  addRevoke(command, openAccounts)
  return command
}

function addCreate(command: Command, openAccounts: OpenAccounts): void {
  command
    .command('create')
    .description('make a key; it stands alone on the last line of stdout and is shown this once')
    .argument('<name>', 'what the key is for, 1 to 100 characters')
    .option(
      '--expires <date>',
      'day at whose end (UTC) it stops working, such as 2027-01-31, or a moment (default: never)',
      parseMoment,
    )
    .option(
      '--rate-limit <points>',
      'its own limit of requests per window (default: that of the service)',
      parsePoints,
    )
    .option(
      '--scopes <list>',
      `what it may be used for, of ${KEY_SCOPES.join(',')} (default: all but metrics; with --path search alone)`,
      parseScopes,
    )
    .option('--path', 'make a token that stands in the address, for clients that send no header')
    .action((name: string, options: CreateOptions) =>
      withAccounts(openAccounts, async ({ keys, audit }) => {
        const { key, record } = await keys.create({
          name,
          ownerId: null,
          expiresAt: options.expires ?? null,
          rateLimitPoints: options.rateLimit ?? null,
          isPathToken: options.path ?? false,
          ...(options.scopes === undefined ? {} : { scopes: options.scopes }),
        })
        await audit.note({ actorId: null, action: 'key_created', subject: record.name })
        process.stderr.write(
          `Made the key "${record.name}" (${record.id}). Keep it now: it is not shown again.\n`,
        )
        process.stdout.write(`${key}\n`)
      }),
    )
}

function addList(command: Command, openAccounts: OpenAccounts): void {
  command
    .command('list')
    .description('list keys, newest first')
    .option('--all', 'revoked ones too')
    .option('--json', 'as JSON')
    .action(({ all = false, json = false }: { all?: boolean; json?: boolean }) =>
      withAccounts(openAccounts, async ({ keys }) => {
        const records = await keys.list({ withRevoked: all })
        process.stdout.write(json ? `${JSON.stringify(records, null, 2)}\n` : formatKeys(records))
      }),
    )
}

function addRevoke(command: Command, openAccounts: OpenAccounts): void {
  command
    .command('revoke')
    .description('revoke a key; from the next request on it is refused everywhere')
    .argument('<key-or-id>', 'the full key, or its id from "keys list"')
    .action((keyOrId: string) =>
      withAccounts(openAccounts, async ({ keys, audit }) => {
        const record = await keys.revoke(keyOrId, { userId: null })
        if (record === null) {
          throw new CommandError('There is no such key. "keys list --all" shows the ids of all keys.')
        }
        await audit.note({ actorId: null, action: 'key_deleted', subject: record.name })
        process.stderr.write(`The key "${record.name}" (${record.id}) is revoked.\n`)
      }),
    )
}

function formatKeys(records: readonly ApiKey[]): string {
  const rows = records.map((record) => [
    record.id,
    `${record.prefix}…${record.lastFour}`,
    formatMoment(record.createdAt, ''),
    formatMoment(record.lastUsedAt, 'never'),
    stateOf(record),
    record.scopes.join(','),
    record.name,
  ])
  return formatTable(['ID', 'KEY', 'CREATED (UTC)', 'LAST USED (UTC)', 'STATE', 'SCOPES', 'NAME'], rows)
}

function stateOf({ revokedAt, expiresAt }: ApiKey): string {
  if (revokedAt !== null) return `revoked ${formatMoment(revokedAt, '')}`
  if (expiresAt === null) return 'active'
  return `${expiresAt <= new Date() ? 'expired' : 'active until'} ${formatMoment(expiresAt, '')}`
}

/** A day lasts to its end, as on the dashboard; one that its month does not have is none. */
function parseMoment(text: string): Date {
  const day = endOfDay(text.slice(0, 10))
  const moment = text.length === 10 ? day : new Date(text)
  if (day === null || moment === null || Number.isNaN(moment.getTime()))
    throw new InvalidArgumentError('Write it as 2027-01-31 or 2027-01-31T18:00:00Z.')
  if (moment <= new Date()) throw new InvalidArgumentError('It must lie in the future.')
  return moment
}

function parseScopes(text: string): KeyScope[] {
  const scopes = readScopes(text)
  if (scopes === null || scopes.length === 0)
    throw new InvalidArgumentError(`Write some of ${KEY_SCOPES.join(', ')} with commas between.`)
  return scopes
}

function parsePoints(text: string): number {
  const points = Number(text)
  if (!Number.isSafeInteger(points) || points < 1)
    throw new InvalidArgumentError('It is a whole number of at least 1.')
  return points
}
