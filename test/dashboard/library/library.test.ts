import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { closeOf, openSocket, statusesIn } from '../../attack/raw-client.ts'
import { html, openSite, type LoopbackSite, type SitePage } from '../../library/crawl/loopback-site.ts'
import { waitUntil } from '../../support/programs.ts'
import { openDashboardSite, PASSWORD, type DashboardSite } from '../dashboard-site.ts'
import { createVisitorClient, formTokenIn, type VisitorClient } from '../visitor-client.ts'

let site: DashboardSite
let web: LoopbackSite
let admin: VisitorClient
let member: VisitorClient
beforeAll(async () => {
  web = await openSite({
    '/guide/': html('Start', '/guide/quokka', '/guide/lost', '/elsewhere'),
    '/guide/quokka': html('Quokka <b>bold</b>'),
  })
  site = await openDashboardSite()
  await site.addPerson({ email: 'member@example.org' })
  await site.addPerson({ email: 'admin@example.org', isAdmin: true })
  admin = createVisitorClient(site.url)
  await admin.signIn('admin@example.org', PASSWORD)
  member = createVisitorClient(site.url)
  await member.signIn('member@example.org', PASSWORD)
})
afterAll(async () => {
  await site.close()
  await web.close()
})

const guide = (): string => `${web.origin}/guide/`
const sitePath = (): string => `/library/site?url=${encodeURIComponent(guide())}`
const HOUR_MS = 3_600_000
const SITE = { pages: '50', depth: '4', refresh: '' }
const textOf = (markup: string): string => markup.replace(/<[^>]*>/gu, ' ').replace(/\s+/gu, ' ')

async function acts(): Promise<string[]> {
  const { entries } = await site.accounts.audit.list({ limit: 50 })
  return entries.map(({ action, subject }) => `${action} ${subject}`)
}

describe('the library', () => {
  test('is for people who are signed in, and changed by administrators alone', async () => {
    expect((await createVisitorClient(site.url).get('/library')).status).toBe(303)
    const page = await member.text('/library')
    expect(page).toContain('No sites yet')
    expect(page).not.toContain('Add site')
    expect(page).not.toContain('type="file"')
    for (const path of [
      '/library/sites',
      '/library/site/read',
      '/library/site/remove',
      '/library/documents/remove',
    ])
      expect((await member.post('/library', path, { url: guide(), ...SITE })).status).toBe(404)
    expect((await member.upload('/library', '/library/documents', [['a.txt', 'text']])).status).toBe(404)
    expect(await site.sites.list()).toEqual([])
  })

  test('a site that cannot be added is refused with what was typed and what is wrong', async () => {
    const fields = { url: 'ftp://files.example', pages: '0', depth: 'x', refresh: '5' }
    const refused = await admin.post('/library', '/library/sites', fields)
    expect(refused.status).toBe(422)
    const page = await refused.text()
    expect(page).toContain('value="ftp://files.example"')
    expect(textOf(page)).toContain('This is no address of a web site')
    expect(page.match(/aria-invalid="true"/gu)).toHaveLength(3)
    expect(await site.sites.list()).toEqual([])
  })

  test('a site is added, read, searched, opened page by page, and tells what is missing and why', async () => {
    const added = await admin.post('/library', '/library/sites', { url: guide(), ...SITE, refresh: '24' })
    expect([added.status, added.headers.get('Location')]).toEqual([303, `${sitePath()}&done=site-added`])
    await waitUntil(async () => expect((await site.sites.get(guide()))?.lastEnd?.end).toBe('complete'))
    const page = await admin.text(sitePath())
    expect(textOf(page)).toMatch(/Pages read 2 of at most 50/u)
    expect(textOf(page)).toMatch(/\/guide\/lost Failed \S/u)
    expect(page).not.toContain('data-live="yes"')
    expect(page).not.toContain('<b>bold</b>')

    const found = textOf(await member.text(`${sitePath()}&q=quokka`))
    expect(found).toContain(`${web.origin}/guide/quokka`)
    expect(textOf(await member.text(`${sitePath()}&q=wombat`))).toContain('Nothing found')
    const kept = await member.text(`/library/page?url=${encodeURIComponent(`${web.origin}/guide/quokka`)}`)
    expect(textOf(kept)).toContain('what there is to say')
    expect((await member.get('/library/page?url=https%3A%2F%2Funknown.example')).status).toBe(404)
    expect(await acts()).toContain(`site_added ${guide()}`)
  })

  test('a site of which no page could be read is not called read', async () => {
    const url = `${web.origin}/guide/lost`
    await admin.post('/library', '/library/sites', { url, ...SITE, refresh: '' })
    await waitUntil(async () => expect((await site.sites.get(url))?.lastEnd?.end).toBe('complete'))
    const page = textOf(await admin.text(`/library/site?url=${encodeURIComponent(url)}`))
    expect(page).toContain('State No page could be read')
    expect(page).toContain('No pages What kept them from being read stands below.')
    expect(page).toContain('Pages read 0 of at most')
    await site.sites.remove(url)
  })

  test('a site is read again on demand and as often as is wished, and its removal forgets its pages', async () => {
    const again = await admin.post(sitePath(), '/library/site/read', { url: guide() })
    expect(again.status).toBe(303)
    await waitUntil(() => expect(web.pagePaths().filter((path) => path === '/guide/')).toHaveLength(2))
    await admin.post(sitePath(), '/library/site/schedule', { url: guide(), refresh: '168' })
    expect(await site.sites.get(guide())).toMatchObject({ refreshHours: 168 })
    expect(
      (await admin.post(sitePath(), '/library/site/schedule', { url: guide(), refresh: '1' })).status,
    ).toBe(404)
    expect(await admin.text(sitePath().replace('site?', 'site/remove?'))).toContain('Remove this site?')
    expect((await admin.post(sitePath(), '/library/site/remove', { url: guide() })).status).toBe(303)
    expect(await site.library.countPages()).toBe(0)
    expect((await admin.get(sitePath())).status).toBe(404)
    expect(await acts()).toEqual(
      expect.arrayContaining([
        `site_read_again ${guide()}`,
        `site_schedule_changed ${guide()}`,
        `site_removed ${guide()}`,
      ]),
    )
  })
})

test('a site whose schedule was set here is read again by itself a day later and not before, page by page as it is then', async () => {
  const pages: Record<string, SitePage> = { '/': html('Start', '/old'), '/old': html('Old') }
  const daily = await openSite(pages)
  const alone = await openDashboardSite({ lookMs: 20 })
  await alone.addPerson({ email: 'admin@example.org', isAdmin: true })
  const visitor = await alone.signIn('admin@example.org')
  const url = `${daily.origin}/`
  const shown = async () => textOf(await visitor.text(`/library/site?url=${encodeURIComponent(url)}`))
  const untilRead = (count: number) =>
    waitUntil(async () => {
      expect(daily.pagePaths().filter((path) => path === '/')).toHaveLength(count)
      expect(await alone.sites.get(url)).toMatchObject({ isRunning: false, lastEnd: { end: 'complete' } })
    })
  vi.useFakeTimers({ toFake: ['Date'] })
  try {
    await visitor.post('/library', '/library/sites', { url, ...SITE })
    await untilRead(1)
    await visitor.post('/library', '/library/site/schedule', { url, refresh: '24' })
    pages['/'] = html('Start', '/new')
    pages['/new'] = html('New')
    const begin = Date.now()
    vi.setSystemTime(begin + 23 * HOUR_MS)
    expect(await shown()).toMatch(/Next \d+ \w+ \d{4}, \d\d:\d\d UTC/u)
    // Ten looks.
    await setTimeout(200)
    expect(daily.pagePaths().filter((path) => path === '/')).toHaveLength(1)
    vi.setSystemTime(begin + 24 * HOUR_MS)
    await untilRead(2)
    const listed = await alone.library.listPages(url, { after: '', limit: 10 })
    expect(listed.map((page) => new URL(page.url).pathname)).toEqual(['/', '/new'])
    vi.setSystemTime(begin + 48 * HOUR_MS + 60_000)
    await untilRead(3)
  } finally {
    vi.useRealTimers()
    await alone.close()
    await daily.close()
  }
})

describe('documents', () => {
  const upload = (...files: [string, string][]) => admin.upload('/library', '/library/documents', files)

  test('are found after they were uploaded, by an address that tells nothing of where they lie', async () => {
    const kept = await upload(['../Quokka & notes.md', '# Quokka notes\n\nThe quokka smiles at everyone.'])
    expect([kept.status, kept.headers.get('Location')]).toEqual([
      303,
      '/library?done=documents-added#documents-title',
    ])
    const [document] = await site.documents.list()
    expect(document).toMatchObject({
      name: 'Quokka & notes.md',
      url: 'file://uploads/Quokka%20%26%20notes.md',
    })
    const shown = await member.text(`/library/page?url=${encodeURIComponent(document?.url ?? '')}`)
    expect(textOf(shown)).toContain('The quokka smiles at everyone.')
    expect((await site.documents.load(document?.url ?? '')).content).toContain('smiles')
    expect(await acts()).toContain('document_uploaded Quokka & notes.md')
  })

  test('and pages are found on the library’s own page by what they say, and a document is called by its name', async () => {
    const found = textOf(await member.text('/library?q=who+smiles+at+everyone'))
    expect(found).toMatch(/Quokka notes Quokka &amp; notes\.md .*smiles at everyone/u)
    expect(found).not.toContain('file://')
    expect(textOf(await member.text('/library?q=wombat'))).toContain('No page of the library has enough')
    const [document] = await site.documents.list()
    const kept = textOf(await member.text(`/library/page?url=${encodeURIComponent(document?.url ?? '')}`))
    // The address is what programs ask for it by.
    expect(kept).toMatch(
      /Quokka notes Quokka &amp; notes\.md \d+ characters .* file:\/\/uploads\/Quokka%20%26%20notes\.md/u,
    )
  })

  test('that cannot be read are not kept and said so by name; the others of the form are', async () => {
    const answer = await upload(
      ['song.mp3', 'ID3'],
      ['empty.txt', ''],
      ['good.txt', 'A good text about numbats.'],
    )
    expect(answer.status).toBe(422)
    const text = textOf(await answer.text())
    expect(text).toContain('song.mp3 is not kept. Files of this kind cannot be read.')
    expect(text).toMatch(/empty\.txt is not kept\. \S/u)
    expect(text).toContain('good.txt can be found now.')
    expect((await site.documents.list()).map(({ name }) => name)).toEqual(['Quokka & notes.md', 'good.txt'])
  })

  test('beyond the ten of a form are said to be left out, and the ten are kept', async () => {
    const files = Array.from({ length: 12 }, (_, index): [string, string] => [`${index}.txt`, 'A numbat.'])
    const text = textOf(await (await upload(...files)).text())
    expect(text).toContain('Every further document is not kept. At most 10 are taken at once.')
    expect(text).toContain(
      '0.txt, 1.txt, 2.txt, 3.txt, 4.txt, 5.txt, 6.txt, 7.txt, 8.txt, 9.txt can be found now.',
    )
    for (const [name] of files) await site.documents.remove(name)
  })

  test('a form without documents, without its token, or that is none, changes nothing', async () => {
    expect((await upload()).status).toBe(422)
    const forged = await admin.upload(
      '/library',
      '/library/documents',
      [['forged.txt', 'text']],
      'x'.repeat(43),
    )
    expect(forged.status).toBe(403)
    expect((await admin.post('/library', '/library/documents', { documents: 'none' })).status).toBe(400)
    expect((await site.documents.list()).map(({ name }) => name)).not.toContain('forged.txt')
  })

  test('are removed by name, once, after a question that names the document', async () => {
    const path = '/library/documents/remove?name=good.txt'
    expect(await admin.text('/library')).toContain(`href="${path}"`)
    expect(await member.text('/library')).not.toContain(path)
    expect((await member.get(path)).status).toBe(404)
    expect((await admin.get('/library/documents/remove?name=none.txt')).status).toBe(404)
    expect(textOf(await admin.text(path))).toMatch(/Remove this document\? good\.txt is removed/u)
    const removed = await admin.post('/library', '/library/documents/remove', { name: 'good.txt' })
    expect(removed.status).toBe(303)
    expect((await site.documents.list()).map(({ name }) => name)).toEqual(['Quokka & notes.md'])
    expect((await admin.post('/library', '/library/documents/remove', { name: 'good.txt' })).status).toBe(404)
    expect(await acts()).toContain('document_removed good.txt')
  })
})

test('documents come over a slow line: other forms are cut off long before', async () => {
  const limits = { bodyMs: 3_000, checkMs: 100 }
  const slowSite = await openDashboardSite({ limits })
  try {
    await slowSite.addPerson({ email: 'admin@example.org', isAdmin: true })
    const visitor = createVisitorClient(slowSite.url)
    await visitor.signIn('admin@example.org', PASSWORD)
    const field = (name: string, value: string): string =>
      `--b\r\nContent-Disposition: form-data; name=${name}\r\n\r\n${value}\r\n`
    const token = formTokenIn(await visitor.text('/library'))
    const parts = [
      field('form_token', token),
      field('documents; filename=slow.txt', 'Slowly it came.'),
      '--b--',
    ]
    const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const headOf = (path: string): string =>
      [
        `POST ${path} HTTP/1.1`,
        'Host: a',
        'Connection: close',
        `Cookie: ${cookie}`,
        'Content-Type: multipart/form-data; boundary=b',
        `Content-Length: ${parts.join('').length}`,
        '\r\n',
      ].join('\r\n')
    const [documents, other] = await Promise.all([openSocket(slowSite.url), openSocket(slowSite.url)])
    let said = ''
    documents.on('data', (chunk: Buffer) => (said += chunk.toString('latin1')))
    documents.write(headOf('/library/documents') + parts[0])
    other.write(headOf('/library/sites') + parts[0])
    expect(await closeOf(other, 60_000)).toBe('closed')
    documents.write(parts.slice(1).join(''))
    await closeOf(documents, 60_000)
    expect(statusesIn(said)).toEqual([303])
    expect((await slowSite.documents.list()).map(({ name }) => name)).toEqual(['slow.txt'])
    for (const socket of [documents, other]) socket.destroy()
  } finally {
    await slowSite.close()
  }
})
