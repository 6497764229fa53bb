// `verbatim models`: what models there are, fetching them ahead of time, and checking what lies on the disk.
// CI, the Dockerfile and set-up call it, so every outcome has its exit code.
import { dirname, join } from 'node:path'
import { stderr } from 'node:process'
import { Command, CommanderError } from 'commander'
import {
  BUNDLED,
  filesFor,
  isInstalled,
  ModelMissingError,
  readCatalog,
  resolveTiers,
  TIERS,
  type Catalog,
  type Device,
} from '../../score/models/catalog.ts'
import { DigestMismatchError, downloadModel, readLock, verifyModel } from '../../score/models/download.ts'
import {
  HubRefusedError,
  HubUnavailableError,
  openHub,
  type Hub,
  type HubOptions,
} from '../../score/models/hub.ts'
import { describeHubModel, type HubModel } from '../../score/models/folder/hub-repository.ts'
import { findNamedModels, isHubName, withNamedModels } from '../../score/models/named-models.ts'
import { makeNamedFolder } from '../../folders.ts'
import { createLogger } from '../../telemetry/log.ts'
import { createDownloadProgress } from './download-progress.ts'
import { EXIT_INTERRUPTED, openInterrupt } from '../command-end.ts'

/** What the process ends with. */
export const MODELS_EXIT = {
  done: 0,
  unexpected: 1,
  /** An unknown tier or model, or a wrong option. */
  usage: 2,
  /** The hub cannot be reached, is overloaded, or offline mode is on. */
  unavailable: 3,
  /** A file is not what the catalog says. */
  damaged: 4,
  /** A model is not installed (`verify`, `calibrate`), or the hub does not have it (`prefetch`). */
  missing: 5,
  /** A model is worse than what serves without it (`calibrate`). */
  worse: 6,
  interrupted: EXIT_INTERRUPTED,
} as const

export interface ModelsSettings {
  catalogPath: string
  /** MODEL_DIR. */
  modelDirectory: string
  /** Where the model lies that ships with the repository. */
  bundledDirectory: string
  /** Where the documentation lies. */
  docsDirectory: string
  device: Device
  hub: HubOptions
  /** What EMBEDDING_MODEL and RERANKER_MODEL name. */
  embeddingModel: string | null
  rerankerModel: string | null
}

export interface ModelsOutput {
  line: (text: string) => void
  /** Why a command failed, apart from what a script reads. */
  fault: (text: string) => void
  isTerminal: boolean
  exit: (code: number) => void
}

/** Fetched when no tier is named: the two that serve most requests. */
const DEFAULT_TIERS = ['precise', 'balanced']

const terminal: ModelsOutput = {
  line: (text) => console.log(text),
  fault: (text) => console.error(text),
  isTerminal: stderr.isTTY,
  exit: (code) => {
    process.exitCode = code
  },
}

const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`

class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** Model ids behind names of tiers (their first choice), of models here or on the hub, or `all`. @throws {UsageError} for other names. */
function modelsNamed(catalog: Catalog, names: readonly string[]): string[] {
  const ids = names.flatMap((name) => {
    if (name === 'all') return Object.keys(catalog.models)
    const tier = TIERS.find((known) => known === name)
    if (tier) return catalog.tiers[tier][0] ?? []
    if (name in catalog.models || isHubName(name)) return [name]
    throw new UsageError(
      `There is no tier or model "${name}". Tiers: ${TIERS.join(', ')}. Models of the hub are named owner/name.`,
    )
  })
  return Array.from(new Set(ids))
}

/** What ships lies beside the bundled model. */
const directoryOf = (
  { bundledDirectory, modelDirectory }: ModelsSettings,
  catalog: Catalog,
  id: string,
): string => {
  if (id === BUNDLED) return bundledDirectory
  return join(catalog.models[id]?.hub === null ? dirname(bundledDirectory) : modelDirectory, id)
}

async function list(settings: ModelsSettings, output: ModelsOutput): Promise<number> {
  const catalog = await readCatalog(settings.catalogPath)
  const installed = new Set<string>()
  for (const [id, model] of Object.entries(catalog.models)) {
    const isThere = await isInstalled(model, directoryOf(settings, catalog, id), settings.device)
    if (isThere) installed.add(id)
    const sizes = filesFor(model, settings.device).map((file) => file.sizeBytes)
    const size = sizes.includes(null)
      ? 'size unknown'
      : megabytes(sizes.reduce<number>((sum, bytes) => sum + (bytes ?? 0), 0))
    const origin = model.hub === null ? 'ships with Verbatim' : `${model.hub}, ${size}`
    output.line(`${isThere ? 'installed' : 'missing  '}  ${id} (${origin}, ${model.licence})`)
  }
  const names = { embedding: settings.embeddingModel, reranker: settings.rerankerModel }
  for (const { id, directory } of await findNamedModels(catalog, names, {
    ...settings,
    log: createLogger('warn'),
  })) {
    installed.add(id)
    output.line(`installed  ${id} (${directory})`)
  }
  output.line('')
  const serving = resolveTiers(withNamedModels(catalog, names), installed)
  for (const { tier, models, missing } of Object.values(serving)) {
    const mend = missing.length > 0 ? `; better with: npm run models -- prefetch ${tier}` : ''
    output.line(`${tier}: ${models.join(' + ')}${mend}`)
  }
  return MODELS_EXIT.done
}

/** The tiers that serve most requests, and the models that are named to serve in place of theirs. */
const defaultNames = (catalog: Catalog, { embeddingModel, rerankerModel }: ModelsSettings): string[] => [
  ...DEFAULT_TIERS,
  ...[embeddingModel, rerankerModel].filter(
    (name): name is string => name !== null && (name in catalog.models || isHubName(name)),
  ),
]

/** A model of the hub at the commit that was fetched first, or the newest one. */
async function describeForeign(
  { modelDirectory, device }: ModelsSettings,
  hub: Hub,
  id: string,
  signal: AbortSignal,
): Promise<HubModel> {
  const revision = (await readLock(modelDirectory))[id]?.revision ?? null
  return describeHubModel(hub, id, { revision, device }, signal)
}

/** What ships is fetched from nowhere. @throws {ModelMissingError} when it is not whole. */
async function requireShipped(
  settings: ModelsSettings,
  catalog: Catalog,
  id: string,
  model: HubModel,
): Promise<void> {
  const directory = directoryOf(settings, catalog, id)
  if (model.hub !== null || (await isInstalled(model, directory, settings.device))) return
  throw new ModelMissingError(
    `${id} ships with Verbatim, but ${directory} is not whole: bring it back with "git checkout -- models" or install Verbatim again.`,
  )
}

async function prefetch(
  settings: ModelsSettings,
  names: readonly string[],
  { ifReachable }: { ifReachable: boolean },
  output: ModelsOutput,
  signal: AbortSignal,
): Promise<number> {
  const catalog = await readCatalog(settings.catalogPath)
  const ids = modelsNamed(catalog, names.length > 0 ? names : defaultNames(catalog, settings))
  const hub = openHub(settings.hub)
  try {
    if (ifReachable && !(await hub.isReachable(signal))) {
      output.line(
        `The model hub cannot be reached: the bundled model is used. Later: npm run models -- prefetch ${names.join(' ')}`.trim(),
      )
      return MODELS_EXIT.done
    }
    const onProgress = createDownloadProgress(output.isTerminal, output.line)
    const { modelDirectory, device } = settings
    for (const id of ids) {
      const model = catalog.models[id] ?? (await describeForeign(settings, hub, id, signal))
      await requireShipped(settings, catalog, id, model)
      if (model.hub !== null) makeNamedFolder(modelDirectory, 'Name one in MODEL_DIR')
      const outcome = await downloadModel(id, model, { hub, modelDirectory, device, onProgress }, signal)
      output.line(`${id}: ${outcome}`)
    }
    return MODELS_EXIT.done
  } finally {
    await hub.close()
  }
}

/** A model that was fetched by its name on the hub, as it was then. @throws {ModelMissingError} when none was. */
function fetchedModel(id: string, lock: Awaited<ReturnType<typeof readLock>>): HubModel {
  const locked = lock[id]
  if (locked === undefined)
    throw new ModelMissingError(`${id} was never fetched; see: npm run models -- prefetch ${id}`)
  const files = Object.entries(locked.files).map(([path, { sizeBytes, sha256 }]) => ({
    path,
    sizeBytes,
    sha256,
  }))
  return { hub: id, revision: locked.revision, files }
}

async function verify(
  settings: ModelsSettings,
  names: readonly string[],
  output: ModelsOutput,
  signal: AbortSignal,
): Promise<number> {
  const catalog = await readCatalog(settings.catalogPath)
  const { modelDirectory, device } = settings
  const lock = await readLock(modelDirectory)
  const all = ['all', ...Object.keys(lock).filter((id) => !(id in catalog.models))]
  let code: number = MODELS_EXIT.done
  for (const id of modelsNamed(catalog, names.length > 0 ? names : all)) {
    const model = catalog.models[id] ?? fetchedModel(id, lock)
    const directory = directoryOf(settings, catalog, id)
    const states = await verifyModel(id, model, { modelDirectory, directory, device }, signal)
    // Without names, only what somebody installed is looked at; with names, a missing model is a failure.
    const isAbsent = states.every(({ state }) => state === 'missing')
    if (isAbsent && names.length === 0) output.line(`${id}: not installed`)
    else {
      for (const { path, state } of states) output.line(`${id}/${path}: ${state}`)
      if (states.some(({ state }) => state === 'missing')) code = Math.max(code, MODELS_EXIT.missing)
      if (states.some(({ state }) => state === 'damaged')) code = MODELS_EXIT.damaged
    }
    if (code === MODELS_EXIT.damaged) break
  }
  return code
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
    .action(() => perform(() => list(settings(), output)))
  command
    .command('prefetch')
    .description(
      `fetch the models of tiers (${TIERS.join(', ')}), of models by id or by owner/name on the hub, or of all; default ${DEFAULT_TIERS.join(', ')}`,
    )
    .argument('[names...]', 'tiers or model ids')
    .option('--if-reachable', 'end well, with one line, when the hub does not answer within 3 seconds', false)
    .action((names: string[], options: { ifReachable: boolean }) =>
      perform((signal) => prefetch(settings(), names, options, output, signal)),
    )
  command
    .command('verify')
    .description('compare the files on disk with the digests of the catalog and of the lock file')
    .argument('[names...]', 'tiers or model ids')
    .action((names: string[]) => perform((signal) => verify(settings(), names, output, signal)))
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
