// `npx tsx models/flags/dump-features.ts OUT [--passages FILE]… [--pages DIR]… [--texts FILE]…`: what fit.py learns from, one
// passage a line, its stretches with their features by the code of the service. Passages are labelled (below); pages are saved
// ones, cut as the service cuts them, and texts any others (JSON Lines with `text`): neither gives orders to models.
import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { fold, orderFeaturesOf } from '../../src/search/flags/order-features.ts'
import { withoutQuotedExamples } from '../../src/search/flags/quoted-examples.ts'
import { stretchesOf } from '../../src/search/flags/stretches.ts'
import { cutSavedPage } from '../saved-page.ts'

const { values, positionals } = parseArgs({
  options: {
    passages: { type: 'string', multiple: true, default: [] },
    pages: { type: 'string', multiple: true, default: [] },
    texts: { type: 'string', multiple: true, default: [] },
  },
  allowPositionals: true,
})
const [out] = positionals
if (out === undefined) throw new Error('Where to? dump-features.ts OUT [--passages FILE]…')

const labelled = z.object({
  writer: z.string(),
  text: z.string(),
  /** The part of the text that is said to a model. */
  order: z.string().optional(),
})
const plain = z.object({ text: z.string() })

const linesOf = (file: string): unknown[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line): unknown => JSON.parse(line))

/** `group` is kept together in folds: a writer, a page, a file. */
function put(group: string, text: string, order?: string): void {
  const read = withoutQuotedExamples(text)
  const from = order === undefined ? -1 : read.indexOf(order)
  const length = order?.length ?? 0
  const stretches = stretchesOf(read).map(({ start, end }) => {
    const shared = from < 0 ? 0 : Math.max(0, Math.min(end, from + length) - Math.max(start, from))
    return {
      share: shared / Math.max(1, Math.min(end - start, length)),
      covers: shared / Math.max(1, length),
      features: [...orderFeaturesOf(fold(read.slice(start, end)))],
    }
  })
  const isOrder = order !== undefined
  appendFileSync(out ?? '', `${JSON.stringify({ group, isOrder, isPlaced: from >= 0, stretches })}\n`)
}

writeFileSync(out, '')
for (const file of values.passages)
  for (const { writer, text, order } of linesOf(file).map((line) => labelled.parse(line)))
    put(writer, text, order)
for (const folder of values.pages)
  for (const file of readdirSync(folder))
    for (const { text } of (await cutSavedPage(join(folder, file))).passages) put(file, text)
for (const file of values.texts)
  for (const { text } of linesOf(file).map((line) => plain.parse(line))) put(basename(file), text)
