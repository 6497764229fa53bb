// `verbatim models verify`: checks what lies on the disk.
import { prefetchLine } from '../../invocation.ts'
import { ModelMissingError, readCatalog } from '../../score/models/catalog.ts'
import { readLock } from '../../score/models/download/lock-file.ts'
import { verifyModel } from '../../score/models/download/verify-model.ts'
import type { HubModel } from '../../score/models/folder/hub-repository.ts'
import {
  directoryOf,
  MODELS_EXIT,
  modelsNamed,
  type ModelsOutput,
  type ModelsSettings,
} from './models-settings.ts'

/** A model that was fetched by its name on the hub, as it was then. @throws {ModelMissingError} when none was. */
function fetchedModel(id: string, lock: Awaited<ReturnType<typeof readLock>>): HubModel {
  const locked = lock[id]
  if (locked === undefined) throw new ModelMissingError(`${id} was never fetched; see: ${prefetchLine([id])}`)
  const files = Object.entries(locked.files).map(([path, { sizeBytes, sha256 }]) => ({
    path,
    sizeBytes,
    sha256,
  }))
  return { hub: id, revision: locked.revision, files }
}

/** Compares the models that are named, or every one that was fetched, with their digests, file by file. */
export async function verifyModels(
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
