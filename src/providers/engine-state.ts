// What is known of an engine's health in this process: its last answer, its last failure, and how fast it answers.
import type { ProviderError, ProviderFailure } from './provider.ts'

/**
 * `untried`: nobody has asked it yet. `resting`: it asked us to wait. `left_alone`: it failed repeatedly, a plain
 * question included, and is not asked until a pause is over.
 */
export type EngineCondition = 'untried' | 'answering' | 'failing' | 'resting' | 'left_alone'

export interface EngineState {
  name: string
  condition: EngineCondition
  /** The first failure after which it has not answered; null unless it fails. */
  failingSince: Date | null
  lastAnswerAt: Date | null
  lastFailure: EngineFailure | null
  /** Of the last fifty answers; null before the first. */
  medianMs: number | null
}

export interface EngineFailure {
  at: Date
  failure: ProviderFailure
  /** For the operator's eyes only. */
  message: string
}

const LATENCIES_KEPT = 50

/** Of each failure the words that anybody may read, which go on from "it" or a name, and what an operator does about it. */
export const FAILURE_TEXTS: Readonly<Record<ProviderFailure, { words: string; advice: string }>> = {
  unreachable: {
    words: 'could not be reached, or was out of order',
    advice: 'See that it runs and that its address is right.',
  },
  timeout: {
    words: 'did not answer in time',
    advice: 'See that it runs and how fast, or name a faster engine before it in SEARCH_PROVIDERS.',
  },
  rate_limited: {
    words: 'asked us to slow down',
    advice:
      'It is asked too often, or its plan is used up: raise that, or add an engine to SEARCH_PROVIDERS.',
  },
  refused: {
    words: 'did not take a query',
    advice: 'Check whether its key and plan allow such queries.',
  },
  misconfigured: {
    words: 'did not accept our address, key or settings',
    advice: 'Check its address, key and settings.',
  },
  bad_answer: {
    words: 'answered with something that is no search result',
    advice: 'Check its address; its format may have changed, so look for a newer version of Verbatim.',
  },
}

export function createEngineRecord() {
  const latenciesMs: number[] = []
  let lastAnswerAt: Date | null = null
  let lastFailure: EngineFailure | null = null
  let failingSince: Date | null = null
  return {
    noteAnswer(elapsedMs: number): void {
      failingSince = null
      lastAnswerAt = new Date()
      latenciesMs.push(elapsedMs)
      if (latenciesMs.length > LATENCIES_KEPT) latenciesMs.shift()
    },
    noteFailure({ failure, message }: ProviderError): void {
      lastFailure = { at: new Date(), failure, message }
      // A query that is refused tells of the query, unless the engine has never taken one.
      if (failure !== 'refused' || lastAnswerAt === null) failingSince ??= lastFailure.at
    },
    describe(): Omit<EngineState, 'name'> {
      const tried = failingSince === null ? 'answering' : 'failing'
      return {
        condition: lastAnswerAt === null && lastFailure === null ? 'untried' : tried,
        failingSince,
        lastAnswerAt,
        lastFailure,
        medianMs: medianOf(latenciesMs),
      }
    },
  }
}

function medianOf(numbers: readonly number[]): number | null {
  const middle = numbers.toSorted((left, right) => left - right)[Math.floor(numbers.length / 2)]
  return middle === undefined ? null : Math.round(middle)
}
