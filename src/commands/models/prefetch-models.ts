// `verbatim models prefetch`: fetches models ahead of time.
import { prefetchLine } from '../../invocation.ts'
import {
  isInstalled,
  ModelMissingError,
  readCatalog,
  runsOn,
  type Catalog,
} from '../../score/models/catalog.ts'
import { downloadModel } from '../../score/models/download.ts'
import { readLock } from '../../score/models/download/lock-file.ts'
import { openHub, type Hub } from '../../score/models/hub.ts'
import { describeHubModel, type HubModel } from '../../score/models/folder/hub-repository.ts'
import { isHubName } from '../../score/models/named-models.ts'
import { makeNamedFolder } from '../../folders.ts'
import { createDownloadProgress } from './download-progress.ts'
import {
  DEFAULT_TIERS,
  directoryOf,
  MODELS_EXIT,
  modelsNamed,
  type ModelsOutput,
  type ModelsSettings,
} from './models-settings.ts'

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

/** Brings the models that are named, or those of the usual tiers, and says of each whether it was there. */
export async function prefetchModels(
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
      output.line(`The model hub cannot be reached: the bundled model is used. Later: ${prefetchLine(names)}`)
      return MODELS_EXIT.done
    }
    const onProgress = createDownloadProgress(output.isTerminal, output.line)
    const { modelDirectory, device } = settings
    let code: number = MODELS_EXIT.done
    for (const id of ids) {
      const model = catalog.models[id] ?? (await describeForeign(settings, hub, id, signal))
      if (!runsOn(model, device)) {
        output.line(`${id}: not fetched, for it does not run with EMBEDDING_DEVICE=${device}`)
        if (names.includes(id)) code = MODELS_EXIT.missing
        continue
      }
      await requireShipped(settings, catalog, id, model)
      if (model.hub !== null) makeNamedFolder(modelDirectory, 'Name one in MODEL_DIR')
      const outcome = await downloadModel(id, model, { hub, modelDirectory, device, onProgress }, signal)
      output.line(`${id}: ${outcome}`)
    }
    return code
  } finally {
    await hub.close()
  }
}
