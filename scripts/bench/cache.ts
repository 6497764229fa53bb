// What the caches are worth: a balanced search of five pages when everything is new, against the same pages asked again,
// with another question and with the same one. Once with sites as far away as on a good day, once without any distance,
// so that only our own work is measured.
import { readQuestions, startLoopbackWeb } from './loopback-web.ts'
import { quantile } from './quantile.ts'
import { describeMachine, startCompiledService, type RunningService } from './running-service.ts'

const ROUNDS = 40
const WARM_UP_ROUNDS = 10
/** Of a page; the engine is asked in either case, so its distance is left out. */
const DISTANCES_MS = [150, 0]

interface Answer {
  elapsedMs: number
  stages: Readonly<Record<string, number>>
}

export async function benchCache(): Promise<void> {
  console.log(describeMachine())
  for (const pageDelayMs of DISTANCES_MS) {
    console.log(`Pages ${pageDelayMs} ms away:`)
    await benchDistance(pageDelayMs)
  }
}

async function benchDistance(pageDelayMs: number): Promise<void> {
  const web = await startLoopbackWeb({ engineDelayMs: 0, pageDelayMs })
  const service = await startCompiledService({ SEARXNG_URL: web.engineUrl, BROWSER: 'off' })
  try {
    const questions = readQuestions()
    const question = (round: number) => questions[round % questions.length] ?? ''
    for (let round = 0; round < WARM_UP_ROUNDS; round += 1) await search(service, question(round))
    const rows = [await measure('cold: new pages', (round) => search(service, question(round)))]
    web.find('same')
    await search(service, 'Which pages are these?')
    const another = (round: number) => search(service, `${question(round)} Once more: ${round}?`)
    rows.push(await measure('warm pages, another question', another))
    rows.push(await measure('warm pages, the same question', () => search(service, question(0))))
    const cold = rows[0]?.['median ms'] ?? 0
    console.table(rows.map((row) => Object.assign(row, { 'of cold': (row['median ms'] / cold).toFixed(2) })))
  } finally {
    await service.close()
    await web.close()
  }
}

async function measure(what: string, run: (round: number) => Promise<Answer>) {
  const answers: Answer[] = []
  for (let round = 0; round < ROUNDS; round += 1) answers.push(await run(round))
  const stage = (name: string) => median(answers.map(({ stages }) => stages[name] ?? 0))
  return {
    what,
    'median ms': median(answers.map(({ elapsedMs }) => elapsedMs)),
    'engine ms': stage('provider'),
    'pages ms': stage('pages'),
    'score ms': stage('score'),
  }
}

async function search(service: RunningService, query: string): Promise<Answer> {
  const startedAt = performance.now()
  const { serverTiming } = await service.search(query)
  const timings = serverTiming.matchAll(/(\w+);dur=([\d.]+)/gu)
  const stages = Object.fromEntries([...timings].map(([, name, ms]) => [name, Number(ms)]))
  return { elapsedMs: performance.now() - startedAt, stages }
}

const median = (values: readonly number[]): number => Math.round(quantile(values, 0.5) * 10) / 10
