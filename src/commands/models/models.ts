// `verbatim models`: its sub-commands, and what each failure of theirs is to whoever called.
// CI, the Dockerfile and set-up call it, so every outcome has its exit code.
import { stderr } from 'node:process'
import { Command, CommanderError } from 'commander'
import { ModelMissingError, TIERS } from '../../score/models/catalog.ts'
import { DigestMismatchError } from '../../score/models/download/transfer-file.ts'
import { HubRefusedError, HubUnavailableError } from '../../score/models/hub.ts'
import { openInterrupt } from '../command-end.ts'
import { listModels } from './list-models.ts'
import { MODELS_EXIT, UsageError, type ModelsOutput, type ModelsSettings } from './models-settings.ts'
import { DEFAULT_TIERS, prefetchModels } from './prefetch-models.ts'
import { verifyModels } from './verify-models.ts'

const terminal: ModelsOutput = {
  line: (text) => console.log(text),
  fault: (text) => console.error(text),
  isTerminal: stderr.isTTY,
  exit: (code) => {
    process.exitCode = code
  },
}

/** The sentence and the exit code for whatever went wrong. */
function explain(error: unknown, signal: AbortSignal): { code: number; text: string } {
  if (signal.aborted)
    return { code: MODELS_EXIT.interrupted, text: 'Interrupted. The next run resumes here.' }
  const text = error instanceof Error ? error.message : String(error)
  if (error instanceof UsageError || error instanceof CommanderError) return { code: MODELS_EXIT.usage, text }
  if (error instanceof HubUnavailableError) return { code: MODELS_EXIT.unavailable, text }
  if (error instanceof DigestMismatchError) return { code: MODELS_EXIT.damaged, text }
  if (error instanceof HubRefusedError || error instanceof ModelMissingError)
    return { code: MODELS_EXIT.missing, text }
  return { code: MODELS_EXIT.unexpected, text }
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
      const { code, text } = explain(error, interrupt.signal)
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
    .action(() => perform(() => listModels(settings(), output)))
  command
    .command('prefetch')
    .description(
      `fetch the models of tiers (${TIERS.join(', ')}), of models by id or by owner/name on the hub, or of all; default ${DEFAULT_TIERS.join(', ')}`,
    )
    .argument('[names...]', 'tiers or model ids')
    .option('--if-reachable', 'end well, with one line, when the hub does not answer within 3 seconds', false)
    .action((names: string[], options: { ifReachable: boolean }) =>
      perform((signal) => prefetchModels(settings(), names, options, output, signal)),
    )
  command
    .command('verify')
    .description('compare the files on disk with the digests of the catalog and of the lock file')
    .argument('[names...]', 'tiers or model ids')
    .action((names: string[]) => perform((signal) => verifyModels(settings(), names, output, signal)))
  command
    .command('calibrate')
    .description('fit the scores of the models that are fetched or named, into MODEL_DIR/calibration.json')
    .option(
      '--data <file>',
      'JSON lines, plain or .gz: {"set", "query", "passages": [], "relevant": [positions]}; default: our own questions',
    )
    .action(({ data }: { data?: string }) =>
      perform(async (signal) => {
        // Loaded only here: it brings the engine along, which the other sub-commands do not need.
        const { calibrateModels } = await import('./calibrate-models.ts')
        const isWorthServing = await calibrateModels(settings(), data ?? null, output.line, signal)
        return isWorthServing ? MODELS_EXIT.done : MODELS_EXIT.worse
      }),
    )
  return command
}
