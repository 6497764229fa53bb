// Models that the operator names in place of the catalog's choice: of the catalog, of the hub, or in a folder of this machine.
import { basename, isAbsolute, join } from 'node:path'
import { prefetchLine } from '../../invocation.ts'
import { OperatorError } from '../../errors.ts'
import type { Logger } from '../../telemetry/log.ts'
import { type Catalog, type CatalogModel, type Device, runsOn } from './catalog.ts'
import { ModelUnreadableError } from './folder/json-files.ts'
import { readModelFolder } from './folder/read-folder.ts'
import type { ModelLocation } from './model-location.ts'

type Role = 'embedding' | 'reranker'

/** What EMBEDDING_MODEL and RERANKER_MODEL say; null where the catalog chooses. A folder begins with / or a dot. */
export interface ModelNames {
  embedding: string | null
  reranker: string | null
}

/** A model that is not of the catalog. */
interface ForeignModel {
  role: Role
  /** What scores and maps call it: `owner/name`, or the folder's name. */
  id: string
  directory: string
  /** The command that brings it; null for a folder, which is the operator's own. */
  remedy: string | null
}

const VARIABLES: Readonly<Record<Role, string>> = { embedding: 'EMBEDDING_MODEL', reranker: 'RERANKER_MODEL' }
const CATALOG_KINDS: Readonly<Record<Role, CatalogModel['kind']>> = {
  embedding: 'embedding',
  reranker: 'cross-encoder',
}
const HUB_NAME = /^[\w-][\w.-]*\/[\w-][\w.-]*$/u

export const isHubName = (name: string): boolean => HUB_NAME.test(name)
const isFolder = (name: string): boolean => isAbsolute(name)

/** @throws {OperatorError} when it is no model that can have that role. */
function idOf(catalog: Catalog, role: Role, name: string): string {
  const known = Object.keys(catalog.models).filter((id) => catalog.models[id]?.kind === CATALOG_KINDS[role])
  if (known.includes(name)) return name
  if (isFolder(name)) return basename(name)
  if (isHubName(name)) return name
  throw new OperatorError(
    `${VARIABLES[role]} is "${name}", which is no ${CATALOG_KINDS[role]} model of the catalog (${known.join(', ')}), ` +
      'no model of the hub (owner/name) and no folder (./name or /path/name).',
  )
}

/**
 * The catalog with the named models in front of its own choices, which serve while a named one is not there.
 * @throws {OperatorError} when a name is none of a model.
 */
export function withNamedModels(catalog: Catalog, names: ModelNames): Catalog {
  const embedding = names.embedding === null ? null : idOf(catalog, 'embedding', names.embedding)
  const reranker = names.reranker === null ? null : idOf(catalog, 'reranker', names.reranker)
  const choose = (choices: string[][]): string[][] => {
    const embedded = embedding === null ? choices : [[embedding], ...choices]
    if (reranker === null) return embedded
    const reranked = embedded.flatMap(([first, ...others]) =>
      first === undefined || others.length > 0 || catalog.models[first]?.kind === 'static'
        ? []
        : [[first, reranker]],
    )
    return [...reranked, ...embedded]
  }
  const { precise, balanced, exhaustive, multilingual } = catalog.tiers
  const tiers = {
    precise: choose(precise),
    balanced: choose(balanced),
    exhaustive: choose(exhaustive),
    multilingual: choose(multilingual),
  }
  return { ...catalog, tiers }
}

function foreignModels(catalog: Catalog, names: ModelNames, modelDirectory: string): ForeignModel[] {
  return (['embedding', 'reranker'] as const).flatMap((role): ForeignModel[] => {
    const name = names[role]
    if (name === null) return []
    const id = idOf(catalog, role, name)
    if (id in catalog.models && id === name) return []
    return isFolder(name)
      ? [{ role, id, directory: name, remedy: null }]
      : [{ role, id, directory: join(modelDirectory, id), remedy: prefetchLine([id]) }]
  })
}

/** What a folder says, on the wanted device or else on the CPU. @throws {ModelUnreadableError} when it cannot serve its role. */
async function locate({ role, id, directory }: ForeignModel, device: Device): Promise<ModelLocation[]> {
  const devices = [...new Set<Device>([device, 'cpu'])]
  const found = await Promise.all(
    devices.map(async (each) => ({
      id,
      directory,
      device: each,
      ...(await readModelFolder(directory, each)),
    })),
  )
  const kind = found[0]?.spec.kind
  if ((kind === 'cross-encoder') !== (role === 'reranker'))
    throw new ModelUnreadableError(
      `it is a model of the kind ${kind}, which ${VARIABLES[role]} does not take`,
    )
  return found
}

/** Otherwise it would be said to be missing, and fetched in vain. @throws {OperatorError} */
function requireDevice(catalog: Catalog, names: ModelNames, device: Device): void {
  for (const role of ['embedding', 'reranker'] as const) {
    const name = names[role]
    const model = name === null ? undefined : catalog.models[name]
    if (model === undefined || runsOn(model, device) || runsOn(model, 'cpu')) continue
    throw new OperatorError(`${VARIABLES[role]} is "${name}", which runs with EMBEDDING_DEVICE=cuda alone.`)
  }
}

/**
 * The named models that lie on this machine and can be read; of the others the log says what is missing.
 * @throws {OperatorError} for one of the catalog that has no weights for this device.
 */
export async function findNamedModels(
  catalog: Catalog,
  names: ModelNames,
  { modelDirectory, device, log }: { modelDirectory: string; device: Device; log: Logger },
): Promise<ModelLocation[]> {
  requireDevice(catalog, names, device)
  const found: ModelLocation[] = []
  for (const model of foreignModels(catalog, names, modelDirectory)) {
    try {
      found.push(...(await locate(model, device)))
    } catch (error) {
      if (!(error instanceof ModelUnreadableError)) throw error
      const { id, directory, remedy } = model
      log.warn(
        { model: id, directory, reason: error.message, ...(remedy === null ? {} : { remedy }) },
        `${VARIABLES[model.role]} names a model that cannot be read: another one serves in its place`,
      )
    }
  }
  return found
}
