// The search engines as the start page and `doctor` tell of them: how each did when it was last asked, and what to do
// about one that fails.
import { formatAge, formatMoment } from '../../dashboard/frame/formats.ts'
import { commandLine } from '../../invocation.ts'
import { FAILURE_TEXTS, type EngineState } from '../../providers/engine-state.ts'
import type { PartState, ServicePart } from '../../telemetry/service-status.ts'

const STATES: Readonly<Record<EngineState['condition'], PartState>> = {
  untried: 'untried',
  answering: 'ready',
  failing: 'failing',
  resting: 'limited',
  left_alone: 'failing',
}

const TO_SEARCH_THE_WEB = `To search the web, set SEARXNG_URL or the key of another engine; to add pages: ${commandLine('index add URL')}`

/** `pageCount`: how many pages the embedded engine knows. */
export function describeEngines(
  engines: readonly EngineState[],
  pageCount: number,
  now: Date = new Date(),
): ServicePart[] {
  const isAlone = engines.every(({ name }) => name === 'library')
  return engines.map((engine) => {
    const described = describeEngine(engine, now)
    if (engine.name !== 'library' || described.state === 'failing') return described
    return {
      ...described,
      state: 'ready',
      detail: `The embedded engine knows ${pageCount} ${pageCount === 1 ? 'page' : 'pages'}.`,
      remedy: isAlone ? TO_SEARCH_THE_WEB : null,
    }
  })
}

function describeEngine(engine: EngineState, now: Date): ServicePart {
  const state = STATES[engine.condition]
  return {
    kind: 'search engine',
    name: engine.name,
    state,
    detail: [sinceOf(engine, now), conditionOf(engine), lastAnswerOf(engine, now), lastFailureOf(engine, now)]
      .filter((sentence) => sentence !== '')
      .join(' '),
    remedy:
      state === 'failing' ? `The log has the reason; to ask it once more: ${commandLine('doctor')}` : null,
  }
}

function conditionOf({ condition, lastFailure }: EngineState): string {
  if (condition === 'untried') return 'Set up, and not asked since the start.'
  if (condition === 'resting') return 'It asked us to wait and is left alone until then.'
  if (condition === 'left_alone') return 'It failed repeatedly and is left alone for a while.'
  return condition === 'failing' && lastFailure !== null ? 'It failed when it was last asked.' : ''
}

/** By the clock, too: it is looked for in logs and in what else happened then. */
const sinceOf = ({ failingSince }: EngineState, now: Date): string =>
  failingSince === null ? '' : `Failing since ${formatMoment(failingSince)}, ${formatAge(failingSince, now)}.`

const lastAnswerOf = ({ lastAnswerAt, medianMs }: EngineState, now: Date): string =>
  lastAnswerAt === null
    ? ''
    : `Last answer ${formatAge(lastAnswerAt, now)}, in ${medianMs ?? 0} ms as a rule.`

const lastFailureOf = ({ lastFailure }: EngineState, now: Date): string =>
  lastFailure === null
    ? ''
    : `Last failure ${formatAge(lastFailure.at, now)}: it ${FAILURE_TEXTS[lastFailure.failure].words}.`
