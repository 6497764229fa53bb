// The models that may be used: what each is, where it comes from, and which model serves which tier.
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'

export const TIERS = ['precise', 'balanced', 'exhaustive', 'multilingual'] as const
export type Tier = (typeof TIERS)[number]
export type Device = 'cpu' | 'cuda'

/** A path inside the model's folder: never one that leads out of it. */
const relativePath = z.string().regex(/^(?!\.)(?!.*\.\.)[\w.-]+(\/[\w.-]+)*$/u)

const fileSchema = z.object({
  path: relativePath,
  /** Only needed on this device; files without one are always needed. */
  device: z.enum(['cpu', 'cuda']).optional(),
  /** Null where nobody could tell: then the first download is trusted and written to the lock file. */
  sizeBytes: z.int().positive().nullable(),
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/u)
    .nullable(),
})

const modelSchema = z.object({
  /** `owner/name` on the hub; null for the model that ships with the repository. */
  hub: z
    .string()
    .regex(/^[\w.-]+\/[\w.-]+$/u)
    .nullable(),
  /** The pinned commit; null asks for the newest once and keeps to it from then on (lock file). */
  revision: z
    .string()
    .regex(/^[0-9a-f]{40}$/u)
    .nullable(),
  licence: z.string(),
  /** `static` models are read by the first stage alone; the other two run in the embedding engine. */
  kind: z.enum(['static', 'embedding', 'late-interaction', 'cross-encoder']),
  tokenizer: z.enum(['word-piece', 'unigram', 'bpe']),
  dimensions: z.int().positive(),
  maximumTokens: z.int().positive(),
  pooling: z.enum(['mean', 'none']),
  files: z.array(fileSchema).min(1),
})

const choiceSchema = z.array(z.string()).min(1).max(2)

const catalogSchema = z
  .object({
    models: z.record(relativePath, modelSchema),
    /** For each tier the models that may serve it, best first; a second model in a choice re-ranks the first one's best. */
    tiers: z.record(z.enum(TIERS), z.array(choiceSchema).min(1)),
  })
  .refine(
    ({ models, tiers }) =>
      Object.values(tiers).every((choices) => choices.flat().every((id) => id in models)),
    'a tier names a model that is not in the catalog',
  )
  .refine(
    ({ tiers }) => Object.values(tiers).every((choices) => choices.at(-1)?.[0] === BUNDLED),
    'every tier must end at the bundled model',
  )

/** Id of the model that ships with the repository. */
export const BUNDLED = 'bundled'

/** A model that is needed for what was asked is not installed. */
export class ModelMissingError extends Error {
  override readonly name = 'ModelMissingError'
}

export type Catalog = z.infer<typeof catalogSchema>
export type CatalogModel = Catalog['models'][string]
export type CatalogFile = CatalogModel['files'][number]

/**
 * Reads and checks `catalog.json`.
 * @throws {z.ZodError} when it does not hold together; Node's error when it cannot be read.
 */
export async function readCatalog(path: string): Promise<Catalog> {
  return catalogSchema.parse(JSON.parse(await readFile(path, 'utf8')))
}

/** The catalog's entry. @throws {Error} for an id that is not in it. */
export function modelOf(catalog: Catalog, id: string): CatalogModel {
  const model = catalog.models[id]
  if (!model) throw new Error(`There is no model "${id}" in the catalog.`)
  return model
}

/** The files a model needs on a device. */
export function filesFor(model: Pick<CatalogModel, 'files'>, device: Device): CatalogFile[] {
  return model.files.filter((file) => file.device === undefined || file.device === device)
}

/** Whether the catalog has weights of a model for a device: where some files are for one alone, the others are none. */
export function runsOn({ files }: Pick<CatalogModel, 'files'>, device: Device): boolean {
  const devices = files.flatMap((file) => file.device ?? [])
  return devices.length === 0 || devices.includes(device)
}

/** Whether every file a model needs on `device` lies in `directory` with the size the catalog names. Reads no content. */
export async function isInstalled(
  model: Pick<CatalogModel, 'files'>,
  directory: string,
  device: Device,
): Promise<boolean> {
  if (!runsOn(model, device)) return false
  const present = await Promise.all(
    filesFor(model, device).map(async ({ path, sizeBytes }) => {
      const found = await stat(join(directory, path)).catch(() => null)
      return found?.isFile() === true && found.size > 0 && (sizeBytes === null || found.size === sizeBytes)
    }),
  )
  return present.every(Boolean)
}

/** What serves a tier: the first of its choices whose models are all usable, and whether that is its first choice. */
export interface TierResolution {
  tier: Tier
  /** One model, or two where the second re-ranks. */
  models: readonly string[]
  /** Models of the tier's first choice that are not usable. */
  missing: readonly string[]
}

/** Chooses for each tier among the models that are usable. The bundled model always is. */
export function resolveTiers(catalog: Catalog, usable: ReadonlySet<string>): Record<Tier, TierResolution> {
  const resolve = (tier: Tier): TierResolution => {
    const choices = catalog.tiers[tier]
    const isUsable = (id: string): boolean => id === BUNDLED || usable.has(id)
    const models = choices.find((choice) => choice.every(isUsable)) ?? [BUNDLED]
    return { tier, models, missing: (choices[0] ?? []).filter((id) => !isUsable(id)) }
  }
  return {
    precise: resolve('precise'),
    balanced: resolve('balanced'),
    exhaustive: resolve('exhaustive'),
    multilingual: resolve('multilingual'),
  }
}

/** Share of a query's letters that must be Latin for the English models to make anything of it. */
const LATIN_SHARE = 0.5

/**
 * The tier that answers: the English models are of no use for other languages. `language` is BCP 47; it often is
 * merely the default, so a query in another script speaks for itself.
 */
export function tierFor(requested: Exclude<Tier, 'multilingual'>, language: string, query: string): Tier {
  const letters = query.match(/\p{L}/gu)?.length ?? 0
  const latin = query.match(/\p{Script=Latin}/gu)?.length ?? 0
  const isEnglish = /^en(-|$)/iu.test(language) && latin >= letters * LATIN_SHARE
  return isEnglish ? requested : 'multilingual'
}
