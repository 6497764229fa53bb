// `verbatim serve`: starts the service, tells what it has and, the first time, what is shown once; ends it on a signal.
import { Command } from 'commander'
import type { ServiceStatus } from '../telemetry/service-status.ts'
import type { FirstRun, Service } from '../compose/service.ts'

/** A little more than the service grants to what is under way, so that it ends itself before it is ended. */
const SHUTDOWN_LIMIT_MS = 14_000

/** Exit code 0 after SIGTERM or SIGINT, 1 when the service could not start. */
export function createServeCommand({ openService }: { openService: () => Promise<Service> }): Command {
  return new Command('serve').description('start the service').action(async () => {
    const service = await openService()
    for (const signal of ['SIGTERM', 'SIGINT'] as const)
      process.once(signal, () => void stop(service, signal))
    process.stdout.write(greeting(service, await service.describe()))
  })
}

async function stop(service: Service, signal: string): Promise<void> {
  process.stderr.write(`${signal}: finishing what is under way …\n`)
  setTimeout(() => process.exit(1), SHUTDOWN_LIMIT_MS).unref()
  await service.close()
  process.exit(0)
}

function greeting(service: Service, status: ServiceStatus): string {
  const parts = status.parts.map(({ kind, name, state, detail, remedy }) => {
    const line = `  ${state === 'ready' ? '✓' : '•'} ${kind} ${name}: ${detail}`
    return remedy === null ? line : `${line}\n      ${remedy}`
  })
  const lines = [`Verbatim ${status.version} is up at ${service.publicUrl}`, ...parts]
  return `${[...lines, ...(service.firstRun === null ? [] : firstSteps(service.url, service.firstRun))].join('\n')}\n`
}

function firstSteps(url: string, { key, invitationUrl }: FirstRun): string[] {
  return [
    '',
    'This is the first run. What follows is shown once and never again:',
    '',
    `  API key        ${key}`,
    `  Administrator  ${invitationUrl}`,
    '                 (open it to choose your e-mail and password; the link works once)',
    '',
    'Ask your first question:',
    '',
    `  curl -s ${url}/v1/search \\`,
    `    -H 'Authorization: Bearer ${key}' \\`,
    "    -H 'Content-Type: application/json' \\",
    `    -d '{"query": "How do I revoke an API key?", "search_depth": "exhaustive"}'`,
    '',
  ]
}
