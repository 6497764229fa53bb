// What the service is doing now, for the page that signed-in people look after it by. Beside service-status.ts, which
// says what it stands on.
import type { ServiceLoad } from './observations.ts'

/**
 * `untried`: nobody has asked it yet. `resting`: it asked us to wait. `left_alone`: the breaker is open, and it is not
 * asked until a pause is over.
 */
export type EngineCondition = 'untried' | 'answering' | 'failing' | 'resting' | 'left_alone'

/** `words` go on from "it"; `advice` is a sentence of what to do. */
export interface FailureText {
  words: string
  advice: string
}

/** A search engine as this process knows it. Signed-in people read every text: no secret belongs in it. */
export interface EngineOverview {
  name: string
  condition: EngineCondition
  /** Since when every question failed; null unless it fails. */
  failingSince: Date | null
  lastAnswerAt: Date | null
  lastFailure: ({ at: Date } & FailureText) | null
  /** Of its last fifty answers; null before the first. */
  medianMs: number | null
}

/** A site that is being read into the library, or was. */
export interface CrawlOverview {
  url: string
  /** Null while it goes on. */
  finishedAt: Date | null
  pages: { waiting: number; read: number; failed: number }
}

export interface ServiceOverview {
  engines: readonly EngineOverview[]
  /** What is told of each kind of failure that engines are counted by. */
  failureTexts: ReadonlyMap<string, FailureText>
  load: ServiceLoad
  crawls: readonly CrawlOverview[]
}

/** A search engine that this build knows, and whether the settings bring it in. */
export interface EngineSetting {
  name: string
  /** What sets it up, in words of the documentation. */
  setUpWith: string
  /** `asked`: it is among those that are asked. `set_up`: it could be, but SEARCH_PROVIDERS leaves it out. */
  use: 'asked' | 'set_up' | 'not_set_up'
}

/** What the operator has set; signed-in administrators read all of it, so it holds no secret. */
export interface ServiceSettings {
  /** Names of the search engines that are asked, the embedded one among them. */
  asked: readonly string[]
  /** By variable of the environment, what is shown of its value; null where that is a secret. Absent: not set. */
  set: ReadonlyMap<string, string | null>
  engines: readonly EngineSetting[]
}
