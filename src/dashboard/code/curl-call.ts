// A call of the API as curl, safe to paste into a POSIX shell whatever its body holds.

/**
 * A POST of `json` to `url`. With `key` null the shell reads it from VERBATIM_KEY. `headers` are sent beside those of the
 * key and the body.
 */
export function curlCall(
  url: string,
  key: string | null,
  json: string,
  headers: readonly string[] = [],
): string {
  return [
    `curl '${url}' \\`,
    // Keys hold letters, digits and underscores alone, which no shell reads as anything else.
    `  -H "Authorization: Bearer ${key ?? '$VERBATIM_KEY'}" \\`,
    ...['Content-Type: application/json', ...headers].map((header) => `  -H '${header}' \\`),
    `  -d ${shellText(json)}`,
  ].join('\n')
}

/** The search that people try first. */
export const firstCall = (publicUrl: string, key: string | null): string =>
  curlCall(`${publicUrl}/v1/search`, key, '{"query": "How do I revoke an API key?"}')

/** In a POSIX shell nothing is special between single quotes but the single quote itself. */
const shellText = (text: string): string => `'${text.replace(/'/gu, String.raw`'\''`)}'`
