// Files of LibreOffice 7.4 whose text is known, some of those that `npm run eval -- --documents --write DIR` makes.
import { readdirSync } from 'node:fs'
import { extname } from 'node:path'
import { describe, expect, test } from 'vitest'
import { documentSources } from '../../../scripts/eval/document-sources.ts'
import { compareTexts, readMade, truthOf } from '../../../scripts/eval/made-documents.ts'
import type { DocumentFormat, MadeDocument } from '../../../scripts/eval/office-program.ts'
import { read, readFixtureBytes, textOf } from '../fixtures.ts'
import { MEDIA_TYPES } from './media-types.ts'

const FOLDER = 'made-documents'
const SOURCES = new Map(documentSources('docs').map((source) => [source.name, source]))

function madeDocument(file: string): MadeDocument {
  const source = SOURCES.get(file.slice(0, file.lastIndexOf('.')))
  if (source === undefined) throw new Error(`${file} has no source`)
  const format = extname(file).slice(1) as DocumentFormat
  return { source, format, bytes: readFixtureBytes(`${FOLDER}/${file}`) }
}

const FILES = readdirSync(new URL(`../../fixtures/extract/${FOLDER}/`, import.meta.url))

describe('of files that a real program made', () => {
  test.each(FILES)('%s gives its words, in their order', async (file) => {
    const made = madeDocument(file)
    const { f1, order } = compareTexts(truthOf(made), await readMade(made))
    expect(f1).toBeGreaterThanOrEqual(0.98)
    expect(order).toBeGreaterThanOrEqual(0.98)
  })

  test.each(FILES.filter((file) => file.includes('hidden')))(
    '%s does not give what it hides',
    async (file) => {
      expect(await readMade(madeDocument(file))).not.toContain('Nobody shows this sentence')
    },
  )

  test('a workbook that leaves out its empty cells has each value under the name of its column', async () => {
    const page = await read(readFixtureBytes(`${FOLDER}/gaps.xlsx`), { mediaType: MEDIA_TYPES.xlsx })
    const cells = page.blocks.flatMap(({ table }) => table?.cells ?? [])
    const headersOf = (text: string) =>
      cells.filter((cell) => textOf(page, cell) === text).map(({ columnHeaders }) => columnHeaders)
    expect(headersOf('1,234.50')).toEqual([['Height']])
    expect(headersOf('12.5%')).toEqual([['Share']])
  })
})
