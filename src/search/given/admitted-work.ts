// Reading and reranking behind the same door as searches: what one machine can do at once is shared by all of them.
import type { Admission } from '../admission.ts'
import { DOCUMENT_DEADLINE_MS, type DocumentReader } from './read-document.ts'
import { READ_DEADLINE_MS, type ReadPages } from './read-pages.ts'
import { RERANK_DEADLINE_MS, type Rerank } from './rerank.ts'
import type { SearchOptions } from '../search-context.ts'

interface Work {
  readPages: ReadPages
  readDocument: DocumentReader
  rerank: Rerank
}

type Admitted<Task extends Work[keyof Work]> = (
  request: Parameters<Task>[0],
  options: SearchOptions,
  signal: AbortSignal,
) => ReturnType<Task>

export type AdmittedReadPages = Admitted<ReadPages>
export type AdmittedReadDocument = Admitted<DocumentReader>
export type AdmittedRerank = Admitted<Rerank>

/** All reject with `ApiError` overloaded (429) when there is no place, besides what they reject with themselves. */
export function createAdmittedWork(
  { admit }: Pick<Admission, 'admit'>,
  work: Work,
): { readPages: AdmittedReadPages; readDocument: AdmittedReadDocument; rerank: AdmittedRerank } {
  return {
    readPages: (request, options, signal) =>
      admit(place(options, READ_DEADLINE_MS), signal, () => work.readPages(request, options, signal)),
    readDocument: (file, options, signal) =>
      admit(place(options, DOCUMENT_DEADLINE_MS), signal, () => work.readDocument(file, options, signal)),
    rerank: (request, options, signal) =>
      admit(place(options, RERANK_DEADLINE_MS), signal, () => work.rerank(request, options, signal)),
  }
}

const place = ({ callerId, patienceMs }: SearchOptions, deadlineMs: number) => ({
  callerId,
  deadlineMs: Math.min(deadlineMs, patienceMs ?? deadlineMs),
})
