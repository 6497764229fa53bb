// Runs the account commands as the command line does: `node command-worker.mjs DATA_DIR keys create NAME`. Plain
// JavaScript over the built service, like all programs that tests start: half the time of compiling it anew.
import { Command } from 'commander'
import { openAccounts } from '../../dist/accounts/accounts.js'
import { withUsageExitCode } from '../../dist/commands/command-end.js'
import { createKeysCommand } from '../../dist/commands/keys.js'
import { createUsersCommand } from '../../dist/commands/users.js'
import { createLogger } from '../../dist/telemetry/log.js'

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
