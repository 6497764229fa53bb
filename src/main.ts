#!/usr/bin/env node
// The command line: every sub-command with what it needs, opened only when it runs. Starts and stops; builds nothing
// itself.
import { Command } from 'commander'
import { createBackupCommand } from './commands/backup.ts'
import { createCompletionCommand } from './commands/completion.ts'
import { createDoctorCommand } from './commands/doctor.ts'
import { createIndexCommand } from './commands/index-pages.ts'
import { createKeysCommand } from './commands/keys.ts'
import { createMcpCommand } from './commands/mcp.ts'
import { createModelsCommand } from './commands/models/models.ts'
import { createSearchCommand } from './commands/search.ts'
import { createServeCommand } from './commands/serve.ts'
import { createSigningKeysCommand } from './commands/signing-keys.ts'
import { withUsageExitCode } from './commands/command-end.ts'
import { guardOutput } from './commands/process-guard.ts'
import { createUsersCommand } from './commands/users.ts'
import { openConfiguredAccounts } from './compose/account-parts.ts'
import { readVersion } from './compose/version.ts'
import { loadConfig, type Config } from './config.ts'
import { OperatorError } from './errors.ts'
import { createLogger, type Logger } from './telemetry/log.ts'

/** Composition is loaded only when a command needs it: browser, models and parsers take a second to import. */
const loadSearchParts = () => import('./compose/search-parts.ts')
const loadCrawls = () => import('./compose/crawl-parts.ts')
const loadService = () => import('./compose/service.ts')

function createProgram(config: Config, version: string): Command {
  const ownUrl = `http://127.0.0.1:${config.http.port}`
  const publicUrl = config.http.publicUrl ?? ownUrl
  const log = createLogger(config.logLevel === 'info' ? 'error' : config.logLevel)
  const openCommandParts = async () => (await loadSearchParts()).openSearchParts(config, { ownUrl, log })
  const openCommandAccounts = () => openConfiguredAccounts(config, { redis: null, log })
  return new Command('verbatim')
    .description('web search that answers with passages, word for word as they stand on the page')
    .version(version, '-V, --version', 'print the version')
    .hook('preAction', (_program, command) => guardOutput({ isService: command.name() === 'serve' }))
    .addCommand(
      createServeCommand({
        openService: async (serviceLog) => (await loadService()).openService(config, { log: serviceLog }),
        log: createLogger(config.logLevel),
      }),
    )
    .addCommand(createSearchCommand({ openSearchParts: openCommandParts }))
    .addCommand(createMcpCommand({ openSearchParts: openCommandParts, log }))
    .addCommand(createKeysCommand({ openAccounts: openCommandAccounts }))
    .addCommand(
      createUsersCommand({
        openAccounts: openCommandAccounts,
        invitationUrl: (token) => `${publicUrl}/invitations/${token}`,
        resetUrl: (token) => `${publicUrl}/resets/${token}`,
      }),
    )
    .addCommand(
      createSigningKeysCommand({
        openKeyStore: async () => (await loadSearchParts()).openConfiguredKeyStore(config, log),
      }),
    )
    .addCommand(createIndexCommand(indexParts(config, log)))
    .addCommand(createModelsCommand(() => config.models))
    .addCommand(createDoctorCommand({ openSearchParts: openCommandParts, store: config.accounts.store }))
    .addCommand(
      createBackupCommand({
        store: config.accounts.store,
        backUp: async (...parameters) => (await import('./compose/back-up.ts')).backUp(...parameters),
      }),
    )
    .addCommand(createCompletionCommand())
}

function indexParts(config: Config, log: Logger): Parameters<typeof createIndexCommand>[0] {
  return {
    openLibrary: async () => (await loadSearchParts()).openConfiguredLibrary(config, log),
    openFileIndexer: async (library) => (await loadCrawls()).openFileIndexer(library, log),
    openCrawler: async (library) => (await loadCrawls()).openCrawler(config, { library, log }),
  }
}

/** One sentence for what the operator can mend; a stack for what only we can. */
function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error instanceof OperatorError ? error.message : (error.stack ?? error.message)
}

try {
  await withUsageExitCode(createProgram(loadConfig(), await readVersion())).parseAsync()
} catch (error) {
  process.stderr.write(`${describeFailure(error)}\n`)
  process.exit(1)
}
