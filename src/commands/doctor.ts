// `verbatim doctor`: what the service would run with, and what is missing with the command that mends it. The same
// words as the dashboard's start page.
import { Command } from 'commander'
import type { StoreLocation } from '../accounts/store/store.ts'
import type { PartState, ServiceStatus } from '../telemetry/service-status.ts'
import { describeService } from '../compose/describe-service.ts'
import type { SearchParts } from '../compose/search-parts.ts'

const MARKS: Readonly<Record<PartState, string>> = {
  ready: 'ok',
  limited: 'limited',
  missing: 'MISSING',
  off: 'off',
}

export interface DoctorCommandOptions {
  openSearchParts: () => Promise<SearchParts>
  store: StoreLocation
}

/** Exit code 0 when nothing is missing, 2 when something is. */
export function createDoctorCommand(options: DoctorCommandOptions): Command {
  return new Command('doctor')
    .description('say which engines, models, browser and stores there are, and how to mend what is missing')
    .option('--json', 'as JSON')
    .action(async ({ json = false }: { json?: boolean }) => {
      const status = await examine(options)
      process.stdout.write(json ? `${JSON.stringify(status, null, 2)}\n` : formatStatus(status))
      if (status.parts.some((part) => part.state === 'missing')) process.exitCode = 2
    })
}

async function examine({ openSearchParts, store }: DoctorCommandOptions): Promise<ServiceStatus> {
  const parts = await openSearchParts()
  try {
    return await describeService({
      ...parts,
      startedAt: new Date(),
      store: 'dataDir' in store ? 'sqlite' : 'postgres',
    })
  } finally {
    await parts.close()
  }
}

function formatStatus(status: ServiceStatus): string {
  const lines = status.parts.flatMap(({ kind, name, state, detail, remedy }) => [
    `${MARKS[state].padEnd(8)} ${kind} ${name}: ${detail}`,
    ...(remedy === null ? [] : [`         ${remedy}`]),
  ])
  return `Verbatim ${status.version} on Node ${process.versions.node}\n${lines.join('\n')}\n`
}
