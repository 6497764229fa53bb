// What the caches are worth: a balanced search of five pages when everything is new, against the same pages asked again,
// with another question and with the same one. Over loopback, so that only our own work is measured.
import { readQuestions, startLoopbackWeb } from './loopback-web.ts'
import { describeMachine, startCompiledService, type RunningService } from './running-service.ts'

const ROUNDS = 40
const WARM_UP_ROUNDS = 10

interface Answer {
  elapsedMs: number
  stages: Readonly<Record<string, number>>
}

export async function benchCache(): Promise<void> {
  const web = await startLoopbackWeb({ engineDelayMs: 0, pageDelayMs: 0 })
  const service = await startCompiledService({ SEARXNG_URL: web.engineUrl, BROWSER: 'off' })
  try {
    console.log(describeMachine())
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

function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right)
  return Math.round((sorted[Math.floor(sorted.length / 2)] ?? 0) * 10) / 10
}
