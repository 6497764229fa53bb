// The detector of languages. Its tables take a tenth of a second of every thread that reads them, and most pages and many
// queries say by themselves what they are written in: they are read when a text is first asked about.
import { createRequire } from 'node:module'
import type * as tinyld from 'tinyld'

const load = createRequire(import.meta.url)

/** As tinyld's own: the likeliest languages of a text first. */
export const detectAll: typeof tinyld.detectAll = (text, options) => {
  const { detectAll: ask }: typeof tinyld = load('tinyld')
  return ask(text, options)
}
