import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { axeFindings } from '../axe-findings.ts'
import { ANSWER, openDashboardSite, type DashboardSite } from '../dashboard-site.ts'
import { openPage, openPeoplesBrowser } from '../test-browser.ts'

const browser = await openPeoplesBrowser()

describe.skipIf(browser === null)('a comparison in Chromium', () => {
  const asked: string[] = []
  let site: DashboardSite
  let session: string
  beforeAll(async () => {
    site = await openDashboardSite({
      search: (request, { engine }, signal) => {
        asked.push(engine ?? request.search_depth)
        if (request.query !== 'never') return Promise.resolve(ANSWER)
        return new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(signal.reason)),
        )
      },
    })
    session = (await site.addVisitor({ email: 'ada@example.org' })).token
  })
  afterAll(async () => {
    await browser?.close()
    await site.close()
  })

  async function openPlayground(address: string) {
    asked.length = 0
    const opened = await openPage(browser!)
    await opened.context.addCookies([{ name: 'verbatim_session', value: session, url: site.url }])
    await opened.page.goto(site.url + address)
    return opened
  }

  test('Back leads from it to the answer before it, Forward to it again, and neither spends a search', async () => {
    const { context, page, complaints } = await openPlayground('/playground#query=q&num_results=7')
    await page.keyboard.press('Control+Enter')
    await page.locator('#answer:focus').waitFor()
    await page.getByText('Compare', { exact: true }).click()
    await page.getByRole('button', { name: 'Compare the three depths' }).press('Enter')
    await page.locator('h1:focus', { hasText: 'Compare depths' }).waitFor()
    expect(await page.title()).toBe('Compare depths · Verbatim')
    expect(await page.locator('#playground').isVisible()).toBe(false)

    await page.goBack()
    await page.locator('#answer').waitFor()
    expect(await page.title()).toBe('Playground · Verbatim')
    expect(await page.locator('h1').allTextContents()).toEqual(['Playground'])
    expect(await page.getByLabel('Results', { exact: true }).inputValue()).toBe('7')
    await page.goForward()
    await page.getByRole('heading', { name: 'exhaustive' }).waitFor()
    expect(asked.splice(0)).toEqual(['balanced', 'precise', 'balanced', 'exhaustive'])
    expect(await axeFindings(page)).toEqual([])

    await page.getByRole('button', { name: /Search at this depth\s*: precise/u }).click()
    await page.locator('#answer:focus').waitFor()
    expect(await page.getByLabel('Depth').inputValue()).toBe('precise')
    await page.goBack()
    await page.getByRole('heading', { name: 'exhaustive' }).waitFor()
    expect(asked).toEqual(['precise'])
    await page.getByRole('link', { name: 'Playground', exact: true }).last().click()
    await page.getByRole('heading', { name: 'Playground' }).waitFor()
    expect(await page.getByLabel('Results', { exact: true }).inputValue()).toBe('7')
    expect(complaints).toEqual([])
    await context.close()
  })

  test('one engine chosen twice is told of beside the choice, which stays, and nothing is asked', async () => {
    const { context, page, complaints } = await openPlayground('/playground#query=q')
    await page.getByText('Compare', { exact: true }).click()
    await page.getByLabel('Another').selectOption(await page.getByLabel('One engine').inputValue())
    const button = page.getByRole('button', { name: 'Compare the two engines' })
    await button.press('Enter')
    await page.getByRole('alert').getByText('Choose two different search engines.').waitFor()
    expect(await button.evaluate((element) => element === document.activeElement)).toBe(true)
    expect([await page.getByRole('heading', { name: 'Playground' }).isVisible(), asked]).toEqual([true, []])
    await page.getByLabel('Another').selectOption('library')
    await button.press('Enter')
    await page.getByRole('heading', { name: 'Compare engines' }).waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
    asked.length = 0
    expect(complaints).toEqual([])
    await context.close()
  })

  test('its address holds all of it; opened elsewhere it is ready to be pressed, and spends nothing before', async () => {
    const { context, page, complaints } = await openPlayground('/playground#query=q')
    await page.getByText('Compare', { exact: true }).click()
    await page.getByLabel('One engine').selectOption('library')
    await page.getByLabel('Another').selectOption('searxng')
    await page.getByRole('button', { name: 'Compare the two engines' }).click()
    await page.getByRole('heading', { name: 'Compare engines' }).waitFor()
    expect(asked.splice(0)).toEqual(['library', 'searxng'])
    const address = page.url()
    await page.goto('about:blank')
    await page.goto(address)
    await page.getByRole('button', { name: 'Compare the two engines' }).waitFor()
    expect(await page.getByLabel('One engine').inputValue()).toBe('library')
    expect(await page.getByLabel('Another').inputValue()).toBe('searxng')
    expect(await page.getByLabel('Query').inputValue()).toBe('q')
    expect(asked).toEqual([])
    expect(complaints).toEqual([])
    await context.close()
  })

  test('what was chosen to be compared is chosen still after a search, and after Back to its answer', async () => {
    const { context, page, complaints } = await openPlayground('/playground#query=q')
    const chosen = () =>
      Promise.all(['One engine', 'Another'].map((label) => page.getByLabel(label).inputValue()))
    await page.getByText('Compare', { exact: true }).click()
    await page.getByLabel('One engine').selectOption('library')
    await page.getByLabel('Another').selectOption('searxng')
    await page.keyboard.press('Control+Enter')
    await page.locator('#answer:focus').waitFor()
    expect(await chosen()).toEqual(['library', 'searxng'])
    await page.getByRole('button', { name: 'Compare the two engines' }).click()
    await page.getByRole('heading', { name: 'Compare engines' }).waitFor()
    await page.goBack()
    await page.locator('#answer').waitFor()
    expect(await chosen()).toEqual(['library', 'searxng'])
    expect(complaints).toEqual([])
    await context.close()
  })

  test('it can be stopped; the answer that was there is there again, and the focus is not lost', async () => {
    const { context, page } = await openPlayground('/playground#query=q')
    await page.keyboard.press('Control+Enter')
    await page.locator('#answer:focus').waitFor()
    await page.getByLabel('Query').fill('never')
    await page.getByText('Compare', { exact: true }).click()
    await page.getByRole('button', { name: 'Compare the three depths' }).click()
    await page.getByText('asking one after the other').waitFor()
    expect(await page.getByRole('button', { name: 'Comparing…' }).count()).toBe(1)
    await page.getByRole('button', { name: 'Stop' }).press('Enter')
    await page.getByRole('alert').getByText('The comparison was stopped.').waitFor()
    await page.locator('button:focus', { hasText: 'Search' }).waitFor()
    await page.goBack()
    await page.getByRole('link', { name: 'API keys' }).waitFor()
    await context.close()
  })

  test('a question that is refused is shown with what is wrong in it', async () => {
    const { context, page } = await openPlayground('/playground#query=%20')
    await page.getByText('Compare', { exact: true }).click()
    await page.getByRole('button', { name: 'Compare the three depths' }).click()
    await page.getByText('query must not be empty or blank.').waitFor()
    await page.locator('#query:focus').waitFor()
    expect(asked).toEqual([])
    await context.close()
  })
})
