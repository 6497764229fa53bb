// `verbatim backup`: copies the databases of the data folder while the service runs.
import { Argument, Command } from 'commander'
import type { StoreLocation } from '../accounts/store/store.ts'
import { OperatorError } from '../errors.ts'
import { EXIT_INTERRUPTED, openInterrupt } from './command-end.ts'

export interface BackupCommandOptions {
  storeOf: () => StoreLocation
  /** Returns the paths of the copies. */
  backUp: (dataDir: string, folder: string, signal: AbortSignal) => Promise<string[]>
}

/** Prints the path of each copy; exit code 1 when there is nothing to copy or a copy is damaged, 130 when interrupted. */
export function createBackupCommand({ storeOf, backUp }: BackupCommandOptions): Command {
  return new Command('backup')
    .description('copy the databases of the data folder while the service runs')
    .addArgument(new Argument('<folder>', 'where the copies go; copies of the same name are replaced'))
    .action(async (folder: string) => {
      const store = storeOf()
      if (!('dataDir' in store))
        throw new OperatorError('Everything lives in PostgreSQL (DATABASE_URL): back it up with pg_dump.')
      const interrupt = openInterrupt()
      try {
        const copies = await backUp(store.dataDir, folder, interrupt.signal)
        process.stdout.write(copies.map((path) => `${path}\n`).join(''))
      } catch (error) {
        if (!interrupt.signal.aborted) throw error
        process.stderr.write('Stopped. Copies made before are whole; the rest are as they were.\n')
        process.exitCode = EXIT_INTERRUPTED
      } finally {
        interrupt.close()
      }
    })
}
