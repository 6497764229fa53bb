import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { TimeLimitError } from '../../../src/concurrency/deadline.ts'
import { createDocumentStore } from '../../../src/library/files/document-store.ts'
import { createFolderFiles } from '../../../src/library/files/folder-files.ts'
import { openSqliteLibrary } from '../../../src/library/sqlite/sqlite.ts'
import { readText } from '../crawl/load-page.ts'

test('what a killed service left of documents that were arriving is removed with the next form, and nothing else', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'verbatim-documents-'))
  const library = openSqliteLibrary({ dataDir })
  try {
    const folder = join(dataDir, 'uploads')
    const twoHoursAgo = new Date(Date.now() - 2 * 3_600_000)
    for (const name of ['.incoming-left', '.incoming-arriving']) {
      await mkdir(join(folder, name), { recursive: true })
      await writeFile(join(folder, name, '1'), 'half of a document')
    }
    await writeFile(join(folder, 'kept.txt'), 'a document')
    for (const name of ['.incoming-left', 'kept.txt'])
      await utimes(join(folder, name), twoHoursAgo, twoHoursAgo)
    const readPage = () => Promise.reject(new Error('this test reads no document'))
    const store = createDocumentStore({ folder, files: createFolderFiles(folder), library, readPage })
    const inbox = await store.openInbox()
    await inbox.receive('new.txt', Readable.from(['a new one']))
    const names = await readdir(folder)
    expect(names).not.toContain('.incoming-left')
    expect(names).toHaveLength(3)
    await inbox.close()
    expect((await readdir(folder)).toSorted()).toEqual(['.incoming-arriving', 'kept.txt'])
  } finally {
    await library.close()
    await rm(dataDir, { recursive: true, force: true })
  }
})

test('a document is kept before its text can be found, so that what is found can be opened however the service ends', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'verbatim-documents-'))
  const library = openSqliteLibrary({ dataDir })
  try {
    const folder = join(dataDir, 'uploads')
    const keptAtEnd: string[] = []
    const store = createDocumentStore({
      folder,
      files: createFolderFiles(folder),
      library: {
        ...library,
        async putPage() {
          keptAtEnd.push(await readFile(join(folder, 'notes.txt'), 'utf8'))
          throw new Error('the service ends here')
        },
      },
      readPage: readText,
    })
    const inbox = await store.openInbox()
    const received = await inbox.receive('notes.txt', Readable.from(['A key is revoked.']))
    await expect(store.add(received, new AbortController().signal)).rejects.toThrow('ends here')
    expect(keptAtEnd).toEqual(['A key is revoked.'])
    await inbox.close()
  } finally {
    await library.close()
    await rm(dataDir, { recursive: true, force: true })
  }
})

test('who uploads a document that takes too long to read is told so in words', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'verbatim-documents-'))
  const library = openSqliteLibrary({ dataDir })
  try {
    const folder = join(dataDir, 'uploads')
    const readPage = () => Promise.reject(new TimeLimitError('a task', 20_000))
    const store = createDocumentStore({ folder, files: createFolderFiles(folder), library, readPage })
    const inbox = await store.openInbox()
    const received = await inbox.receive('notes.txt', Readable.from(['A key is revoked.']))
    expect(await store.add(received, new AbortController().signal)).toEqual({
      name: 'notes.txt',
      refused: 'Reading it took too long.',
    })
    await inbox.close()
  } finally {
    await library.close()
    await rm(dataDir, { recursive: true, force: true })
  }
})
