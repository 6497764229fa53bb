// What rooms tell of themselves for whoever counts: a request, a search, what the service is busy with.

/** One HTTP request when its answer is out, or its client gone (499). */
export interface RequestObservation {
  method: string
  /** The pattern of the route, such as "/keys/:id"; "other" when none matched. */
  route: string
  status: number
  elapsedMs: number
}

/** One search, however it ended. */
export interface SearchObservation {
  depth: string
  /** "answered", "gone" (the client left), the code of the refusal, or "failed". */
  outcome: string
  elapsedMs: number
  /** Null unless it was answered. */
  facts: {
    provider: string
    model: string
    stages: Readonly<Record<string, number>>
    /**
     * `host` is for who keeps counts of sites; no label holds it. Where it was not read, `isOurFault` tells whose doing
     * it was.
     */
    pages: readonly {
      host: string
      outcome: string
      isOurFault: boolean
      readBy: string | null
      elapsedMs: number
    }[]
    dropped: Readonly<Partial<Record<string, number>>>
  } | null
}

/** What a cache holds now, and how often it was asked since the start. */
export interface CacheLoad {
  entries: number
  bytes: number
  hits: number
  misses: number
}

/** What the service is busy with at this moment. */
export interface ServiceLoad {
  searches: { running: number; waiting: number }
  browser: { tabs: number; busy: number; waiting: number; starts: number }
  reading: { waiting: number }
  scoring: { waiting: number }
  /** `isLeftAlone`: searches do not ask it now, because it failed again and again or asked us to wait. */
  engines: readonly { name: string; isLeftAlone: boolean }[]
  caches: Readonly<Record<string, CacheLoad>>
  /** Null without Redis. */
  redisReady: boolean | null
}
