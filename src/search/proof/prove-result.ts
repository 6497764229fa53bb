// What an answer with proof holds beside each result: where its snippets stand, links to them, and the digest of the text
// they were taken from.
import type { Bundle } from '../../contract/bundle.ts'
import { TimeLimitError, withDeadline } from '../../concurrency/deadline.ts'
import { PageError } from '../../pages/capture.ts'
import type { GatheredPage } from '../gather-page.ts'
import { contentSha256, type PageOrigin, type ProofStore, type ProvablePage } from './proof-store.ts'
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
  if (page === null) return { links, ...NOT_KEPT, fetchedAt }
  const isLinkable = areLinksWanted && snippets.length > 0 && mediaType !== null && LINKABLE.test(mediaType)
  const spans = snippets.map(({ start, end }) => ({ start, end }))
  const [made, kept] = await Promise.all([
    isLinkable
      ? parts.linkPassages(page, spans, deadlineMs, signal).catch(insteadWhenLate(() => links))
      : links,
    keepAndSign(page, isBundleWanted ? spans : null, parts, deadlineMs, signal),
  ])
  return { links: made, ...kept, fetchedAt }
}

/** Of a page of which too little is known. */
export const NOT_KEPT = { contentSha256: null, bundle: null }

/** An answer that is late already still waits so long for a text to be kept, and for its signature. */
const KEEPING_MS_MIN = 100

/**
 * Keeps the page and signs `spans` of it, unless they are null. Past `deadlineMs` (epoch milliseconds) nobody waits for
 * either: the digest is told all the same, and the bundle is null.
 * @throws the signal's reason when it is aborted.
 */
export async function keepAndSign(
  page: ProvablePage,
  spans: readonly TextSpan[] | null,
  { proofStore, signBundle }: Pick<ProofParts, 'proofStore' | 'signBundle'>,
  deadlineMs: number,
  signal: AbortSignal,
): Promise<{ contentSha256: string; bundle: Bundle | null }> {
  const limitOf = (what: string) => ({
    what,
    limitMs: Math.max(KEEPING_MS_MIN, deadlineMs - Date.now()),
    signal,
  })
  const digest = await withDeadline(limitOf('keeping a text'), () => proofStore.keep(page)).catch(
    insteadWhenLate(() => contentSha256(page.text)),
  )
  if (spans === null) return { contentSha256: digest, bundle: null }
  const bundle = await withDeadline(limitOf('signing'), () => signBundle(page, digest, spans)).catch(
    insteadWhenLate(() => null),
  )
  return { contentSha256: digest, bundle }
}

const insteadWhenLate =
  <T>(instead: () => T) =>
  (error: unknown): T => {
    if (error instanceof TimeLimitError || error instanceof PageError) return instead()
    throw error
  }

/** What is kept of a page so that quotes of it can be proven later; null for one that could not be read. */
export function provablePage(
  { hit, url, page, fetchedAt, mediaType, captureDigest, opening }: GatheredPage,
  reader: string,
): ProvablePage | null {
  if (page === null || fetchedAt === null) return null
  const origin: PageOrigin | undefined =
    captureDigest === null || mediaType === null
      ? undefined
      : { askedUrl: hit.url, capture: captureDigest, mediaType, reader }
  return { url, title: page.title, text: page.text, fetchedAt, origin, opening }
}
