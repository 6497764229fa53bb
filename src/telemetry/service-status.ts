// What the service can say of itself: shown on the start page and, by the command line, in a terminal. A file of its
// own, because the composition root fills it and two very different places print it.

/**
 * `ready` works; `limited` works with less than it could have; `failing` is set up and does not work; `missing` is not
 * there; `untried` is set up, and nobody knows yet; `off` is switched off.
 */
export type PartState = 'ready' | 'limited' | 'failing' | 'missing' | 'untried' | 'off'

/** One thing the service stands on. Signed-in people read every text: no secret belongs in it. */
export interface ServicePart {
  kind: 'search engine' | 'model' | 'browser' | 'storage'
  name: string
  state: PartState
  /** One sentence. */
  detail: string
  /** The command or setting that mends it, when something is to be mended. */
  remedy: string | null
}

export interface ServiceStatus {
  version: string
  startedAt: Date
  parts: readonly ServicePart[]
}
