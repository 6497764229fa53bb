// Which files of a repository on the hub make a model's folder: its settings, tokenizer, layers, and one ONNX file.
import { z } from 'zod'
import type { CatalogFile, CatalogModel, Device } from '../catalog.ts'
import { HubRefusedError, type Hub } from '../hub.ts'
import { chooseWeights } from './weights-file.ts'

const repositorySchema = z.object({
  sha: z.string().regex(/^[0-9a-f]{40}$/u),
  siblings: z.array(
    z.object({
      rfilename: z.string(),
      size: z.int().nonnegative().nullish(),
      lfs: z.object({ sha256: z.string(), size: z.int().positive() }).nullish(),
    }),
  ),
})

/** Settings at the top or in a module's folder (`1_Pooling/`), and the weights of a module's small layer. */
const SETTINGS =
  /^(?:(?:\d+_\w+\/)?(?:config|sentence_bert_config|tokenizer_config|tokenizer)|modules|config_sentence_transformers)\.json$|^\d+_\w+\/model\.safetensors$/u
/** More than what a repository with a list of files takes. */
const LISTING_BYTES_MAX = 4 * 1024 * 1024

/** Whether a file holds weights that an ONNX file names as lying outside of it. */
const isDataOf = (path: string, weights: string): boolean =>
  path.startsWith(`${weights}_data`) || path.startsWith(`${weights}.data`)

/** What a download needs to know of a model. */
export type HubModel = Pick<CatalogModel, 'hub' | 'revision' | 'files'>

/**
 * Asks the hub what it has under a name, at a commit, or the newest one where that is null.
 * @throws {HubRefusedError} when there is no such repository, or nothing in it that can be run; as `Hub.get`.
 */
export async function describeHubModel(
  hub: Hub,
  name: string,
  { revision, device }: { revision: string | null; device: Device },
  signal: AbortSignal,
): Promise<HubModel> {
  const path = `api/models/${name}/revision/${revision ?? 'main'}?blobs=true`
  const text = await hub.get(
    path,
    async () => ({}),
    async ({ body }) => {
      const parts: Uint8Array[] = []
      let bytes = 0
      for await (const part of body as AsyncIterable<Uint8Array>) {
        bytes += part.length
        if (bytes > LISTING_BYTES_MAX)
          throw new HubRefusedError(`The hub's list of the files of ${name} has no end.`)
        parts.push(part)
      }
      return Buffer.concat(parts).toString('utf8')
    },
    signal,
  )
  const { sha, siblings } = repositorySchema.parse(JSON.parse(text))
  const weights = chooseWeights(
    siblings.map(({ rfilename }) => rfilename),
    device,
  )
  if (weights === null || !siblings.some(({ rfilename }) => rfilename === 'tokenizer.json'))
    throw new HubRefusedError(
      `${name} has no ${weights === null ? 'ONNX file' : 'tokenizer.json'}. Models that have both: those of ` +
        'onnx-community and Xenova, and most of sentence-transformers.',
    )
  const files = siblings
    .filter(
      ({ rfilename }) => SETTINGS.test(rfilename) || rfilename === weights || isDataOf(rfilename, weights),
    )
    .map(({ rfilename, size, lfs }): CatalogFile => ({
      path: rfilename,
      sizeBytes: lfs?.size ?? size ?? null,
      sha256: lfs?.sha256 ?? null,
    }))
  return { hub: name, revision: sha, files }
}
