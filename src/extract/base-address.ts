// Where the links of a page start from.

/** A `<base>` that leads to none, or to `data:` or `javascript:`, is none (HTML standard, §4.2.3). */
const NO_BASE = /^(?:data|javascript):$/u

/** The address that links of a page at `url` are relative to, where its first `<base>` says `target`; '' for no base. */
export function baseAddress(target: string, url: string): string {
  if (target === '' || !URL.canParse(target, url)) return url
  const { protocol, href } = new URL(target, url)
  return NO_BASE.test(protocol) ? url : href
}
