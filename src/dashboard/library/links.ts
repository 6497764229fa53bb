// Addresses of the pages about one site and one page of the library.

/** The page about a site. */
export const siteAddressOf = (url: string): string => `/library/site?url=${encodeURIComponent(url)}`

/** The question before a site is removed. */
export const siteRemovalOf = (url: string): string => `/library/site/remove?url=${encodeURIComponent(url)}`

/** `from` is the first character that is shown. */
export const pageAddressOf = (url: string, from = 0): string =>
  `/library/page?url=${encodeURIComponent(url)}${from === 0 ? '' : `&from=${from}`}`
