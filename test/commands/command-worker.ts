// Runs the account commands as the command line does: `node --import tsx command-worker.ts DATA_DIR keys create NAME`.
import { Command } from 'commander'
import { openAccounts } from '../../src/accounts/accounts.ts'
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

await new Command('verbatim')
  .addCommand(createKeysCommand({ openAccounts: open }))
  .addCommand(
    createUsersCommand({
      openAccounts: open,
      invitationUrl: (token) => `http://localhost/invitations/${token}`,
      resetUrl: (token) => `http://localhost/resets/${token}`,
    }),
  )
  .parseAsync(words, { from: 'user' })
