#!/usr/bin/env node
// The command line: every sub-command with what it needs, opened only when it runs. Starts and stops; builds nothing
// itself.
import { Command } from 'commander'
import { createBackupCommand } from './commands/backup.ts'
import { createCompletionCommand } from './commands/completion.ts'
import { createDoctorCommand } from './commands/doctor.ts'
import { createIndexCommand } from './commands/index/index-pages.ts'
import { createKeysCommand } from './commands/keys.ts'
import { createMcpCommand } from './commands/mcp.ts'
import { createModelsCommand } from './commands/models/models.ts'
import { createSearchCommand } from './commands/search.ts'
import { createServeCommand } from './commands/serve.ts'
import { createSigningKeysCommand } from './commands/signing-keys.ts'
import { useOwnTemporaryFolder } from './commands/temporary-folder.ts'
import { withUsageExitCode } from './commands/command-end.ts'
import { guardOutput } from './commands/process-guard.ts'
import { createUsersCommand } from './commands/users.ts'
import { readVersion } from './compose/version.ts'
import { loadConfig } from './config.ts'
import type { PostgresWait } from './connections/postgres-start.ts'
import { OperatorError } from './errors.ts'
import { createLogger } from './telemetry/log.ts'

/** Composition is loaded only when a command needs it: browser, models and parsers take a second to import. */
const loadAccounts = () => import('./compose/account-parts.ts')
const loadSearchParts = () => import('./compose/search-parts.ts')
const loadCrawls = () => import('./compose/crawl-parts.ts')
const loadService = () => import('./compose/service.ts')
const loadAddress = () => import('./compose/describe/describe-address.ts')

/** A person waits in front of a command, and is told for what. */
const COMMAND_WAIT: PostgresWait = {
  connectTimeoutMs: 10_000,
  onWait: (message) => void process.stderr.write(`${message} …\n`),
}

/** What commands work with. @throws {OperatorError} when a variable of the environment is wrong. */
function readSettings() {
  const config = loadConfig()
  const ownUrl = `http://127.0.0.1:${config.http.port}`
  const log = createLogger(config.logLevel === 'info' ? 'error' : config.logLevel)
  return { config, ownUrl, publicUrl: config.http.publicUrl ?? ownUrl, log }
}

/** The environment is read once, when a command runs: help, version and completion say the same whatever it holds. */
function createSettings(): () => ReturnType<typeof readSettings> {
  let settings: ReturnType<typeof readSettings> | null = null
  return () => (settings ??= readSettings())
}

function createProgram(settings: ReturnType<typeof createSettings>, version: string): Command {
  const openCommandParts = async () => {
    const { config, ownUrl, log } = settings()
    return (await loadSearchParts()).openSearchParts(config, { ownUrl, log, wait: COMMAND_WAIT })
  }
  const openCommandAccounts = async () => {
    const { config, log } = settings()
    return (await loadAccounts()).openConfiguredAccounts(config, { redis: null, log, wait: COMMAND_WAIT })
  }
  const storeOf = () => settings().config.accounts.store
  return new Command('verbatim')
    .description('web search that answers with passages, word for word as they stand on the page')
    .version(version, '-V, --version', 'print the version')
    .hook('preAction', (_program, command) => {
      guardOutput({ isService: command.name() === 'serve' })
      // What is wrong with it is told before anything is done.
      if (command.name() === 'completion') return
      settings()
      useOwnTemporaryFolder()
    })
    .addCommand(
      createServeCommand({
        openService: async (log) => (await loadService()).openService(settings().config, { log }),
        createLog: () => createLogger(settings().config.logLevel),
      }),
    )
    .addCommand(createSearchCommand({ openSearchParts: openCommandParts }))
    .addCommand(createMcpCommand({ openSearchParts: openCommandParts, createLog: () => settings().log }))
    .addCommand(createKeysCommand({ openAccounts: openCommandAccounts }))
    .addCommand(
      createUsersCommand({
        openAccounts: openCommandAccounts,
        invitationUrl: (token) => `${settings().publicUrl}/invitations/${token}`,
        resetUrl: (token) => `${settings().publicUrl}/resets/${token}`,
      }),
    )
    .addCommand(
      createSigningKeysCommand({
        openKeyStore: async () => {
          const { config, log } = settings()
          return (await import('./compose/proof-parts.ts')).openReachableKeyStore(config, log, COMMAND_WAIT)
        },
      }),
    )
    .addCommand(createIndexCommand(indexParts(settings)))
    .addCommand(createModelsCommand(() => settings().config.models))
    .addCommand(
      createDoctorCommand({
        openSearchParts: openCommandParts,
        storeOf,
        describeAddress: async () => (await loadAddress()).describeAddress(settings().config.http.host),
      }),
    )
    .addCommand(
      createBackupCommand({
        storeOf,
        backUp: async (...parameters) => (await import('./compose/back-up.ts')).backUp(...parameters),
      }),
    )
    .addCommand(createCompletionCommand())
}

function indexParts(settings: ReturnType<typeof createSettings>): Parameters<typeof createIndexCommand>[0] {
  return {
    async openLibrary() {
      const { config, log } = settings()
      return (await import('./compose/library-parts.ts')).openConfiguredLibrary(config, log, COMMAND_WAIT)
    },
    openFileIndexer: async (library) => (await loadCrawls()).openFileIndexer(library, settings().log),
    async openCrawler(library) {
      const { config, log } = settings()
      return (await loadCrawls()).openCrawler(config, { library, log })
    },
  }
}

/** One sentence for what the operator can mend; a stack for what only we can. */
function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error instanceof OperatorError ? error.message : (error.stack ?? error.message)
}

try {
  await withUsageExitCode(createProgram(createSettings(), await readVersion())).parseAsync()
} catch (error) {
  process.stderr.write(`${describeFailure(error)}\n`)
  process.exit(1)
}
