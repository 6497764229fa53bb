// A small WordPiece tokenizer.json in the shape the hub's BERT models carry, made here so that no test needs a download.

const WORDS = (
  'the of and to in a is how do i revoke an api key what who when where why keys can be revoked from command line ' +
  'page search answer passage score model query token run play king queen river water straße café naive über el niño ' +
  'данные ключ ответ βιβλιο οδοσ स ข้อมูล البيانات'
).split(' ')
const PIECES = [
  '##s',
  '##ing',
  '##ed',
  '##er',
  '##ly',
  '##tion',
  '##un',
  '##able',
  '##word',
  '##piece',
  '##2',
  '##σ',
]

/** Every character of these ranges is a token, alone and as a continuation. */
const RANGES: readonly (readonly [number, number])[] = [
  [0x21, 0x7e],
  [0xa1, 0x17f],
  [0x300, 0x36f],
  [0x391, 0x3c9],
  [0x410, 0x44f],
  [0x5d0, 0x5ea],
  [0x621, 0x64a],
  [0x905, 0x939],
  [0xe01, 0xe3a],
  [0x1100, 0x1112],
  [0x1161, 0x1175],
  [0x2010, 0x2027],
  [0x3041, 0x3096],
  [0x4e00, 0x4e7f],
  [0x1f600, 0x1f610],
  [0x20000, 0x20010],
]

function vocabulary(): Record<string, number> {
  const tokens = new Set(['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]', ...WORDS, ...PIECES])
  for (const [first, last] of RANGES) {
    for (let codePoint = first; codePoint <= last; codePoint++) {
      tokens.add(String.fromCodePoint(codePoint))
      tokens.add(`##${String.fromCodePoint(codePoint)}`)
    }
  }
  return Object.fromEntries(Array.from(tokens, (token, id) => [token, id]))
}

interface TokenizerChoices {
  lowercase?: boolean
  stripAccents?: boolean | null
  handleChineseChars?: boolean
  cleanText?: boolean
  /** False leaves the sequences bare, as the bundled model's tokenizer does. */
  specialTokens?: boolean
}

const special = (id: string, type: number) => ({ SpecialToken: { id, type_id: type } })
const sequence = (id: 'A' | 'B', type: number) => ({ Sequence: { id, type_id: type } })

/** The parsed content of such a tokenizer.json. */
export function makeTokenizerJson(choices: TokenizerChoices = {}) {
  const { lowercase = true, stripAccents = null, handleChineseChars = true, cleanText = true } = choices
  const vocab = vocabulary()
  const addedToken = (content: string) => ({
    id: vocab[content] ?? 0,
    content,
    single_word: false,
    lstrip: false,
    rstrip: false,
    normalized: false,
    special: true,
  })
  return {
    version: '1.0',
    truncation: { max_length: 128, strategy: 'LongestFirst', stride: 0, direction: 'Right' },
    padding: null,
    added_tokens: ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]'].map((content) => addedToken(content)),
    normalizer: {
      type: 'BertNormalizer',
      clean_text: cleanText,
      handle_chinese_chars: handleChineseChars,
      strip_accents: stripAccents,
      lowercase,
    },
    pre_tokenizer: { type: 'BertPreTokenizer' },
    post_processor:
      choices.specialTokens === false
        ? null
        : {
            type: 'TemplateProcessing',
            single: [special('[CLS]', 0), sequence('A', 0), special('[SEP]', 0)],
            pair: [
              special('[CLS]', 0),
              sequence('A', 0),
              special('[SEP]', 0),
              sequence('B', 1),
              special('[SEP]', 1),
            ],
            special_tokens: Object.fromEntries(
              ['[CLS]', '[SEP]'].map((token) => [
                token,
                { id: token, ids: [vocab[token] ?? 0], tokens: [token] },
              ]),
            ),
          },
    decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
    model: {
      type: 'WordPiece',
      unk_token: '[UNK]',
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 100,
      vocab,
    },
  }
}

/** The tokenizer_config.json beside it. */
export const tokenizerConfigJson = {
  tokenizer_class: 'BertTokenizer',
  do_lower_case: true,
  model_max_length: 512,
  pad_token: '[PAD]',
  unk_token: '[UNK]',
  cls_token: '[CLS]',
  sep_token: '[SEP]',
  mask_token: '[MASK]',
}
