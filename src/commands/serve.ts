// `verbatim serve`: starts the service, tells what it has and, the first time, what is shown once; ends it on a signal.
import { Command } from 'commander'
import { detach } from '../concurrency/task-group.ts'
import type { Logger } from '../telemetry/log.ts'
import { groupByRemedy, type ServiceStatus } from '../telemetry/service-status.ts'
import type { FirstRun, Service } from '../compose/service.ts'
import { guardProcess } from './process-guard.ts'

/** A little more than the service grants to what is under way, so that it ends itself before it is ended. */
const SHUTDOWN_LIMIT_MS = 14_000

export interface ServeCommandOptions {
  openService: (log: Logger) => Promise<Service>
  createLog: () => Logger
}

/** Exit code 0 after SIGTERM, SIGINT or SIGHUP, 1 when the service could not start or an exception ended it. */
export function createServeCommand({ openService, createLog }: ServeCommandOptions): Command {
  return new Command('serve')
    .description('start the service')
    .addHelpText('after', SETTINGS)
    .action(() => serve(openService, createLog()))
}

const SETTINGS = `
It takes its settings from variables of the environment, such as PORT=8080,
DATA_DIR=/var/lib/verbatim or SEARXNG_URL=http://127.0.0.1:8888; all of them are
in docs/configuration.md.`

async function serve(openService: ServeCommandOptions['openService'], log: Logger): Promise<void> {
  let service: Service | null = null
  guardProcess({
    log,
    onUnhandledRejection: () => service?.observeUnhandledRejection(),
    onUncaughtException: () => (service === null ? process.exit(1) : end(service, 1)),
  })
  const opened = await openService(log)
  service = opened
  // SIGHUP comes when the terminal is closed: what is under way then is worth no less.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.once(signal, () => {
      process.stderr.write(`${signal}: finishing what is under way …\n`)
      end(opened, 0)
    })
  }
  const text = greeting(opened, await opened.describe())
  process.stdout.write(text, (error) => {
    if (!error) noteShown(opened, log)
  })
}

/** Where nobody could be shown the first key, as where standard output is closed, the next start makes another. */
function noteShown({ firstRun }: Service, log: Logger): void {
  if (firstRun === null) return
  detach(firstRun.confirmShown(), (error) =>
    log.warn(
      { err: error },
      'it could not be noted that the first key was shown; the next start makes another',
    ),
  )
}

/** Closes the service and ends the process; the first exit code that is not 0 counts. */
function end(service: Service, exitCode: 0 | 1): void {
  process.exitCode = Math.max(exitCode, Number(process.exitCode ?? 0))
  setTimeout(() => process.exit(1), SHUTDOWN_LIMIT_MS).unref()
  detach(
    service.close().then(() => process.exit()),
    () => process.exit(1),
  )
}

function greeting(service: Service, status: ServiceStatus): string {
  const parts = groupByRemedy(status.parts).flatMap(describeGroup)
  const lines = [`Verbatim ${status.version} is up at ${service.publicUrl}`, ...parts]
  return `${[...lines, ...(service.firstRun === null ? [] : firstSteps(service.url, service.firstRun))].join('\n')}\n`
}

function describeGroup({ parts, remedy }: ReturnType<typeof groupByRemedy>[number]): string[] {
  const lines = parts.map(
    ({ kind, name, state, detail }) => `  ${state === 'ready' ? '✓' : '•'} ${kind} ${name}: ${detail}`,
  )
  return remedy === null ? lines : [...lines, `      ${remedy}`]
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
