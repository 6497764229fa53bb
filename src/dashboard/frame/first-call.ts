// The first search, as curl.

/** The key as a shell reads it from the environment. */
export const KEY_VARIABLE = '$VERBATIM_KEY'

/** The search that people try first; `key` is a whole key (letters, digits and underscores) or KEY_VARIABLE. */
export const firstCall = (publicUrl: string, key: string): string =>
  [
    `curl ${publicUrl}/v1/search \\`,
    `  -H "Authorization: Bearer ${key}" \\`,
    '  -H "Content-Type: application/json" \\',
    `  -d '{"query": "How do I revoke an API key?"}'`,
  ].join('\n')
