// Reading and reranking behind the same door as searches: what one machine can do at once is shared by all of them.
import type { Admission } from '../admission.ts'
import { READ_DEADLINE_MS, type ReadPages } from './read-pages.ts'
import { RERANK_DEADLINE_MS, type Rerank } from './rerank.ts'
import type { SearchOptions } from '../search-context.ts'

type Admitted<Work extends ReadPages | Rerank> = (
  request: Parameters<Work>[0],
  options: SearchOptions,
  signal: AbortSignal,
) => ReturnType<Work>

export type AdmittedReadPages = Admitted<ReadPages>
export type AdmittedRerank = Admitted<Rerank>

/** Both reject with `ApiError` overloaded (429) when there is no place, besides what they reject with themselves. */
export function createAdmittedWork(
  { admit }: Pick<Admission, 'admit'>,
  work: { readPages: ReadPages; rerank: Rerank },
): { readPages: AdmittedReadPages; rerank: AdmittedRerank } {
  return {
    readPages: (request, options, signal) =>
      admit(place(options, READ_DEADLINE_MS), signal, () => work.readPages(request, options, signal)),
    rerank: (request, options, signal) =>
      admit(place(options, RERANK_DEADLINE_MS), signal, () => work.rerank(request, options, signal)),
  }
}

const place = ({ callerId, patienceMs }: SearchOptions, deadlineMs: number) => ({
  callerId,
  deadlineMs: Math.min(deadlineMs, patienceMs ?? deadlineMs),
})
