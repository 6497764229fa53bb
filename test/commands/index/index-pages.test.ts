import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { bundleProgram } from '../../support/bundled-program.ts'
import { freePort } from '../../support/programs.ts'

const DOCUMENTS = fileURLToPath(new URL('../../fixtures/extract/documents', import.meta.url))
const WORKER = await bundleProgram(join(import.meta.dirname, 'index-worker.mjs'))

let dataDir: string
let closers: (() => unknown)[]
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'verbatim-index-'))
  closers = [() => rmSync(dataDir, { recursive: true, force: true })]
})
afterEach(() => {
  for (const close of closers.toReversed()) close()
})

/** `interruptAt` stops the command with SIGINT once its stderr holds this text. */
async function run(words: string[], interruptAt?: string) {
  const child = spawn(process.execPath, [WORKER, dataDir, 'index', ...words], {
    stdio: 'pipe',
  })
  const output = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk: Buffer) => (output.stdout += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => {
    output.stderr += chunk.toString()
    const isThere = interruptAt !== undefined && output.stderr.includes(interruptAt)
    // Once: a second Ctrl-C ends the command at once, as everywhere.
    if (isThere && !child.killed) child.kill('SIGINT')
  })
  const code = await new Promise((resolve) => child.once('close', resolve))
  return { code, ...output }
}

async function openSite(): Promise<string> {
  const page = (name: string, links: string): string =>
    `<!doctype html><html lang="en"><title>${name}</title><main><h1>${name}</h1><p>All about ${name}.</p>${links}</main>`
  const links = ['/a', '/b', '/c', '/missing'].map((path) => `<a href="${path}">more</a>`).join(' ')
  const server = createServer((request, response) => {
    const name = (request.url ?? '/').slice(1)
    if (!/^[abc]?$/u.test(name)) return response.writeHead(404).end()
    return response
      .writeHead(200, { 'content-type': 'text/html' })
      .end(page(`Page ${name}`, name === '' ? links : ''))
  })
  const port = await freePort()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  closers.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${port}/`
}

test('add reads a site and tells each page, list shows it, remove forgets it', async () => {
  const site = await openSite()
  const added = await run(['add', site, '--delay', '0'])
  expect(added).toMatchObject({ code: 0, stdout: '' })
  expect(added.stderr).toContain(`read     ${site}a`)
  expect(added.stderr).toContain(`failed   ${site}missing (The site answered 404.)`)
  expect(added.stderr).toContain(`${site}: 4 pages. All of it is read.`)
  const listed = await run(['list', '--json'])
  expect(JSON.parse(listed.stdout)).toMatchObject([{ url: site, counts: { read: 4, failed: 1, waiting: 0 } }])
  expect((await run(['list'])).stdout).toMatch(/^SITE +READ .*\n\S+ +4\/500 /u)
  expect((await run(['remove', site])).stderr).toBe(`Forgot ${site} (4 pages).\n`)
  expect((await run(['list'])).stderr).toBe('0 pages can be found.\n')
})

test('a crawl stopped with Ctrl-C says so, exits with 130, and the same command goes on from there', async () => {
  const site = await openSite()
  const stopped = await run(['add', site, '--delay', '300'], `${site}a`)
  expect(stopped.code).toBe(130)
  expect(stopped.stderr).toContain('Stopped. The same command goes on from here.')
  const resumed = await run(['add', site, '--delay', '0'])
  expect(resumed.stderr).toContain('(an interrupted crawl went on)')
  expect(resumed.stderr).not.toContain(`read     ${site}a\n`)
})

test('what makes no sense is refused in one sentence, and the place that tells more, with exit code 2, before anything is read', async () => {
  const site = await openSite()
  const added = await run(['add', site, 'example.org'])
  expect(added).toMatchObject({ code: 2, stdout: '' })
  expect(added.stderr).toMatch(
    /^.*"example\.org" is no http\(s\) address, and no file or folder\.\n".*index add --help" tells .*\n$/u,
  )
  expect((await run(['list'])).stderr).toBe('0 pages can be found.\n')
  expect((await run(['remove', 'example.org'])).code).toBe(2)
  expect((await run(['add', 'https://example.org/', '--limit', '0'])).code).toBe(2)
  expect(await run(['remove', 'https://example.org/'])).toMatchObject({
    code: 1,
    stderr: 'It is neither a site or folder nor a page. "index list" shows what was added.\n',
  })
})

test('a site of which nothing can be read is a failure, and says so', async () => {
  const site = `${await openSite()}missing`
  const { code, stderr } = await run(['add', site, '--delay', '0'])
  expect(code).toBe(1)
  expect(stderr).toContain(`${site}: 0 pages. Nothing of it could be read`)
})

test('one page is one page', async () => {
  const site = `${await openSite()}a`
  expect((await run(['add', site, '--delay', '0'])).stderr).toContain(`${site}: 1 page. All of it is read.`)
  expect((await run(['list'])).stderr).toBe('1 page can be found.\n')
})

test('add reads a folder with its documents, names those it cannot read, and forgets what is gone', async () => {
  const folder = join(dataDir, 'papers')
  const url = pathToFileURL(folder).href
  mkdirSync(join(folder, 'inner'), { recursive: true })
  cpSync(join(DOCUMENTS, 'lighthouse.docx'), join(folder, 'inner', 'lighthouse.docx'))
  writeFileSync(join(folder, 'notes.md'), '# Notes\n\nThe boat comes on Mondays.')
  writeFileSync(join(folder, 'broken.docx'), 'PK\u0003\u0004 word/document.xml')
  writeFileSync(join(folder, '.secret.md'), '# Hidden')
  writeFileSync(join(folder, 'program.exe'), 'MZ')
  symlinkSync('/etc/hostname', join(folder, 'link.txt'))

  const added = await run(['add', folder])
  expect(added.stderr.split('\n')).toEqual([
    `  0/500  failed   ${url}/broken.docx (The Word document is damaged and could not be read.)`,
    `  1/500  read     ${url}/inner/lighthouse.docx`,
    `  2/500  read     ${url}/notes.md`,
    `${url}: 2 files, 1 could not be read.`,
    '',
  ])
  expect(added.code).toBe(0)
  expect(JSON.parse((await run(['list', '--json'])).stdout)).toEqual([{ url, files: 2 }])

  rmSync(join(folder, 'notes.md'))
  await run(['add', folder])
  expect(JSON.parse((await run(['list', '--json'])).stdout)).toEqual([{ url, files: 1 }])
  expect((await run(['remove', folder])).stderr).toBe(`Forgot ${url} (1 page).\n`)
})

test('what is neither an address nor there is refused', async () => {
  expect(await run(['add', join(dataDir, 'nowhere')])).toMatchObject({ code: 2 })
})

test.each([
  ['file:///nowhere/at-all.txt', /^\/nowhere\/at-all\.txt is not there\.\n$/u],
  ['file://elsewhere/a.txt', /names another machine\.\n$/u],
  ['file:///tmp/a%zz.txt', /a "%" is written as "%25"\.\n$/u],
])('a file that cannot be opened is told in one sentence: %s', async (address, sentence) => {
  const { code, stderr } = await run(['add', address])
  expect(stderr).toMatch(sentence)
  expect(code).toBe(1)
})
