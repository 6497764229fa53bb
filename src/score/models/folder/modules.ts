// The modules that sentence-transformers puts after a transformer, in their order: pooling, dense layers, normalisation.
import { join } from 'node:path'
import { z } from 'zod'
import { ACTIVATIONS, POOLINGS, type Activation, type Layer, type Pooling } from '../reading.ts'
import { ModelUnreadableError, readJsonFile, requireJsonFile } from './json-files.ts'

const modulesSchema = z.array(z.object({ path: z.string().regex(/^[\w./-]*$/u), type: z.string() })).min(1)

/** What a model's modules come to. */
export interface ModuleChain {
  /** Where the transformer's own files lie in the folder; '' as a rule. */
  transformerPath: string
  poolings: readonly Pooling[]
  poolsPrompt: boolean
  layers: readonly Layer[]
  skipped: readonly string[]
}

const OLD_POOLING_KEYS: Readonly<Record<Pooling, string>> = {
  cls: 'pooling_mode_cls_token',
  max: 'pooling_mode_max_tokens',
  mean: 'pooling_mode_mean_tokens',
  mean_sqrt_len_tokens: 'pooling_mode_mean_sqrt_len_tokens',
  weightedmean: 'pooling_mode_weightedmean_tokens',
  lasttoken: 'pooling_mode_lasttoken',
}

const poolingSchema = z.looseObject({
  pooling_mode: z.union([z.enum(POOLINGS), z.array(z.enum(POOLINGS)).min(1)]).optional(),
  include_prompt: z.boolean().default(true),
})

const denseSchema = z.object({
  activation_function: z.string().default('torch.nn.modules.activation.Tanh'),
  use_residual: z.boolean().default(false),
})

const maskSchema = z.object({ skiplist_words: z.array(z.string()).default([]) })

const lastWordOf = (name: string): string => name.slice(name.lastIndexOf('.') + 1)

function activationOf(name: string): Activation {
  const known = ACTIVATIONS.find((activation) => activation === lastWordOf(name).toLowerCase())
  if (known === undefined) throw new ModelUnreadableError(`its dense layer has the activation ${name}`)
  return known
}

async function readPooling(path: string): Promise<Pick<ModuleChain, 'poolings' | 'poolsPrompt'>> {
  const {
    pooling_mode: mode,
    include_prompt: poolsPrompt,
    ...old
  } = await requireJsonFile(join(path, 'config.json'), poolingSchema)
  if (mode !== undefined) return { poolings: [mode].flat(), poolsPrompt }
  const poolings = POOLINGS.filter((pooling) => old[OLD_POOLING_KEYS[pooling]] === true)
  return { poolings: poolings.length === 0 ? ['mean'] : poolings, poolsPrompt }
}

async function readDense(directory: string, path: string): Promise<Layer> {
  const config = await requireJsonFile(join(directory, path, 'config.json'), denseSchema)
  return {
    kind: 'dense',
    weights: join(path, 'model.safetensors'),
    activation: activationOf(config.activation_function),
    isResidual: config.use_residual,
  }
}

/**
 * Reads `modules.json` and the configuration of each module; null for a folder without modules.
 * @throws {ModelUnreadableError} when one of them is of a kind that is not known here, and its result would be another.
 */
export async function readModules(directory: string): Promise<ModuleChain | null> {
  const listed = await readJsonFile(join(directory, 'modules.json'), modulesSchema)
  if (listed === null) return null
  const [transformer, ...following] = listed
  if (transformer === undefined || !lastWordOf(transformer.type).endsWith('Transformer'))
    throw new ModelUnreadableError('its first module is no Transformer')
  let chain: ModuleChain = {
    transformerPath: transformer.path,
    poolings: [],
    poolsPrompt: true,
    layers: [],
    skipped: [],
  }
  for (const { path, type } of following) chain = await addModule(chain, directory, path, lastWordOf(type))
  return chain
}

async function addModule(
  chain: ModuleChain,
  directory: string,
  path: string,
  kind: string,
): Promise<ModuleChain> {
  const withLayer = (layer: Layer): ModuleChain => ({ ...chain, layers: [...chain.layers, layer] })
  switch (kind) {
    case 'Pooling':
      return { ...chain, ...(await readPooling(join(directory, path))) }
    case 'Dense':
      return withLayer(await readDense(directory, path))
    case 'LayerNorm':
      return withLayer({ kind: 'layer-norm', weights: join(path, 'model.safetensors') })
    case 'Normalize':
      return withLayer({ kind: 'normalize' })
    case 'MultiVectorMask': {
      const { skiplist_words: skipped } = await requireJsonFile(
        join(directory, path, 'config.json'),
        maskSchema,
      )
      return { ...chain, skipped }
    }
    case 'Dropout':
      return chain // Of teaching alone.
    default:
      throw new ModelUnreadableError(`it has a module ${kind}`)
  }
}
