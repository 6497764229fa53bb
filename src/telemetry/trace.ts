// The face of tracing: what a span is to those who work inside it, whether anybody looks at traces or not.

/** What a span may tell: numbers, words from lists of ours, a page's host. Never an address, a query or a text. */
export type SpanFacts = Readonly<Record<string, string | number | boolean>>

export interface TraceSpan {
  add(facts: SpanFacts): void
  /** Marks the span as failed, with a word from a list of ours. */
  fail(reason: string): void
}

/**
 * Runs `work` inside a span of that name, below the span that is under way. The span ends when `work` does; an error
 * marks it failed with the error's class, never with its message, and is thrown on.
 */
export type Trace = <T>(name: string, facts: SpanFacts, work: (span: TraceSpan) => Promise<T>) => Promise<T>

/** Where nobody looks at traces. */
export const untraced: Trace = (_name, _facts, work) => work({ add: () => undefined, fail: () => undefined })
