// What an answer with proof holds beside each result: where its snippets stand, links to them, and the digest of the text
// they were taken from.
import { TimeLimitError } from '../../concurrency/deadline.ts'
import { PageError } from '../../pages/capture.ts'
import type { GatheredPage } from '../gather.ts'
import type { ProofStore } from './proof-store.ts'
import type { TextSpan } from './text-fragment.ts'

/** Links that open a page at spans of its text; null for one that cannot be quoted. */
export type LinkPassages = (
  page: { url: string; text: string },
  spans: readonly TextSpan[],
  deadlineMs: number,
  signal: AbortSignal,
) => Promise<(string | null)[]>

export interface ProofParts {
  linkPassages: LinkPassages
  /** Remembers the texts that answers with proof were taken from. */
  proofStore: ProofStore
}

export interface ResultProof {
  /** Aligned with the snippets. */
  links: (string | null)[]
  contentSha256: string | null
  fetchedAt: string | null
}

/** Only in HTML and plain text does a browser show what we read: not in its viewers of PDF, JSON and feeds. */
const LINKABLE = /^(?:text\/(?:html|plain)|application\/xhtml\+xml)$/u

/**
 * Keeps the page's text, so that POST /v1/verify can check quotes against exactly what was read, and links to the snippets.
 * Links that are not made by `deadlineMs` (epoch milliseconds) are null: they cost the answer nothing.
 */
export async function proveResult(
  { page, url, mediaType, fetchedAt }: GatheredPage,
  snippets: readonly TextSpan[],
  parts: ProofParts,
  deadlineMs: number,
  signal: AbortSignal,
): Promise<ResultProof> {
  const links = snippets.map(() => null)
  if (page === null || fetchedAt === null) return { links, contentSha256: null, fetchedAt }
  const { title, text } = page
  const isLinkable = snippets.length > 0 && mediaType !== null && LINKABLE.test(mediaType)
  const spans = snippets.map(({ start, end }) => ({ start, end }))
  const [made, contentSha256] = await Promise.all([
    isLinkable
      ? parts.linkPassages({ url, text }, spans, deadlineMs, signal).catch((error: unknown) => {
          if (error instanceof TimeLimitError || error instanceof PageError) return links
          throw error
        })
      : links,
    parts.proofStore.keep({ url, title, text, fetchedAt }),
  ])
  return { links: made, contentSha256, fetchedAt }
}
