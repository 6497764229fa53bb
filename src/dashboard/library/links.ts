// Addresses of the pages about one site, one page and one document of the library, and how an address is shown.
import { documentName, DOCUMENTS_ORIGIN } from '../../library/files/document-store.ts'

/** The page about a site. */
export const siteAddressOf = (url: string): string => `/library/site?url=${encodeURIComponent(url)}`

/** The question before a site is removed. */
export const siteRemovalOf = (url: string): string => `/library/site/remove?url=${encodeURIComponent(url)}`

/** `from` is the first character that is shown. */
export const pageAddressOf = (url: string, from = 0): string =>
  `/library/page?url=${encodeURIComponent(url)}${from === 0 ? '' : `&from=${from}`}`

/** The question before a document is removed. */
export const documentRemovalOf = (name: string): string =>
  `/library/documents/remove?name=${encodeURIComponent(name)}`

/** An address as people know it: a document is known by its name, which lies behind an address of ours. */
export const shownAddress = (url: string): string =>
  url.startsWith(DOCUMENTS_ORIGIN) ? documentName(url) : url
