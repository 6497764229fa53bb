// Newline-delimited JSON from a response, line by line as it arrives.

/** A line longer than this is no event of ours; reading it on would only fill memory. */
const LINE_CHARACTERS_MAX = 16 * 1024 * 1024

/**
 * The values of the lines; blank ones, which are heartbeats, are left out. Leaving the loop early cancels the body,
 * which closes the connection. Throws `SyntaxError` for a line that is not JSON, `RangeError` for one too long.
 */
export async function* jsonLines({ body }: Response): AsyncGenerator {
  if (body === null) return
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let pending = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      // What follows the last line break was cut off.
      if (done) return
      pending += decoder.decode(value, { stream: true })
      const lines = pending.split('\n')
      pending = lines.pop() ?? ''
      if (pending.length > LINE_CHARACTERS_MAX) throw new RangeError('a line of the stream is too long')
      for (const line of lines) if (line.trim() !== '') yield JSON.parse(line)
    }
  } finally {
    await reader.cancel()
  }
}
