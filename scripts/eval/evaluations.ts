// Every evaluation on one page: its name, what it takes and cannot do without, what it tells, and what runs it. Options,
// usage and refusals of `npm run eval` follow from this table.
import { join } from 'node:path'

/** What evaluations may be told; the flags that ask for one are their names. */
export const SHARED_OPTIONS = {
  data: { type: 'string' },
  pages: { type: 'string' },
  models: { type: 'string', default: process.env['MODEL_DIR'] ?? '.models' },
  write: { type: 'string' },
  limit: { type: 'string' },
  questions: { type: 'string' },
  weights: { type: 'string' },
} as const

type Valued = 'data' | 'pages' | 'write' | 'limit' | 'questions' | 'weights'
type Options = { models: string } & { [Name in Valued]?: string | undefined }

interface Evaluation {
  /** The flag that asks for it; null for what runs where none is given. */
  name: string | null
  /** The other options that it reads, as the usage shows them. */
  takes: string
  /** Lines of the usage. */
  tells: readonly string[]
  /** What it cannot do without, and the sentence that says so. */
  needs?: { options: readonly Valued[]; otherwise: string }
  run(options: Options): Promise<void>
}

/** Types the options that `run` is given by what it needs. */
const define = <Needed extends Valued = never>(
  evaluation: Omit<Evaluation, 'needs' | 'run'> & {
    needs?: { options: readonly Needed[]; otherwise: string }
    run(options: Options & { [Name in Needed]: string }): Promise<void>
  },
): Evaluation => evaluation

const htmlOf = (pages: string): string => join(pages, 'html')
const filesOf = (questions: string): string[] => questions.split(',')
const numberOf = (limit: string | undefined): number | null => (limit === undefined ? null : Number(limit))

export const EVALUATIONS: readonly Evaluation[] = [
  define({
    name: null,
    takes: '[-- --data FILE] [--pages DIR]',
    tells: [
      'how well passages are ranked, whether scores mean what they say, and, given saved pages, how well text is',
      "extracted; without --data, on the documentation's own questions",
    ],
    async run({ data, models, pages }) {
      const { evaluateScores } = await import('./scores.ts')
      await evaluateScores(data ?? null, models)
      if (pages === undefined) return
      const { evaluateExtraction } = await import('./extraction.ts')
      await evaluateExtraction(pages)
      const { evaluateRenderingAgreement } = await import('./rendering-agreement.ts')
      await evaluateRenderingAgreement(pages)
    },
  }),
  define({
    name: 'passages',
    takes: '--pages DIR --questions FILE[,FILE]',
    tells: ['whether the right passage of whole pages comes first'],
    needs: {
      options: ['pages', 'questions'],
      otherwise: '--passages needs --pages DIR with html/ID.html and --questions FILE[,FILE].',
    },
    async run({ pages, questions, models }) {
      const { evaluatePassages } = await import('./passages.ts')
      const { loadFirstStage, loadMiniLm, openSharedScorer } = await import('./shared-models.ts')
      const miniLm = await loadMiniLm()
      const scorer = await openSharedScorer(models)
      const rankers = { ...loadFirstStage(), miniLm, scorer }
      await evaluatePassages(htmlOf(pages), filesOf(questions), rankers)
      await scorer.close()
    },
  }),
  define({
    name: 'rerank',
    takes: '[--data FILE] [--limit N]',
    tells: ['whether reranking puts what answers first, with N questions of each set'],
    async run({ data, models, limit }) {
      const { evaluateRerank } = await import('./rerank.ts')
      const { documentationQueries, readLabelledQueries } = await import('./evaluation-set.ts')
      const { loadMiniLm, openSharedScorer } = await import('./shared-models.ts')
      const { openReadingPool } = await import('../../src/search/reading/reading-pool.ts')
      const miniLm = await loadMiniLm()
      const scorer = await openSharedScorer(models)
      const reading = await openReadingPool()
      const labelled = data === undefined ? documentationQueries('docs') : readLabelledQueries(data)
      await evaluateRerank(labelled, {
        scorer,
        cutTexts: reading.cutTexts,
        miniLm,
        limit: numberOf(limit),
      })
      await Promise.all([reading.close(), scorer.close()])
    },
  }),
  define({
    name: 'highlights',
    takes: '--pages DIR --questions FILE[,FILE] [--limit N]',
    tells: ['whether limited answers and highlights hold the answer'],
    needs: {
      options: ['pages', 'questions'],
      otherwise: '--highlights needs --pages DIR with html/ID.html and --questions FILE[,FILE].',
    },
    async run({ pages, questions, models, limit }) {
      const { evaluateHighlights } = await import('./highlights.ts')
      const { openSharedScorer } = await import('./shared-models.ts')
      const scorer = await openSharedScorer(models)
      await evaluateHighlights(htmlOf(pages), filesOf(questions), scorer, numberOf(limit))
      await scorer.close()
    },
  }),
  define({
    name: 'reading',
    takes: '--pages DIR [--questions FILE] [--weights FILE]',
    tells: ['how well saved pages are read, and nothing else'],
    needs: {
      options: ['pages'],
      otherwise: '--reading needs --pages DIR: a folder with truth.jsonl and html/ID.html.',
    },
    async run({ pages, questions, weights }) {
      const { evaluateReading } = await import('./reading.ts')
      await evaluateReading(pages, questions ?? null, weights ?? null)
    },
  }),
  define({
    name: 'tables',
    takes: '',
    tells: ['whether cells of labelled tables have the headers that they have to a reader'],
    run: async () => (await import('./tables.ts')).evaluateTables(),
  }),
  define({
    name: 'documents',
    takes: '[--write DIR]',
    tells: ['how well files made by LibreOffice are read, and what is said of broken ones'],
    run: async ({ write }) => (await import('./documents.ts')).evaluateDocuments(write ?? null),
  }),
  define({
    name: 'hostile',
    takes: '[--pages DIR]',
    tells: ['whether challenges, walls and broken pages are told for what they are'],
    run: async ({ pages }) => (await import('./hostile.ts')).evaluateHostile(pages ?? null),
  }),
  define({
    name: 'flags',
    takes: '[--pages DIR]',
    tells: ['whether passages that address a model are flagged, and how many passages of saved pages are'],
    run: async ({ pages }) =>
      (await import('./flags.ts')).evaluateFlags(pages === undefined ? null : htmlOf(pages)),
  }),
  define({
    name: 'copies',
    takes: '[--pages DIR]',
    tells: ['whether pages that print one text are told from all others'],
    run: async ({ pages }) => (await import('./copies.ts')).evaluateCopies(pages ?? null),
  }),
  define({
    name: 'verify',
    takes: '--pages DIR',
    tells: ['whether quotes made from saved pages are told for what they are, and nothing else'],
    needs: {
      options: ['pages'],
      otherwise: '--verify needs --pages DIR: a folder with html/ID.html.',
    },
    run: async ({ pages }) => (await import('./verification.ts')).evaluateVerification(pages),
  }),
  define({
    name: 'proof',
    takes: '--pages DIR [--limit N]',
    tells: ['what signed bundles take and bear, and whether edits of saved pages are told'],
    needs: {
      options: ['pages'],
      otherwise: '--proof needs --pages DIR: a folder with html/ID.html.',
    },
    run: async ({ pages, limit }) => (await import('./proof.ts')).evaluateProof(pages, numberOf(limit)),
  }),
]

/** What can be asked, a paragraph each. */
export function usage(): string {
  const asked = EVALUATIONS.map(({ name, takes, tells }) => {
    const flag = name === null ? [] : ['--', `--${name}`]
    const line = ['npm run eval', ...flag, takes].filter((word) => word !== '').join(' ')
    return [line, ...tells.map((text) => `    ${text}`)].join('\n')
  })
  const files = 'DIR holds truth.jsonl and html/ID.html; FILE is a set of questions, as docs/scores.md says.'
  return `${asked.join('\n')}\n\n${files}`
}

/** The sentence that says what `evaluation` cannot do without and was not given; null where nothing is missing. */
export function missingOf({ needs }: Evaluation, options: Options): string | null {
  if (needs === undefined || needs.options.every((option) => options[option] !== undefined)) return null
  return needs.otherwise
}
