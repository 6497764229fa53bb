// How a model is to be read: what is put before a text, how its token vectors become one, and what is compared how. What
// sentence-transformers writes beside a model says it (folder/); the models of the catalog are read plainly.

/** As sentence-transformers names them. */
export const POOLINGS = ['cls', 'max', 'mean', 'mean_sqrt_len_tokens', 'weightedmean', 'lasttoken'] as const
export type Pooling = (typeof POOLINGS)[number]

export const SIMILARITY_FUNCTIONS = ['cosine', 'dot', 'euclidean', 'manhattan'] as const
export type SimilarityFunction = (typeof SIMILARITY_FUNCTIONS)[number]

export const ACTIVATIONS = ['identity', 'tanh', 'relu', 'gelu', 'silu', 'sigmoid'] as const
export type Activation = (typeof ACTIVATIONS)[number]

/** What follows the pooling, or each token's vector where nothing is pooled; `weights` is a path in the model's folder. */
export type Layer =
  | { kind: 'dense'; weights: string; activation: Activation; isResidual: boolean }
  | { kind: 'layer-norm'; weights: string }
  | { kind: 'normalize' }

/** A short query is lengthened by a token whose vectors count as the query's own (Khattab and Zaharia, SIGIR 2020). */
export interface QueryExpansion {
  /** Null for the tokenizer's mask. */
  token: string | null
  /** Tokens in all. */
  length: number
  /** Whether a longer query is cut to the length. */
  isCut: boolean
  /** Whether the other tokens look at it. */
  isSeen: boolean
}

export interface ModelReading {
  /** Path of the ONNX file in the model's folder; null for the usual one of the device. */
  weights: string | null
  /** Names of the output that is asked for, of which the first that there is counts. */
  outputs: readonly string[]
  prompts: { query: string; passage: string }
  /** Joined when there are several; none for late interaction, and for a cross-encoder that gives logits. */
  poolings: readonly Pooling[]
  /** Whether the tokens of the prompt are pooled, too. */
  poolsPrompt: boolean
  layers: readonly Layer[]
  similarity: SimilarityFunction
  /** Dimensions that are compared, the first ones (Kusupati et al., "Matryoshka", NeurIPS 2022); null for all. */
  dimensions: number | null
  lowerCases: boolean
  /** Most tokens of a query and of a passage; null for the model's own limit. */
  queryTokens: number | null
  passageTokens: number | null
  expansion: QueryExpansion | null
  /** Tokens of a passage that are not compared in late interaction. */
  skipped: readonly string[]
}

/** What exports call the vectors of the tokens, and the one vector of the text where the network makes it. */
export const TOKEN_OUTPUTS = ['last_hidden_state', 'token_embeddings'] as const
export const TEXT_OUTPUT = 'sentence_embedding'
/** What a re-ranker says of each token, where it has a head for that (models/highlights): the higher, the more it answers. */
export const ANSWERING_OUTPUT = 'answering_tokens'

/** A mean over all tokens, as the models of the catalog were taught. */
export const PLAIN_READING: ModelReading = {
  weights: null,
  outputs: TOKEN_OUTPUTS,
  prompts: { query: '', passage: '' },
  poolings: ['mean'],
  poolsPrompt: true,
  layers: [],
  similarity: 'cosine',
  dimensions: null,
  lowerCases: false,
  queryTokens: null,
  passageTokens: null,
  expansion: null,
  skipped: [],
}
