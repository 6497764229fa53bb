// Runs the account commands as the command line does: `node command-worker.mjs DATA_DIR keys create NAME`.
import { Command } from 'commander'
import { openAccounts } from '../../src/accounts/accounts.ts'
import { withUsageExitCode } from '../../src/commands/command-end.ts'
import { createKeysCommand } from '../../src/commands/keys.ts'
import { createUsersCommand } from '../../src/commands/users.ts'
import { createLogger } from '../../src/telemetry/log.ts'

const [dataDir = '', ...words] = process.argv.slice(2)
const open = () =>
  openAccounts({
    store: { dataDir },
    redis: null,
    rateLimit: { points: 60, durationSeconds: 60 },
    log: createLogger('silent'),
  })

const program = new Command('verbatim').addCommand(createKeysCommand({ openAccounts: open })).addCommand(
  createUsersCommand({
    openAccounts: open,
    invitationUrl: (token) => `http://localhost/invitations/${token}`,
    resetUrl: (token) => `http://localhost/resets/${token}`,
  }),
)
await withUsageExitCode(program).parseAsync(words, { from: 'user' })
