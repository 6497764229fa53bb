// What a model's folder says of itself, as the hub and sentence-transformers write it: what kind of model it is, its
// tokens and sizes, and how its vectors are to be made and compared.
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { Device } from '../catalog.ts'
import {
  PLAIN_READING,
  SIMILARITY_FUNCTIONS,
  TEXT_OUTPUT,
  TOKEN_OUTPUTS,
  type Layer,
  type ModelReading,
} from '../reading.ts'
import type { ModelLocation } from '../model-location.ts'
import { ModelUnreadableError, readJsonFile, requireJsonFile } from './json-files.ts'
import { lengthsSchema, pylateSchema, treatmentOf } from './late-interaction.ts'
import { readModules, type ModuleChain } from './modules.ts'
import { chooseWeights } from './weights-file.ts'

const configSchema = z.object({
  architectures: z.array(z.string()).nullish(),
  hidden_size: z.int().positive().optional(),
  /** As DistilBERT and NomicBERT call it. */
  dim: z.int().positive().optional(),
  n_embd: z.int().positive().optional(),
  max_position_embeddings: z.int().optional(),
})

const transformerSchema = lengthsSchema.extend({
  max_seq_length: z.int().positive().nullish(),
  do_lower_case: z.boolean().default(false),
})

const sentenceSchema = pylateSchema.extend({
  prompts: z.record(z.string(), z.string().nullable()).default({}),
  default_prompt_name: z.string().nullish(),
  similarity_fn_name: z.string().nullish(),
  truncate_dim: z.int().positive().nullish(),
})

const tokenizerConfigSchema = z.object({ model_max_length: z.number().optional() })
const tokenizerSchema = z.object({ model: z.object({ type: z.string().optional() }) })

type SentenceConfig = z.output<typeof sentenceSchema>
type Kind = ModelLocation['spec']['kind']

/** Where neither tokenizer nor network names a limit. */
const TOKENS_WITHOUT_LIMIT = 512

/**
 * Reads a folder with `config.json`, `tokenizer.json` and an ONNX file.
 * @throws {ModelUnreadableError} when something of it is missing, or is not known here.
 */
export async function readModelFolder(
  directory: string,
  device: Device,
): Promise<Pick<ModelLocation, 'spec' | 'reading'>> {
  const modules = await readModules(directory)
  const own = join(directory, modules?.transformerPath ?? '')
  const config = await requireJsonFile(join(own, 'config.json'), configSchema)
  const transformer = transformerSchema.parse(
    (await readJsonFile(join(own, 'sentence_bert_config.json'), transformerSchema)) ?? {},
  )
  const sentence = sentenceSchema.parse(
    (await readJsonFile(join(directory, 'config_sentence_transformers.json'), sentenceSchema)) ?? {},
  )
  const kind = kindOf(config.architectures ?? [], sentence, modules)
  const weights = chooseWeights(await filesIn(directory), device)
  if (weights === null) throw new ModelUnreadableError('it has no ONNX file that can be run')
  const dimensions = config.hidden_size ?? config.dim ?? config.n_embd
  if (dimensions === undefined) throw new ModelUnreadableError('its config.json does not name a hidden_size')
  return {
    spec: {
      kind,
      tokenizer: await tokenizerOf(directory),
      dimensions,
      maximumTokens: await maximumTokensOf(own, transformer, config),
    },
    reading: {
      weights,
      ...readingOf(kind, modules, sentence),
      ...treatmentOf(transformer, sentence, modules?.skipped ?? []),
      lowerCases: transformer.do_lower_case,
    },
  }
}

/** Every file below the folder, by its path in it. */
async function filesIn(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true }).catch((cause: unknown) => {
    throw new ModelUnreadableError('there is no such folder', { cause })
  })
  return entries.map((path) => path.replaceAll('\\', '/'))
}

function kindOf(
  architectures: readonly string[],
  { model_type: type }: SentenceConfig,
  modules: ModuleChain | null,
): Kind {
  if (type === 'MultiVectorEncoder' || type === 'ColBERT' || architectures.includes('HF_ColBERT'))
    return 'late-interaction'
  const isClassifier = architectures.some((name) => name.endsWith('ForSequenceClassification'))
  if (type === 'CrossEncoder' || (isClassifier && (modules === null || modules.poolings.length === 0)))
    return 'cross-encoder'
  if (type !== undefined && type !== 'SentenceTransformer')
    throw new ModelUnreadableError(`it is a ${type}, which compares other things than vectors`)
  return 'embedding'
}

function readingOf(
  kind: Kind,
  modules: ModuleChain | null,
  sentence: SentenceConfig,
): Omit<ModelReading, 'weights' | 'queryTokens' | 'passageTokens' | 'expansion' | 'skipped' | 'lowerCases'> {
  const prompts = promptsOf(sentence)
  const similarity = SIMILARITY_FUNCTIONS.find((name) => name === sentence.similarity_fn_name) ?? 'cosine'
  const dimensions = sentence.truncate_dim ?? null
  if (modules !== null)
    return {
      prompts,
      similarity,
      dimensions,
      outputs:
        kind === 'cross-encoder' && modules.layers.length === 0
          ? ['logits']
          : [...TOKEN_OUTPUTS, TEXT_OUTPUT],
      poolings: modules.poolings,
      poolsPrompt: modules.poolsPrompt,
      layers: kind === 'late-interaction' ? normalizedLast(modules.layers) : modules.layers,
    }
  const given = { prompts, similarity, dimensions }
  if (kind === 'cross-encoder') return { ...PLAIN_READING, ...given, outputs: ['logits'], poolings: [] }
  // Without modules the network itself knows best what its text's vector is.
  const outputs = [TEXT_OUTPUT, ...TOKEN_OUTPUTS]
  return { ...PLAIN_READING, ...given, outputs, poolings: kind === 'embedding' ? ['mean'] : [] }
}

/** PyLate normalises in its code and not by a module. */
const normalizedLast = (layers: readonly Layer[]): Layer[] => [
  ...layers.filter(({ kind }) => kind !== 'normalize'),
  { kind: 'normalize' },
]

function promptsOf(sentence: SentenceConfig): ModelReading['prompts'] {
  const { prompts, default_prompt_name: name, query_prefix: asking, document_prefix: telling } = sentence
  const named = (...roles: string[]): string =>
    roles.map((role) => prompts[role] ?? '').find((prompt) => prompt !== '') ?? ''
  const usual = name === undefined || name === null ? [] : [name]
  const withPrefix = (prefix: string | null | undefined, prompt: string): string =>
    prompt.startsWith(prefix ?? '') ? prompt : `${prefix ?? ''}${prompt}`
  return {
    query: withPrefix(asking, named('query', ...usual)),
    passage: withPrefix(telling, named('document', 'passage', 'corpus', ...usual)),
  }
}

async function maximumTokensOf(
  directory: string,
  { max_seq_length: own }: z.output<typeof transformerSchema>,
  { max_position_embeddings: positions = -1 }: z.output<typeof configSchema>,
): Promise<number> {
  if (own !== undefined && own !== null) return own
  const config = await readJsonFile(join(directory, 'tokenizer_config.json'), tokenizerConfigSchema)
  // Tokenizers without a limit carry 10^30.
  const limits = [config?.model_max_length, positions].filter(
    (limit): limit is number => limit !== undefined && limit > 0 && Number.isSafeInteger(limit),
  )
  return limits.length === 0 ? TOKENS_WITHOUT_LIMIT : Math.min(...limits)
}

async function tokenizerOf(directory: string): Promise<ModelLocation['spec']['tokenizer']> {
  const { model } = await requireJsonFile(join(directory, 'tokenizer.json'), tokenizerSchema)
  if (model.type === undefined || model.type === 'WordPiece') return 'word-piece'
  if (model.type === 'Unigram') return 'unigram'
  if (model.type === 'BPE') return 'bpe'
  throw new ModelUnreadableError(`its tokenizer is of the kind ${model.type}`)
}
