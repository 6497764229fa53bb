// `verbatim signing-keys`: the keys that sign bundles, on the same store as the running service.
import { Command } from 'commander'
import type { KeyStore } from '../search/bundles/signing-key.ts'
import { formatMoment, formatTable } from './with-accounts.ts'

export interface SigningKeysCommandOptions {
  openKeyStore: () => Promise<KeyStore>
}

export function createSigningKeysCommand({ openKeyStore }: SigningKeysCommandOptions): Command {
  const command = new Command('signing-keys').description('list and replace the keys that sign bundles')

  async function withStore(work: (store: KeyStore) => Promise<void>): Promise<void> {
    const store = await openKeyStore()
    try {
      await work(store)
    } finally {
      await store.close()
    }
  }

  command
    .command('list')
    .description('list the keys, newest first; the first is made when there is none')
    .action(() => withStore(printKeys))

  command
    .command('replace')
    .description('make a new key, which the running service signs with within a minute')
    .option('--distrust', 'forget the keys of before, so that bundles signed with them are refused')
    .action(({ distrust = false }: { distrust?: boolean }) =>
      withStore(async (store) => {
        await store.replace(!distrust)
        await printKeys(store)
      }),
    )

  return command
}

async function printKeys(store: KeyStore): Promise<void> {
  const rows = (await store.load()).map(({ kid, madeAt, replacedAt }) => [
    kid,
    formatMoment(new Date(madeAt), ''),
    formatMoment(replacedAt === null ? null : new Date(replacedAt), 'signs'),
  ])
  process.stdout.write(formatTable(['KEY', 'MADE (UTC)', 'REPLACED (UTC)'], rows))
}
