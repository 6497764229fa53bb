// What a signed bundle says of a page: where it was asked for and found, when, what it was read from and by which
// version, and where in its text the snippets stand.
import { STATEMENT_VERSION, type Bundle } from '../../contract/bundle.ts'
import type { Logger } from '../../telemetry/log.ts'
import { createOutage } from '../../telemetry/outage.ts'
import type { SignBundle } from '../proof/prove-result.ts'
import { contentSha256 } from '../proof/proof-store.ts'
import type { Signing } from './open-signing.ts'

export interface BundleSigningOptions extends Pick<Signing, 'sign'> {
  /** Where this service answers, as the statement says. */
  issuer: string
  log: Logger
}

/** Makes the function that signs. It answers null for a page of which too little is known, or where there is no key. */
export function createBundleSigning({ sign, issuer, log }: BundleSigningOptions): SignBundle {
  const outage = createOutage({
    begins: (error) =>
      log.warn({ err: error }, 'pages cannot be signed; answers have no bundles until they can'),
    ends: () => log.info('pages are signed again'),
  })
  return async function signBundle(
    { url, text, fetchedAt, origin },
    textSha256,
    spans,
  ): Promise<Bundle | null> {
    if (origin === undefined) return null
    const { askedUrl, capture, mediaType, reader } = origin
    const snippets = spans.map(({ start, end }) => wellFormed(text.slice(start, end)))
    try {
      const jws = await sign({
        version: STATEMENT_VERSION,
        issuer,
        signed_at: new Date().toISOString(),
        url: askedUrl,
        final_url: url,
        fetched_at: fetchedAt,
        capture: { ...capture, media_type: mediaType },
        reader,
        text: { sha256: textSha256, length: text.length },
        snippets: spans.map(({ start, end }, index) => ({
          start,
          end,
          sha256: contentSha256(snippets[index] ?? ''),
        })),
      })
      outage.works()
      return { jws, snippets }
    } catch (error) {
      outage.fails(error)
      return null
    }
  }
}

/** As a digest over UTF-8 sees it: half a surrogate pair is U+FFFD, and takes as much room. */
export const wellFormed = (text: string): string => Buffer.from(text, 'utf8').toString('utf8')
