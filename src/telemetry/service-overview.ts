// What the service is doing now, for the page that signed-in people look after it by. Beside service-status.ts, which
// says what it stands on.
import type { ServiceLoad } from './metrics.ts'

/**
 * `untried`: nobody has asked it yet. `resting`: it asked us to wait. `left_alone`: the breaker is open, and it is not
 * asked until a pause is over.
 */
export type EngineCondition = 'untried' | 'answering' | 'failing' | 'resting' | 'left_alone'

/** A search engine as this process knows it. Signed-in people read every text: no secret belongs in it. */
export interface EngineOverview {
  name: string
  condition: EngineCondition
  /** Since when every question failed; null unless it fails. */
  failingSince: Date | null
  lastAnswerAt: Date | null
  /** `words` go on from "it". */
  lastFailure: { at: Date; words: string } | null
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
  load: ServiceLoad
  crawls: readonly CrawlOverview[]
}
