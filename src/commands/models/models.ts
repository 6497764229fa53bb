// `verbatim models`: its sub-commands, and what each failure of theirs is to whoever called.
// CI, the Dockerfile and set-up call it, so every outcome has its exit code. Each is loaded when it runs, for no other command needs the hub or the models.
import { stderr } from 'node:process'
import { Command } from 'commander'
import { TIERS } from '../../score/models/catalog.ts'
import { openInterrupt } from '../command-end.ts'
import { DEFAULT_TIERS, MODELS_EXIT, type ModelsOutput, type ModelsSettings } from './models-settings.ts'

const terminal: ModelsOutput = {
  line: (text) => console.log(text),
  fault: (text) => console.error(text),
  isTerminal: stderr.isTTY,
  exit: (code) => {
    process.exitCode = code
  },
}

/**
 * The `models` sub-command. `settings` is asked when a sub-command runs, so that building the command line reads no
 * environment. Exit codes: see MODELS_EXIT.
 */
export function createModelsCommand(
  settings: () => ModelsSettings,
  output: ModelsOutput = terminal,
): Command {
  async function perform(work: (signal: AbortSignal) => Promise<number>): Promise<void> {
    const interrupt = openInterrupt()
    try {
      output.exit(await work(interrupt.signal))
    } catch (error) {
      const { explainFailure } = await import('./explain-failure.ts')
      const { code, text } = explainFailure(error, interrupt.signal)
      output.fault(text)
      output.exit(code)
    } finally {
      interrupt.close()
    }
  }

  const command = new Command('models').description('list, fetch and check the models that score passages')
  command
    .command('list')
    .description('every model, whether it is installed, and which one serves each tier')
    .action(() => perform(async () => (await import('./list-models.ts')).listModels(settings(), output)))
  command
    .command('prefetch')
    .description(
      `fetch the models of tiers (${TIERS.join(', ')}), of models by id or by owner/name on the hub, or of all; default ${DEFAULT_TIERS.join(', ')}`,
    )
    .argument('[names...]', 'tiers or model ids')
    .option('--if-reachable', 'end well, with one line, when the hub does not answer within 3 seconds')
    .action((names: string[], { ifReachable = false }: { ifReachable?: boolean }) =>
      perform(async (signal) => {
        const { prefetchModels } = await import('./prefetch-models.ts')
        return prefetchModels(settings(), names, { ifReachable }, output, signal)
      }),
    )
  command
    .command('verify')
    .description('compare the files on disk with the digests of the catalog and of the lock file')
    .argument('[names...]', 'tiers or model ids')
    .action((names: string[]) =>
      perform(async (signal) => {
        const { verifyModels } = await import('./verify-models.ts')
        return verifyModels(settings(), names, output, signal)
      }),
    )
  command
    .command('calibrate')
    .description('fit the scores of the models that are fetched or named, into MODEL_DIR/calibration.json')
    .option(
      '--data <file>',
      'JSON lines, plain or .gz: {"set", "query", "passages": [], "relevant": [positions]}; default: our own questions',
    )
    .action(({ data }: { data?: string }) =>
      perform(async (signal) => {
        const { calibrateModels } = await import('./calibrate-models.ts')
        const isWorthServing = await calibrateModels(settings(), data ?? null, output.line, signal)
        return isWorthServing ? MODELS_EXIT.done : MODELS_EXIT.worse
      }),
    )
  return command
}
