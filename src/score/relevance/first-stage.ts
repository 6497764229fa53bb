// The first look at every passage of every page: what words, the bundled static model and the passage's surface tell,
// as the first columns of the feature table.
import { createLexical, type LexicalScores } from '../lexical/bm25.ts'
import { rememberByText } from '../lexical/text-cache.ts'
import type { WordPiece } from '../models/word-piece.ts'
import type { ScoredPassage } from '../passage.ts'
import { finish, mapInSteps, type Steps } from '../steps.ts'
import type { StaticModel, StaticText } from '../static/static-model.ts'
import { countOfKind, kindsAsked } from './answer-kinds.ts'
import { createFeatureTable, setColumn, type FeatureTable } from './feature-table.ts'
import { asksQuestion, SCRIPTS, scriptOf, surfaceOf } from './surface.ts'

/** What the bundled model reads of a query and of a passage, in WordPiece tokens. */
const QUERY_TOKENS_MAX = 128
const PASSAGE_TOKENS_MAX = 512

export type FirstStage = ReturnType<typeof createFirstStage>

/**
 * Makes the first stage from the bundled model's table and its tokenizer. Keeps memories of words and stems that grow to
 * about 40 MB, so make one per thread and keep it.
 */
export function createFirstStage(options: {
  model: StaticModel
  wordPiece: WordPiece
  /** For what was derived from passages seen before; 0 derives it anew. */
  memoryBytes?: number
}) {
  const { model, wordPiece, memoryBytes = 0 } = options
  const maxBytes = memoryBytes / 2
  const lexical = createLexical(createBackgroundRate(model.norms, wordPiece), { memoryBytes: maxBytes })
  const read = rememberByText((text) => model.read(wordPiece.tokens(text, PASSAGE_TOKENS_MAX)), {
    maxBytes,
    bytesOf: ({ tokens, mean }) => tokens.byteLength + mean.byteLength,
  })

  /**
   * Reads all passages of one query together, as BM25 needs: pass the passages of all pages in one call. Pure; the order
   * of the passages plays no part. `areTexts`: they come to be re-ranked and are of no page. Columns of the models stay NaN.
   */
  function* readPoolInSteps(
    query: string,
    passages: readonly ScoredPassage[],
    areTexts = false,
  ): Steps<FeatureTable> {
    const headings = passages.map(({ title, headings: above }) => [title, ...above].join(' — '))
    const lexicalScores = yield* lexical.scoreInSteps(
      query,
      passages.map(({ text }, row) => ({ text, heading: headings[row] ?? '' })),
    )
    const ofPages = headings.every((heading) => heading === '') ? 'untitled' : 'pages'
    const table = createFeatureTable(passages.length, areTexts ? 'texts' : ofPages)
    setLexical(table, lexicalScores)
    const queryText = model.read(wordPiece.tokens(query, QUERY_TOKENS_MAX))
    setStatic(table, model, queryText, {
      texts: yield* mapInSteps(passages, ({ text }) => read(text)),
      headings: yield* mapInSteps(headings, (heading) => read(heading)),
    })
    yield* setSurface(table, query, passages, lexicalScores)
    for (const kind of kindsAsked(query)) {
      const counts = yield* mapInSteps(passages, ({ text }) => countOfKind(kind, text))
      setColumn(table, kind, (row) => counts[row] ?? 0)
    }
    return table
  }
  return {
    readPoolInSteps,
    /** All of it at once. */
    readPool: (query: string, passages: readonly ScoredPassage[], areTexts = false): FeatureTable =>
      finish(readPoolInSteps(query, passages, areTexts)),
  }
}

function setLexical(table: FeatureTable, scores: LexicalScores): void {
  const perPassage = [
    'bm25Text',
    'bm25Heading',
    'bm25Full',
    'coverText',
    'coverHeading',
    'coverFull',
    'spelling',
    'adjacency',
    'echo',
    'repeated',
  ] as const
  for (const name of perPassage) setColumn(table, name, (row) => scores[name][row] ?? 0)
  setColumn(table, 'words', (row) => Math.log1p(scores.words[row] ?? 0))
  setColumn(table, 'answerable', () => scores.answerable)
  setColumn(table, 'queryInformation', () => Math.log1p(scores.queryInformation))
  setColumn(table, 'queryTerms', () => scores.queryTerms)
}

function setStatic(
  table: FeatureTable,
  model: StaticModel,
  query: StaticText,
  { texts, headings }: { texts: readonly StaticText[]; headings: readonly StaticText[] },
): void {
  const { cosine, headingCosine, maxSim, fullMaxSim } = model.compare(query, texts, headings)
  setColumn(table, 'staticCosine', (row) => cosine[row] ?? 0)
  setColumn(table, 'staticMaxSim', (row) => maxSim[row] ?? 0)
  setColumn(table, 'staticHeadingCosine', (row) => headingCosine[row] ?? 0)
  setColumn(table, 'staticFullMaxSim', (row) => fullMaxSim[row] ?? 0)
}

function* setSurface(
  table: FeatureTable,
  query: string,
  passages: readonly ScoredPassage[],
  { words, language }: LexicalScores,
): Steps<void> {
  const asked = foldSpaces(query)
  const queryScript = scriptOf(query, language)
  const surfaces = yield* mapInSteps(passages, ({ text }, row) => surfaceOf(text, words[row] ?? 0))
  const scripts = yield* mapInSteps(passages, ({ text }) => scriptOf(text, language))
  const areQuery = yield* mapInSteps(passages, ({ text }) => foldSpaces(text) === asked)
  for (const name of ['characters', 'sentences', 'lines', 'digits', 'endsWithQuestion'] as const)
    setColumn(table, name, (row) => surfaces[row]?.[name] ?? 0)
  setColumn(table, 'isQuery', (row) => (areQuery[row] === true ? 1 : 0))
  setColumn(table, 'contentWeight', (row) => passages[row]?.contentWeight ?? 0)
  setColumn(table, 'place', (row) => passages[row]?.place ?? 0)
  setColumn(table, 'isQuestion', () => (asksQuestion(query) ? 1 : 0))
  setColumn(table, 'poolSize', () => Math.log1p(passages.length))
  setColumn(table, 'script', (row) => SCRIPTS.indexOf(scripts[row] ?? 'english'))
  setColumn(table, 'isForeign', (row) => (scripts[row] === queryScript ? 0 : 1))
}

const foldSpaces = (text: string): string => text.trim().replace(/\s+/gu, ' ').toLowerCase()

/** Words of a passage of ordinary length, for turning a word's frequency into the share of passages that hold it. */
const BACKGROUND_PASSAGE_WORDS = 100
/** Of smooth inverse frequency, w = a / (a + p): the weights the table was trained from (Arora et al., ICLR 2017). */
const SMOOTHING = 1e-3
/** Rows longer than this share of all rows belong to words so rare that their frequency is 0. */
const RARE_QUANTILE = 0.95

/**
 * How common a word is beyond the pool, read from the length of its row in the table: training shortens the rows of
 * words that say little. Words of several pieces are unknown to it.
 */
function createBackgroundRate(norms: Float32Array, wordPiece: WordPiece) {
  const rarest = norms.toSorted()[Math.floor(RARE_QUANTILE * (norms.length - 1))] ?? 1
  return (word: string): number | undefined => {
    const [token, ...rest] = wordPiece.tokens(word, 2)
    if (token === undefined || rest.length > 0 || token === wordPiece.unknownId) return undefined
    const weight = Math.min(1, Math.max((norms[token] ?? 0) / rarest, SMOOTHING))
    const frequency = Math.min(1, SMOOTHING * (1 / weight - 1))
    return 1 - Math.exp(-BACKGROUND_PASSAGE_WORDS * frequency)
  }
}
