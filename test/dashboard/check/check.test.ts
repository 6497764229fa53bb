import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AnswerCheckRequest } from '../../../src/contract/answer-check.ts'
import { captureUnknown } from '../../../src/errors.ts'
import { openDashboardSite, PASSWORD, type DashboardSite } from '../dashboard-site.ts'
import { openPage, openPeoplesBrowser } from '../test-browser.ts'
import { createVisitorClient, formTokenIn, type VisitorClient } from '../visitor-client.ts'
import { CHECKED, CHECKED_SOURCES, CHECKED_TEXT, ON_THE_PAGE } from './checked-answer.ts'

const browser = await openPeoplesBrowser()
const asked: AnswerCheckRequest[] = []
let answer = () => Promise.resolve(CHECKED)
let site: DashboardSite
let visitor: VisitorClient
beforeAll(async () => {
  site = await openDashboardSite({
    verifyAnswer: (request) => {
      asked.push(request)
      return answer()
    },
    rateLimit: { points: 8, durationSeconds: 60 },
  })
  await site.addPerson({ email: 'ada@example.org' })
  visitor = createVisitorClient(site.url)
  await visitor.signIn('ada@example.org', PASSWORD)
})
afterAll(async () => {
  await browser?.close()
  await site.close()
})

const check = (fields: Record<string, string>) => visitor.post('/check', '/check', fields)

describe('checking an answer', () => {
  test.skipIf(browser === null)(
    'every quote is marked where it stands, in words too, with what differs (without scripts)',
    async () => {
      const { context, page, complaints } = await openPage(browser!, { javaScriptEnabled: false })
      const value = visitor.cookies.get('verbatim_session') ?? ''
      await context.addCookies([{ name: 'verbatim_session', value, url: site.url }])
      await page.goto(`${site.url}/keys`)
      await page.getByRole('link', { name: 'Check', exact: true }).click()
      await page.getByLabel('Answer').fill(CHECKED_TEXT)
      await page.getByLabel('Sources').fill(CHECKED_SOURCES.join('\n'))
      await page.getByRole('button', { name: 'Check' }).click()
      await page.getByText('3 passages looked up: 1 exact, 1 altered, 1 absent.').waitFor()
      expect(asked.at(-1)).toEqual({ answer: CHECKED_TEXT, sources: CHECKED_SOURCES })
      expect(await page.locator('.answer mark').allTextContents()).toEqual(
        CHECKED.claims.map(({ text }) => text),
      )
      expect(await page.locator('.answer').textContent()).toContain('1 Exact')
      expect(await page.locator('#claim-2 del').textContent()).toBe('[in the quote: thirty]')
      expect(await page.locator('#claim-2 ins').textContent()).toBe('[on the page: 90]')
      // The page's words as they stand there: the difference has the words alone.
      expect(await page.locator('#claim-2').textContent()).toContain(`The page: ${ON_THE_PAGE}`)
      expect(await page.getByText('It is in source 2').count()).toBe(1)
      expect(await page.getByText('The page is gone.').count()).toBe(1)
      const link = page.getByRole('link', { name: /^Show on page/u }).first()
      expect(await link.getAttribute('href')).toBe('https://docs.example/limits#:~:text=exact')
      expect(await page.getByLabel('Answer').inputValue()).toBe(CHECKED_TEXT)
      expect(complaints).toEqual([])
      await context.close()
    },
  )

  test('what cannot be checked is told beside its field, and nothing is looked up', async () => {
    const before = asked.length
    const response = await check({ answer: '“q”', sources: 'https://docs.example/\ndocs.example' })
    expect(response.status).toBe(422)
    expect(await response.text()).toContain('“docs.example” must be an http://, https:// or file:// address')
    expect((await check({ answer: '', sources: 'https://docs.example/' })).status).toBe(422)
    expect(asked.length).toBe(before)
  })

  test('an answer that is markup is shown as text', async () => {
    const html = await (
      await check({ answer: '<img src=x> </textarea><script>1</script>', sources: 'https://docs.example/' })
    ).text()
    expect(html).not.toContain('<img')
    expect(html).not.toContain('<script>')
  })

  test('an answer that is sent after its session has ended is shown again, before and after signing in, and not lost', async () => {
    const before = asked.length
    const later = createVisitorClient(site.url)
    await later.signIn('ada@example.org', PASSWORD)
    const token = formTokenIn(await later.text('/check'))
    const session = later.cookies.get('verbatim_session') ?? ''
    await later.post('/check', '/sign-out')
    later.cookies.set('verbatim_session', session)
    const sent = {
      form_token: token,
      answer: 'It was “pasted”\r\nwith care.',
      sources: 'https://docs.example/',
    }
    const ended = await later.postRaw('/check', sent)
    expect(ended.status).toBe(401)
    const shown = await ended.text()
    for (const part of ['Your session has ended', 'It was “pasted”\nwith care.', 'https://docs.example/'])
      expect(shown).toContain(part)
    later.cookies.delete('verbatim_session')
    await later.signIn('ada@example.org', PASSWORD)
    const expired = await later.postRaw('/check', sent)
    expect(expired.status).toBe(403)
    const again = await expired.text()
    expect(again).toContain('with care.')
    expect(asked.length).toBe(before)
    const checked = await later.postRaw('/check', { ...sent, form_token: formTokenIn(again) })
    expect(checked.status).toBe(200)
    expect(asked.length).toBe(before + 1)
  })

  test('the longest answer fits the form in every script', async () => {
    const longest = '語'.repeat(20_000)
    expect((await check({ answer: longest, sources: 'https://docs.example/' })).status).toBe(200)
    expect(asked.at(-1)?.answer).toBe(longest)
  })

  test('a text that is kept no more is told, the form stays, and checks spend the person’s quota', async () => {
    answer = () => Promise.reject(captureUnknown())
    const refused = await check({ answer: 'keep me', sources: 'a'.repeat(64) })
    answer = () => Promise.resolve(CHECKED)
    expect(refused.status).toBe(404)
    expect(await refused.text()).toContain('keep me')
    let last = refused
    for (let count = 0; count < 8 && last.status !== 429; count += 1)
      last = await check({ answer: 'a', sources: 'https://docs.example/' })
    expect(last.status).toBe(429)
    expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(0)
  })
})
