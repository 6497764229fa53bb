// What an answer with proof holds beside each result: where its snippets stand, links to them, and the digest of the text
// they were taken from.
import type { Bundle } from '../../contract/bundle.ts'
import { TimeLimitError } from '../../concurrency/deadline.ts'
import { PageError } from '../../pages/capture.ts'
import type { GatheredPage } from '../gather.ts'
import type { PageOrigin, ProofStore, ProvablePage } from './proof-store.ts'
import type { TextSpan } from './text-fragment.ts'

/** Links that open a page at spans of its text; null for one that cannot be quoted. */
export type LinkPassages = (
  page: { url: string; text: string },
  spans: readonly TextSpan[],
  deadlineMs: number,
  signal: AbortSignal,
) => Promise<(string | null)[]>

/** Signs what is known of a page and the spans of its text; null when too little is known of it, or there is no key. */
export type SignBundle = (
  page: ProvablePage,
  textSha256: string,
  spans: readonly TextSpan[],
) => Promise<Bundle | null>

export interface ProofParts {
  linkPassages: LinkPassages
  /** Remembers the texts that answers with proof were taken from. */
  proofStore: ProofStore
  signBundle: SignBundle
  /** The version of this service, which reads the pages. */
  version: string
}

/** Links and a signature are made for those who asked for them. */
export interface WantedProof {
  areLinksWanted: boolean
  isBundleWanted: boolean
}

export interface ResultProof {
  /** Aligned with the snippets. */
  links: (string | null)[]
  contentSha256: string | null
  fetchedAt: string | null
  /** Null unless wanted. */
  bundle: Bundle | null
}

/** Only in HTML and plain text does a browser show what we read: not in its viewers of PDF, JSON and feeds. */
const LINKABLE = /^(?:text\/(?:html|plain)|application\/xhtml\+xml)$/u

/**
 * Keeps the page's text, so that POST /v1/verify can check quotes against exactly what was read, and links to the snippets.
 * Links that are not made by `deadlineMs` (epoch milliseconds) are null: they cost the answer nothing.
 */
export async function proveResult(
  gathered: GatheredPage,
  snippets: readonly TextSpan[],
  { areLinksWanted, isBundleWanted }: WantedProof,
  parts: ProofParts,
  deadlineMs: number,
  signal: AbortSignal,
): Promise<ResultProof> {
  const { mediaType, fetchedAt } = gathered
  const links = snippets.map(() => null)
  const page = provablePage(gathered, parts.version)
  if (page === null) return { links, contentSha256: null, fetchedAt, bundle: null }
  const isLinkable = areLinksWanted && snippets.length > 0 && mediaType !== null && LINKABLE.test(mediaType)
  const spans = snippets.map(({ start, end }) => ({ start, end }))
  const [made, contentSha256] = await Promise.all([
    isLinkable
      ? parts.linkPassages(page, spans, deadlineMs, signal).catch((error: unknown) => {
          if (error instanceof TimeLimitError || error instanceof PageError) return links
          throw error
        })
      : links,
    parts.proofStore.keep(page),
  ])
  const bundle = isBundleWanted ? await parts.signBundle(page, contentSha256, spans) : null
  return { links: made, contentSha256, fetchedAt, bundle }
}

/** What is kept of a page so that quotes of it can be proven later; null for one that could not be read. */
export function provablePage(
  { hit, url, page, fetchedAt, mediaType, captureDigest }: GatheredPage,
  reader: string,
): ProvablePage | null {
  if (page === null || fetchedAt === null) return null
  const origin: PageOrigin | undefined =
    captureDigest === null || mediaType === null
      ? undefined
      : { askedUrl: hit.url, capture: captureDigest, mediaType, reader }
  return { url, title: page.title, text: page.text, fetchedAt, origin }
}
