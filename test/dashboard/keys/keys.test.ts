import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { formatMoment } from '../../../src/dashboard/frame/formats.ts'
import { readableBlocks } from '../../support/visible-text.ts'
import { openDashboardSite, PASSWORD, type DashboardSite } from '../dashboard-site.ts'
import { createVisitorClient, formTokenIn, type VisitorClient } from '../visitor-client.ts'

let site: DashboardSite
let ada: VisitorClient
let grace: VisitorClient
let admin: VisitorClient
let idle: VisitorClient
beforeAll(async () => {
  site = await openDashboardSite()
  const signIn = async (email: string, isAdmin = false): Promise<VisitorClient> => {
    await site.addPerson({ email, isAdmin })
    const visitor = createVisitorClient(site.url)
    await visitor.signIn(email, PASSWORD)
    return visitor
  }
  ada = await signIn('ada@example.org')
  grace = await signIn('grace@example.org')
  idle = await signIn('idle@example.org')
  admin = await signIn('admin@example.org', true)
})
afterAll(() => site.close())

const search = (key: string): Promise<Response> =>
  fetch(`${site.url}/v1/search`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ query: 'anything' }),
  })

/** Creates a key through the form; gives its full text and its id. */
async function createKey(visitor: VisitorClient, fields: Record<string, string>) {
  const before = new Set((await site.accounts.keys.list()).map(({ id }) => id))
  const answer = await visitor.post('/keys', '/keys', fields)
  const html = await answer.text()
  const record = (await site.accounts.keys.list()).find(({ id }) => !before.has(id))
  return {
    status: answer.status,
    html,
    key: /vbt_[0-9A-Za-z]{36}/u.exec(html)?.[0] ?? '',
    id: record?.id ?? '',
  }
}

describe('keys', () => {
  test('a key made in the dashboard works, is shown once, and is refused at once when deleted', async () => {
    const { status, key, id, html } = await createKey(ada, { name: 'Website' })
    expect(status).toBe(201)
    expect(html).toContain(`Authorization: Bearer ${key}`)
    expect((await search(key)).status).toBe(200)
    const list = await ada.text('/keys')
    expect(list).not.toContain(key)
    expect(list).toContain(`${key.slice(0, 8)}…${key.slice(-4)}`)
    expect((await ada.get(`/keys/${id}/delete`)).status).toBe(200)
    const deleted = await ada.post(`/keys/${id}/delete`, `/keys/${id}/delete`)
    expect([deleted.status, deleted.headers.get('location')]).toEqual([303, '/keys?done=key-deleted'])
    expect((await search(key)).status).toBe(401)
    expect(await ada.text('/keys')).not.toContain(`/keys/${id}/delete`)
  })

  test('sending the form of a new key again, as a reload does, makes no second key', async () => {
    const page = await ada.text('/keys')
    const fields = { name: 'Reloaded', form_mark: /name="form_mark" value="([^"]+)"/u.exec(page)?.[1] ?? '' }
    const again = { ...fields, form_token: formTokenIn(page) }
    const answers = [await ada.postRaw('/keys', { ...again, name: '' }), await ada.postRaw('/keys', again)]
    expect(answers.map(({ status }) => status)).toEqual([422, 201])
    for (let reload = 0; reload < 2; reload += 1) {
      const answer = await ada.postRaw('/keys', again)
      expect([answer.status, answer.headers.get('location')]).toEqual([303, '/keys?done=made-already'])
    }
    const made = (await site.accounts.keys.list()).filter(({ name }) => name === 'Reloaded')
    expect(made).toHaveLength(1)
    expect(await ada.text('/keys?done=made-already')).toContain('shown only once')
  })

  test('people see and delete only their own keys; administrators all', async () => {
    const { key, id } = await createKey(ada, { name: 'Ada’s secret project' })
    expect(await grace.text('/keys')).not.toContain('Ada’s secret project')
    expect((await grace.get(`/keys/${id}/delete`)).status).toBe(404)
    const forged = await grace.post('/keys', `/keys/${id}/delete`)
    expect(forged.status).toBe(404)
    expect((await grace.get(`/usage?key=${id}`)).status).toBe(404)
    expect((await grace.get(`/usage.csv?key=${id}`)).status).toBe(404)
    expect((await search(key)).status).toBe(200)
    const seen = await admin.text('/keys')
    expect(seen).toContain('Ada’s secret project')
    expect(seen).toContain('ada@example.org')
    await admin.post(`/keys/${id}/delete`, `/keys/${id}/delete`)
    expect((await search(key)).status).toBe(401)
  })

  test('events tell who made and who deleted a key, to its owner and to administrators alone', async () => {
    const { id } = await createKey(ada, { name: 'Watched' })
    await admin.post(`/keys/${id}/delete`, `/keys/${id}/delete`)
    const history = (html: string): string => html.slice(html.indexOf('History'))
    expect(history(await ada.text('/keys'))).toMatch(/Deleted.*Watched.*admin@example\.org/su)
    expect(history(await admin.text('/keys'))).toContain('Watched')
    expect(await grace.text('/keys')).not.toContain('Watched')
  })

  test('a key’s own limit and end are kept and hold', async () => {
    const { key } = await createKey(ada, { name: 'Limited', points: '2', expires: '2999-12-31' })
    const statuses = [await search(key), await search(key), await search(key)].map(({ status }) => status)
    expect(statuses).toEqual([200, 200, 429])
    const list = await ada.text('/keys')
    expect(list).toContain('expires 31 Dec 2999 · 2 requests per 60 s · for search, read, rerank, verify')
  })

  test('scopes and path tokens are chosen in the form, hold, and are told in the list', async () => {
    const read = await createKey(ada, { name: 'Reader', scopes: 'read' })
    expect((await search(read.key)).status).toBe(403)
    const { html } = await createKey(ada, { name: 'Old client', place: 'path' })
    const token = /vbp_[0-9A-Za-z]{36}/u.exec(html)?.[0] ?? ''
    expect(html).toContain(`/compat/searxng/${token}/search?q=`)
    const found = await fetch(`${site.url}/compat/searxng/${token}/search?q=anything&format=json`)
    expect(found.status).toBe(200)
    const list = await ada.text('/keys')
    expect(list).toMatch(/Reader<br\/?><span[^>]*>for read</u)
    expect(list).toMatch(/Old client<br\/?><span[^>]*>sent in the address · for search</u)
  })

  test.each([
    ['search', '/v1/search'],
    ['read', '/v1/read'],
    ['rerank', '/v1/rerank'],
    ['verify', '/v1/verify'],
    ['metrics', '/metrics'],
  ])('the call beside a new key is one that a key for %s alone may make', async (scope, path) => {
    const called = (html: string): string =>
      readableBlocks(/<code id="new-key-call">(.*?)<\/code>/su.exec(html)?.[1] ?? '').join(' ')
    const { html } = await createKey(ada, { name: 'One scope', scopes: scope })
    expect(called(html)).toContain(`curl '${site.url}${path}'`)
    const inAddress = await createKey(ada, { name: 'One scope', scopes: scope, place: 'path' })
    const token = /vbp_[0-9A-Za-z]{36}/u.exec(inAddress.html)?.[0] ?? ''
    const address = scope === 'search' ? `/compat/searxng/${token}/search?q=` : `${path}/${token}'`
    expect(called(inAddress.html)).toContain(site.url + address)
    const isForSearxng = inAddress.html.includes(`>${site.url}/compat/searxng/${token}<`)
    expect(isForSearxng).toBe(scope === 'search')
  })

  test('a new path token comes with the address for MCP clients, which answers there until it is deleted', async () => {
    const { html, id } = await createKey(ada, { name: 'Agent', place: 'path' })
    const address = /<code id="mcp-address">(.*?)<\/code>/su.exec(html)?.[1] ?? ''
    expect(address).toMatch(/^http:.*\/mcp\/vbp_[0-9A-Za-z]{36}$/u)
    expect(html).toContain('with the tool search.')
    const tools = async (): Promise<[number, string]> => {
      const answer = await fetch(address, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
      })
      return [answer.status, await answer.text()]
    }
    expect(await tools()).toEqual([200, expect.stringContaining('"name":"search"')])
    await ada.post(`/keys/${id}/delete`, `/keys/${id}/delete`)
    expect((await tools())[0]).toBe(401)
    const other = await createKey(ada, { name: 'Header', scopes: 'search' })
    expect(other.html).not.toContain('mcp-address')
  })

  test('who has rotated a key reads when the old one dies, or that it has', async () => {
    const { id, key } = await createKey(ada, { name: 'Handed over' })
    const path = `/keys/${id}/rotate`
    const told = async (after: string): Promise<string> =>
      readableBlocks(await (await ada.post(path, path, { grace: after })).text()).join(' ')
    const shown = await told('7d')
    const expiresAt = (await site.accounts.keys.get(id))?.expiresAt ?? new Date(0)
    expect(shown).toContain(
      `goes on working until ${formatMoment(expiresAt)}; it is listed as “Handed over (old)”.`,
    )
    expect((await search(key)).status).toBe(200)
    expect(await told('0')).toContain('is refused from now on.')
    expect((await search(key)).status).toBe(401)
  })

  test('rotating a key shows the new one once, keeps the old one working until then, and is for its owner alone', async () => {
    const { id } = await createKey(ada, { name: 'Mobile' })
    const path = `/keys/${id}/rotate`
    expect((await grace.get(path)).status).toBe(404)
    const answer = await ada.post(path, path, { grace: '7d' })
    expect(answer.status).toBe(201)
    const key = /vbt_[0-9A-Za-z]{36}/u.exec(await answer.text())?.[0]
    const old = (await site.accounts.keys.list()).find((one) => one.id === id)
    expect(await site.accounts.keys.verify(key)).toMatchObject({ name: 'Mobile', ownerId: old?.ownerId })
    expect((await ada.post(path, path, { grace: 'for ever' })).status).toBe(404)
    const list = await ada.text('/keys')
    expect(list).toContain('Mobile (old)')
    expect(list).not.toContain(key)
  })

  test('a key that has expired is not offered to be rotated, and who tries is told why not', async () => {
    const { id } = await createKey(ada, { name: 'Expired' })
    const path = `/keys/${id}/rotate`
    const mark = /name="form_mark" value="([^"]+)"/u.exec(await ada.text(path))?.[1] ?? ''
    expect((await ada.post(path, path, { grace: '0', form_mark: mark })).status).toBe(201)
    const list = await ada.text('/keys')
    expect([list.includes(`/keys/${id}/rename`), list.includes(path)]).toEqual([true, false])
    for (const answer of [await ada.get(path), await ada.post('/keys', path, { grace: '1d' })]) {
      expect(answer.status).toBe(409)
      expect(await answer.text()).toContain('This key has expired')
    }
    const again = await ada.post('/keys', path, { grace: '0', form_mark: mark })
    expect(again.headers.get('location')).toBe('/keys?done=made-already')
  })

  test('a key is renamed by its owner or an administrator, works on, and keeps its name when the new one is none', async () => {
    const { key, id } = await createKey(ada, { name: 'Before' })
    const rename = (visitor: VisitorClient, name: string) =>
      visitor.post('/keys', `/keys/${id}/rename`, { name })
    expect((await rename(grace, 'Mine now')).status).toBe(404)
    expect((await rename(ada, ' ')).status).toBe(422)
    expect((await ada.text(`/keys/${id}/rename`)).includes('value="Before"')).toBe(true)
    expect((await rename(ada, 'After')).headers.get('location')).toBe('/keys?done=key-renamed')
    expect(await ada.text('/keys')).toContain('After')
    expect((await rename(admin, 'By the administrator')).status).toBe(303)
    expect((await site.accounts.keys.get(id))?.name).toBe('By the administrator')
    expect((await search(key)).status).toBe(200)
  })

  test.each([
    [{ name: 'ok', scopes: 'everything' }, 'The scopes are search, read, rerank, verify, metrics.'],
    [{ name: '' }, 'A name has 1 to 100 characters on one line.'],
    [{ name: 'x'.repeat(101) }, 'A name has 1 to 100 characters on one line.'],
    [{ name: 'ok', expires: '2020-01-01' }, 'Choose a day that is not over yet.'],
    [{ name: 'ok', expires: 'tomorrow' }, 'Choose a day that is not over yet.'],
    [{ name: 'ok', points: '0' }, 'A rate limit is a whole number from 1 to 1,000,000.'],
    [{ name: 'ok', points: '1.5' }, 'A rate limit is a whole number from 1 to 1,000,000.'],
    [{ name: 'ok', points: '1e99' }, 'A rate limit is a whole number from 1 to 1,000,000.'],
  ])('the form %j is refused with a sentence beside the field and makes no key', async (fields, sentence) => {
    const { status, html, id } = await createKey(grace, fields)
    expect([status, id]).toEqual([422, ''])
    expect(html).toContain(sentence)
  })

  test('a name that is markup is shown as text', async () => {
    await createKey(ada, { name: '<img src=x onerror=alert(1)>' })
    const list = await ada.text('/keys')
    expect(list).toContain('&lt;img src=x onerror=alert(1)>')
    expect(list).not.toContain('<img')
  })
})

describe('usage', () => {
  test('counts what the search endpoint answered, per key, and as CSV', async () => {
    const { key, id } = await createKey(grace, { name: 'Counted', points: '3' })
    for (let count = 0; count < 4; count += 1) await search(key)
    await site.accounts.usage.flush()
    const page = await grace.text(`/usage?key=${id}&span=48h`)
    expect(page).toMatch(/<dt>Requests<\/dt><dd>4<\/dd>/u)
    expect(page).toMatch(/<dt>Errors<\/dt><dd>1<\/dd>/u)
    expect(page).toMatch(/<dt>Snippets returned<\/dt><dd>6<\/dd>/u)
    const csv = await grace.get(`/usage.csv?key=${id}&span=48h`)
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(csv.headers.get('content-disposition')).toContain('attachment')
    const [header, row] = (await csv.text()).split('\r\n')
    expect(header).toContain('requests')
    expect(row?.split(',').slice(3, 8)).toEqual(['4', '0', '1', '0', '6'])
    expect(await grace.text('/keys')).toMatch(
      /Counted[\s\S]*?data-label="Requests today" class="number"><a[^>]*>4</u,
    )
    expect(await idle.text('/usage')).toContain('No requests in this time')
  })
})
