// A bundle with the whole text of a page that was read before, for whoever wants to keep the proof themselves.
import type { Bundle } from '../../contract/bundle.ts'
import { captureUnknown, invalidFields } from '../../errors.ts'
import type { SignBundle } from '../proof/prove-result.ts'
import type { ProofStore } from '../proof/proof-store.ts'
import type { TextSpan } from '../proof/text-fragment.ts'
import { wellFormed } from './sign-bundle.ts'

export interface KeptBundleParts {
  proofStore: Pick<ProofStore, 'find'>
  signBundle: SignBundle
}

export type FindBundle = (textSha256: string, spans: readonly TextSpan[]) => Promise<Bundle>

/**
 * Makes the function that finds a page by the digest of its text and signs `spans` of it.
 * @throws {ApiError} 404 when the page is not kept (any more) or cannot be signed; 422 for a span that is none of its
 * text.
 */
export const createBundleFinder =
  ({ proofStore, signBundle }: KeptBundleParts): FindBundle =>
  async (textSha256, spans) => {
    const page = await proofStore.find(textSha256)
    if (page === null) throw captureUnknown()
    for (const span of spans) demandSpan(page.text, span)
    const bundle = await signBundle(page, textSha256, spans)
    if (bundle === null) throw captureUnknown()
    return { ...bundle, text: wellFormed(page.text) }
  }

function demandSpan(text: string, { start, end }: TextSpan): void {
  const message =
    end > text.length
      ? `spans must lie within the text, which is ${text.length} UTF-16 code units long.`
      : /\p{Cs}/u.test(text.slice(start, end))
        ? 'spans must not begin or end inside a character.'
        : null
  if (message !== null) throw invalidFields([{ pointer: '/spans', message }])
}
