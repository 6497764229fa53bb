// The service's own documentation lies on an address that the policy forbids. What of it may be opened is named page by
// page: a site that sends us to another of our own addresses is refused as for any other private one.
import { AddressRefusedError, createAddressPolicy, type AddressPolicy } from './address-policy.ts'

/**
 * The policy of `allow` that also opens `ownPages`: addresses without a trailing slash, each with all beneath it.
 * Tunnels, whose paths nobody sees, are to be judged by the policy of `allow` alone.
 */
export function createPagePolicy(allow: readonly string[], ownPages: readonly string[]): AddressPolicy {
  const strict = createAddressPolicy(allow)
  const pages = ownPages.map((page) => new URL(page))
  const wide = createAddressPolicy([...allow, ...pages.map(({ host }) => host)])
  const isOwn = ({ origin, pathname }: URL): boolean =>
    pages.some(
      (page) =>
        page.origin === origin && (pathname === page.pathname || pathname.startsWith(`${page.pathname}/`)),
    )
  return {
    ...wide,
    checkUrl(text) {
      try {
        return strict.checkUrl(text)
      } catch (error) {
        if (!(error instanceof AddressRefusedError)) throw error
        const url = wide.checkUrl(text)
        if (!isOwn(url)) throw error
        return url
      }
    },
  }
}
