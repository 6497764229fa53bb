// The `tokenizer.json` (Hugging Face format) of a WordPiece model with BERT's normalizer and word splitter.
import { z } from 'zod'

const specialTokenSchema = z.object({ SpecialToken: z.object({ id: z.string() }) })
const sequenceSchema = z.object({ Sequence: z.object({ id: z.enum(['A', 'B']) }) })
const templateSchema = z.array(z.union([specialTokenSchema, sequenceSchema]))

const isId = (value: unknown): boolean =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0

/** Checked by a loop: a schema of each of thirty thousand entries took as long as everything else of the file, on every thread. */
const vocabularySchema = z.custom<Readonly<Record<string, number>>>(
  (value) =>
    typeof value === 'object' && value !== null && !Array.isArray(value) && Object.values(value).every(isId),
  'Invalid input: expected a record of ids',
)

/** Refuses every other tokenizer. */
export const tokenizerSchema = z.object({
  added_tokens: z.array(z.object({ id: z.int().nonnegative(), content: z.string() })).default([]),
  model: z.object({
    type: z.literal('WordPiece').optional(),
    vocab: vocabularySchema,
    unk_token: z.string(),
    continuing_subword_prefix: z.string().default('##'),
    max_input_chars_per_word: z.int().positive().default(100),
  }),
  normalizer: z.object({
    type: z.literal('BertNormalizer'),
    clean_text: z.boolean().default(true),
    handle_chinese_chars: z.boolean().default(true),
    strip_accents: z.boolean().nullish(),
    lowercase: z.boolean().default(true),
  }),
  pre_tokenizer: z.object({ type: z.literal('BertPreTokenizer') }),
  post_processor: z
    .union([
      z.object({
        type: z.literal('TemplateProcessing'),
        single: templateSchema,
        pair: templateSchema,
        special_tokens: z.record(z.string(), z.object({ ids: z.array(z.int().nonnegative()).min(1) })),
      }),
      z.object({
        type: z.enum(['BertProcessing', 'RobertaProcessing']),
        sep: z.tuple([z.string(), z.int()]),
        cls: z.tuple([z.string(), z.int()]),
      }),
    ])
    .nullish(),
})

export type TokenizerFile = z.infer<typeof tokenizerSchema>

/** Whether a `tokenizer.json` is one that `loadWordPiece` reads. */
export const isWordPiece = (tokenizerJson: unknown): boolean =>
  tokenizerSchema.safeParse(tokenizerJson).success

/** Ids that stand before, between and after the sequences. */
export function specialIds(file: TokenizerFile) {
  const processor = file.post_processor
  if (!processor) return { before: [], after: [], pairBefore: [], between: [], pairAfter: [] }
  if (processor.type !== 'TemplateProcessing') {
    const cls = [processor.cls[1]]
    const sep = [processor.sep[1]]
    const between = processor.type === 'RobertaProcessing' ? [...sep, ...sep] : sep
    return { before: cls, after: sep, pairBefore: cls, between, pairAfter: sep }
  }
  const split = (template: z.infer<typeof templateSchema>): number[][] => {
    const groups: number[][] = [[]]
    for (const item of template) {
      if ('Sequence' in item) groups.push([])
      else groups.at(-1)?.push(...(processor.special_tokens[item.SpecialToken.id]?.ids ?? []))
    }
    return groups
  }
  const [before = [], after = []] = split(processor.single)
  const [pairBefore = [], between = [], pairAfter = []] = split(processor.pair)
  return { before, after, pairBefore, between, pairAfter }
}
