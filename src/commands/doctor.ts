// `verbatim doctor`: what the service would run with, and what is missing with the command that mends it. The same
// words as the dashboard's start page, and for engines that fail the reason besides.
import { Command } from 'commander'
import type { StoreLocation } from '../accounts/store/store.ts'
import {
  groupByRemedy,
  type PartState,
  type ServicePart,
  type ServiceStatus,
} from '../telemetry/service-status.ts'
import { describeService } from '../compose/describe/describe-service.ts'
import type { SearchParts } from '../compose/search-parts.ts'

const MARKS: Readonly<Record<PartState, string>> = {
  ready: 'ok',
  limited: 'limited',
  failing: 'FAILING',
  missing: 'MISSING',
  untried: 'untried',
  off: 'off',
}

export interface DoctorCommandOptions {
  openSearchParts: () => Promise<SearchParts>
  storeOf: () => StoreLocation
  /** What is wrong with the address that is set. */
  describeAddress: () => Promise<readonly ServicePart[]>
}

const BROKEN: ReadonlySet<PartState> = new Set(['failing', 'missing'])

/** Exit code 0 when nothing is missing and every engine answers, else 2. */
export function createDoctorCommand(options: DoctorCommandOptions): Command {
  return new Command('doctor')
    .description('say which engines, models, browser and stores there are, and how to mend what is missing')
    .option('--json', 'as JSON')
    .option(
      '--no-probe',
      'ask no search engine; with it, each is asked once, which a paid one charges as a search',
    )
    .action(async ({ json = false, probe }: { json?: boolean; probe: boolean }) => {
      const examination = await examine(options, probe)
      const { status } = examination
      process.stdout.write(json ? `${JSON.stringify(status, null, 2)}\n` : formatExamination(examination))
      if (status.parts.some((part) => BROKEN.has(part.state))) process.exitCode = 2
    })
}

interface Examination {
  status: ServiceStatus
  /** Why engines failed, in words for the operator. */
  reasons: readonly string[]
  /** How many engines were asked. */
  probed: number
}

async function examine(
  { openSearchParts, storeOf, describeAddress }: DoctorCommandOptions,
  isProbing: boolean,
): Promise<Examination> {
  const parts = await openSearchParts()
  try {
    if (isProbing) await parts.providers.probe()
    const engines = parts.providers.describe()
    const status = await describeService({
      ...parts,
      startedAt: new Date(),
      store: 'dataDir' in storeOf() ? 'sqlite' : 'postgres',
    })
    return {
      status: { ...status, parts: [...status.parts, ...(await describeAddress())] },
      reasons: engines.flatMap(({ lastFailure }) => lastFailure?.message ?? []),
      probed: isProbing ? engines.filter(({ name }) => name !== 'library').length : 0,
    }
  } finally {
    await parts.close()
  }
}

function formatExamination({ status, reasons, probed }: Examination): string {
  const requests =
    probed === 1 ? 'one search engine one question' : `${probed} search engines one question each`
  return [
    formatStatus(status),
    ...reasons.map((reason) => `Reason   ${reason}\n`),
    probed === 0 ? '' : `Asked ${requests}, which a paid engine charges as a search.\n`,
  ].join('')
}

function formatStatus(status: ServiceStatus): string {
  const lines = groupByRemedy(status.parts).flatMap(formatGroup)
  return `Verbatim ${status.version} on Node ${process.versions.node}\n${lines.join('\n')}\n`
}

function formatGroup({ parts, remedy }: ReturnType<typeof groupByRemedy>[number]): string[] {
  const lines = parts.map(
    ({ kind, name, state, detail }) => `${MARKS[state].padEnd(8)} ${kind} ${name}: ${detail}`,
  )
  return remedy === null ? lines : [...lines, `         ${remedy}`]
}
