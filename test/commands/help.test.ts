// What `--help` promises for every command: a sentence on what it does, and one for each argument and option.
import type { Command } from 'commander'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createBackupCommand } from '../../src/commands/backup.ts'
import { createCompletionCommand } from '../../src/commands/completion.ts'
import { createDoctorCommand } from '../../src/commands/doctor.ts'
import { createIndexCommand } from '../../src/commands/index/index-pages.ts'
import { createKeysCommand } from '../../src/commands/keys.ts'
import { createMcpCommand } from '../../src/commands/mcp.ts'
import { createModelsCommand } from '../../src/commands/models/models.ts'
import { createSearchCommand } from '../../src/commands/search.ts'
import { createServeCommand } from '../../src/commands/serve.ts'
import { createSigningKeysCommand } from '../../src/commands/signing-keys.ts'
import { createUsersCommand } from '../../src/commands/users.ts'

/** Help opens nothing. */
const never = (): never => {
  throw new Error('help must not open anything')
}

const COMMANDS: readonly Command[] = [
  createServeCommand({ openService: never, createLog: never }),
  createSearchCommand({ openSearchParts: never }),
  createMcpCommand({ openSearchParts: never, createLog: never }),
  createKeysCommand({ openAccounts: never }),
  createUsersCommand({ openAccounts: never, invitationUrl: never, resetUrl: never }),
  createSigningKeysCommand({ openKeyStore: never }),
  createIndexCommand({ openLibrary: never, openCrawler: never, openFileIndexer: never }),
  createModelsCommand(never),
  createDoctorCommand({ openSearchParts: never, storeOf: never, describeAddress: never }),
  createBackupCommand({ storeOf: never, backUp: never }),
  createCompletionCommand(),
]

const withSubcommands = (command: Command, path = ''): [string, Command][] => {
  const name = `${path} ${command.name()}`.trim()
  return [[name, command], ...command.commands.flatMap((one) => withSubcommands(one, name))]
}

describe.each(COMMANDS.flatMap((command) => withSubcommands(command)))('%s --help', (_name, command) => {
  test('says what it does and what each argument and option is for', () => {
    expect(command.description()).toMatch(/\w+ \w+/u)
    const help = command.helpInformation()
    expect(help).toContain(command.description().split(/\s+/u).slice(0, 3).join(' '))
    for (const { flags, description } of command.options) {
      expect([flags, description]).toEqual([flags, expect.stringMatching(/\w+/u)])
      expect(help).toContain(flags)
    }
    for (const argument of command.registeredArguments)
      expect([argument.name(), argument.description]).toEqual([
        argument.name(),
        expect.stringMatching(/\w+/u),
      ])
  })
})

test('the documentation has a row for every command', () => {
  const text = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'command-line.md'), 'utf8')
  const names = COMMANDS.flatMap((command) => withSubcommands(command))
    .filter(([, command]) => command.commands.length === 0)
    .map(([name]) => name)
  const rows = new Set([...text.matchAll(/^\| `([a-z -]+)/gmu)].map(([, name]) => `${name}`.trim()))
  expect(names.filter((name) => !rows.has(name))).toEqual([])
})
