// How a late-interaction model (ColBERT) treats queries and passages, as sentence-transformers and PyLate write it.
import { z } from 'zod'
import type { ModelReading, QueryExpansion } from '../reading.ts'

const expansionSchema = z.object({
  strategy: z.enum(['fixed', 'min']),
  attend: z.boolean().default(false),
  token: z.string().nullish(),
  length: z.int().positive(),
})

/** Of `sentence_bert_config.json`. */
export const lengthsSchema = z.object({
  query_length: z.int().positive().nullish(),
  document_length: z.int().positive().nullish(),
  query_expansion: expansionSchema.nullish(),
})

/** Of `config_sentence_transformers.json`, up to PyLate's third version. */
export const pylateSchema = z.object({
  model_type: z.string().optional(),
  query_prefix: z.string().nullish(),
  document_prefix: z.string().nullish(),
  query_length: z.int().positive().nullish(),
  document_length: z.int().positive().nullish(),
  do_query_expansion: z.boolean().optional(),
  attend_to_expansion_tokens: z.boolean().nullish(),
  skiplist_words: z.array(z.string()).nullish(),
})

const PYLATE_QUERY_TOKENS = 32
const PUNCTUATION = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~'.split('')

type Treatment = Pick<ModelReading, 'queryTokens' | 'passageTokens' | 'expansion' | 'skipped'>

const expansionOf = ({
  strategy,
  attend,
  token,
  length,
}: z.output<typeof expansionSchema>): QueryExpansion => ({
  token: token ?? null,
  length,
  isCut: strategy === 'fixed',
  isSeen: attend,
})

/** `skipped` are the words that a mask module names. */
export function treatmentOf(
  lengths: z.output<typeof lengthsSchema>,
  pylate: z.output<typeof pylateSchema>,
  skipped: readonly string[],
): Treatment {
  if (pylate.model_type !== 'ColBERT')
    return {
      queryTokens: lengths.query_length ?? null,
      passageTokens: lengths.document_length ?? null,
      expansion: lengths.query_expansion ? expansionOf(lengths.query_expansion) : null,
      skipped,
    }
  const length = pylate.query_length ?? PYLATE_QUERY_TOKENS
  const isSeen = pylate.attend_to_expansion_tokens === true
  return {
    queryTokens: pylate.do_query_expansion === false ? length : null,
    passageTokens: pylate.document_length ?? null,
    expansion: pylate.do_query_expansion === false ? null : { token: null, length, isCut: true, isSeen },
    skipped: pylate.skiplist_words ?? PUNCTUATION,
  }
}
