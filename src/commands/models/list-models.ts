// `verbatim models list`: every model, whether it is installed, and which one serves each tier.
import { prefetchLine } from '../../invocation.ts'
import {
  filesFor,
  isInstalled,
  readCatalog,
  resolveTiers,
  runsOn,
  type CatalogModel,
  type Device,
} from '../../score/models/catalog.ts'
import { findNamedModels, withNamedModels } from '../../score/models/named-models.ts'
import { createLogger } from '../../telemetry/log.ts'
import { directoryOf, MODELS_EXIT, type ModelsOutput, type ModelsSettings } from './models-settings.ts'

const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`

/** What fetching it takes. */
function sizeOf(model: CatalogModel, device: Device): string {
  const sizes = filesFor(model, device).map((file) => file.sizeBytes)
  if (sizes.includes(null)) return 'size unknown'
  return megabytes(sizes.reduce<number>((sum, bytes) => sum + (bytes ?? 0), 0))
}

/** Where it comes from and how large it is for this device, or for the one that it is made for. */
function originOf(model: CatalogModel, device: Device): string {
  if (model.hub === null) return 'ships with Verbatim'
  if (runsOn(model, device)) return `${model.hub}, ${sizeOf(model, device)}`
  const other = device === 'cpu' ? 'cuda' : 'cpu'
  return `${model.hub}, ${sizeOf(model, other)}, for EMBEDDING_DEVICE=${other} alone`
}

/** Writes a line for each model and each tier. */
export async function listModels(settings: ModelsSettings, output: ModelsOutput): Promise<number> {
  const catalog = await readCatalog(settings.catalogPath)
  const installed = new Set<string>()
  for (const [id, model] of Object.entries(catalog.models)) {
    const isThere = await isInstalled(model, directoryOf(settings, catalog, id), settings.device)
    if (isThere) installed.add(id)
    const state = isThere ? 'installed' : 'missing  '
    output.line(`${state}  ${id} (${originOf(model, settings.device)}, ${model.licence})`)
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
    const mend = missing.length > 0 ? `; better with: ${prefetchLine([tier])}` : ''
    output.line(`${tier}: ${models.join(' + ')}${mend}`)
  }
  return MODELS_EXIT.done
}
