// Broken files of every format as a search meets them: served, opened, read in the process that can be ended.
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { expect, test } from 'vitest'
import { breakDocuments, faultOfBroken } from '../../scripts/eval/broken-documents.ts'
import { readServed } from '../../scripts/eval/hostile-pages.ts'
import type { DocumentFormat } from '../../scripts/eval/office-program.ts'
import { createRandom } from '../../scripts/eval/quote-mutations.ts'

const FOLDER = join(import.meta.dirname, '..', 'fixtures', 'extract', 'made-documents')
const BROKEN = 70

test('each is warned of, or read whole in spite of what was done to it, and the next one is read all the same', async () => {
  const made = readdirSync(FOLDER).map((file) => ({
    format: extname(file).slice(1) as DocumentFormat,
    bytes: new Uint8Array(readFileSync(join(FOLDER, file))),
  }))
  const broken = await breakDocuments(made, BROKEN, createRandom(20_261_123))
  const read = await readServed(broken)
  expect(read).toHaveLength(BROKEN)
  const faults = broken.map((document, at) => {
    const one = read[at]
    return one === undefined ? 'not read' : faultOfBroken(document, one)
  })
  expect(
    faults.map((fault, at) => ({ fault, kind: broken[at]?.kind })).filter(({ fault }) => fault !== null),
  ).toEqual([])
})
