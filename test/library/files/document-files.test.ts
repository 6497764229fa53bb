import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DocumentFiles } from '../../../src/library/files/document-files.ts'
import { createFolderFiles } from '../../../src/library/files/folder-files.ts'
import { createPostgresFiles } from '../../../src/library/files/postgres-files.ts'
import { openPostgresLibrary } from '../../../src/library/postgres/postgres.ts'
import { PageError } from '../../../src/pages/capture.ts'
import { hasPostgres } from '../../support/postgres.ts'
import { createDatabase } from '../../support/suite-postgres.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'verbatim-documents-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

let written = 0
/** A file that has arrived. */
async function arrived(content: string): Promise<string> {
  const path = join(folder, `arrived-${(written += 1)}`)
  await writeFile(path, content)
  return path
}

const urlOf = (name: string): string => `file://uploads/${encodeURIComponent(name)}`
const textIn = async (files: DocumentFiles, name: string) => (await files.load(urlOf(name), name)).content

/** What holds wherever documents are kept; `open` gives one place, as often as it is asked. */
function describeFiles(where: string, open: () => Promise<DocumentFiles>): void {
  describe(`documents in ${where}`, () => {
    test('are there for everybody who looks, whole, until they are removed', async () => {
      const [files, elsewhere] = [await open(), await open()]
      const long = 'The quokka smiles. '.repeat(60_000)
      await files.keep('Long & wide.txt', await arrived(long))
      await files.keep('empty.txt', await arrived(''))
      expect(await textIn(elsewhere, 'Long & wide.txt')).toBe(long)
      expect(await textIn(elsewhere, 'empty.txt')).toBe('')
      const facts = await elsewhere.describe(['Long & wide.txt', 'empty.txt', 'missing.txt'])
      expect([...facts].map(([name, { bytes }]) => [name, bytes]).toSorted()).toEqual([
        ['Long & wide.txt', long.length],
        ['empty.txt', 0],
      ])
      expect(facts.get('empty.txt')?.addedAt.getTime()).toBeGreaterThan(Date.now() - 600_000)
      await elsewhere.remove('Long & wide.txt')
      await expect(files.load(urlOf('Long & wide.txt'), 'Long & wide.txt')).rejects.toThrow(PageError)
      expect((await files.describe(['Long & wide.txt'])).size).toBe(0)
      expect((await files.describe([])).size).toBe(0)
    })

    test('are replaced by one of the same name, and of several at once one is kept whole', async () => {
      const [files, elsewhere] = [await open(), await open()]
      await files.keep('notes.txt', await arrived('first '.repeat(100_000)))
      const texts = ['second '.repeat(90_000), 'third '.repeat(80_000)]
      const [second, third] = [await arrived(texts[0] ?? ''), await arrived(texts[1] ?? '')]
      await Promise.all([files.keep('notes.txt', second), elsewhere.keep('notes.txt', third)])
      expect(texts).toContain(await textIn(files, 'notes.txt'))
    })
  })
}

describeFiles('a folder', async () => {
  const uploads = join(folder, 'uploads')
  await mkdir(uploads, { recursive: true })
  return createFolderFiles(uploads)
})

describe.skipIf(!hasPostgres)('PostgreSQL', () => {
  let databaseUrl: string
  const libraries: Awaited<ReturnType<typeof openPostgresLibrary>>[] = []
  beforeAll(async () => {
    databaseUrl = await createDatabase()
  })
  afterAll(async () => {
    await Promise.all(libraries.map((library) => library.close()))
  })

  describeFiles('PostgreSQL, as replicas share it', async () => {
    const library = await openPostgresLibrary({ databaseUrl })
    libraries.push(library)
    return createPostgresFiles(library.database)
  })
})
