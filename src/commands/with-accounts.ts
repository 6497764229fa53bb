// What every account command shares: open the accounts, do the work, close them, and turn a failure into one sentence
// on stderr and an exit code.
import type { Accounts } from '../accounts/accounts.ts'
import { OperatorError } from '../errors.ts'
import { EXIT_USAGE } from './command-end.ts'

/** Opens the accounts when a command needs them; `--help` must not make a store. */
export type OpenAccounts = () => Promise<Accounts>

/** A failure that is the caller's to mend; its message is what they read. */
export class CommandError extends Error {}

/**
 * Runs `work` on open accounts. Exit code 0 when it is done; 1 with the reason on stderr when it is not: the store
 * cannot be used, or there is no such key or user; 2 when what was asked for can never be, as a key without a name.
 * Other errors go on to the caller.
 */
export async function withAccounts(
  open: OpenAccounts,
  work: (accounts: Accounts) => Promise<void>,
): Promise<void> {
  try {
    const accounts = await open()
    try {
      await work(accounts)
    } finally {
      await accounts.close()
    }
  } catch (error) {
    if (!(error instanceof OperatorError || error instanceof CommandError || error instanceof RangeError))
      throw error
    process.stderr.write(`${error.message}\n`)
    process.exitCode = error instanceof RangeError ? EXIT_USAGE : 1
  }
}

/** Rows under a header, columns aligned by spaces. */
export function formatTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = header.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => (row[column] ?? '').length)),
  )
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd()
  return [header, ...rows].map((row) => `${line(row)}\n`).join('')
}

/** A moment as `2026-11-21 01:08` in UTC, or what stands for none. */
export const formatMoment = (moment: Date | null, none: string): string =>
  moment === null ? none : moment.toISOString().slice(0, 16).replace('T', ' ')

/** A number of things in words: "1 page", "0 pages". */
export const countOf = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`
