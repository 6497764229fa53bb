// How clients of other services say that they want no particular language.

const NO_LANGUAGE: ReadonlySet<unknown> = new Set([undefined, null, '', 'all', 'any', 'auto', 'und'])

/** `language` as a field of our own request: absent for nothing and for what names no language; else as it came. */
export function foreignLanguage(language: unknown): { language?: unknown } {
  const written = typeof language === 'string' ? language.trim().toLowerCase() : language
  return NO_LANGUAGE.has(written) ? {} : { language }
}
