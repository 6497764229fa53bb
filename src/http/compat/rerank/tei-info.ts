// TEI's /info, by which Dify tells a reranker from other models before it will use one.
import { LIMITS } from '../../../contract/limits.ts'
import type { Route } from '../../route.ts'

/** Texts are read in pieces: nothing is too long for the model, and this much nobody sends. */
const INPUT_TOKENS = 32_768
const LABEL = 'LABEL_0'

export const teiInfoRoute: Route<{ version: string }> = {
  method: 'get',
  path: '/compat/tei/info',
  door: 'key',
  scope: 'rerank',
  operation: null,
  createHandler:
    ({ version }) =>
    (context) => {
      context.body = {
        model_id: 'verbatim',
        model_sha: null,
        model_dtype: 'int8',
        model_type: { reranker: { id2label: { 0: LABEL }, label2id: { [LABEL]: 0 } } },
        max_input_length: INPUT_TOKENS,
        max_client_batch_size: LIMITS.documents,
        auto_truncate: false,
        version,
      }
    },
}
