// Follows the text_fragment_url of every snippet in a real Chromium, and looks where it scrolls and what it highlights.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium, type Browser, type Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SearchResponse } from '../../src/contract.ts'
import { readPage } from '../../src/extract/read-page.ts'
import { findBrowser } from '../../src/pages/browser/detection.ts'
import { createTextFragmentLinks } from '../../src/search/proof/text-fragment.ts'
import { article, startSearchSite, type SearchSite } from '../support/search-site.ts'
import { startService, type TestService } from '../support/service.ts'
import { browserPath, describeInBrowser } from '../support/describe-in-browser.ts'

/** The highlight in a colour that nothing else on the pages has. */
const HIGHLIGHT = '<style>::target-text { background: #f0f; color: #f0f }</style>'
const FILLER = Array.from({ length: 60 }, (_, index) => `Filler number ${index} is here to be scrolled past.`)
const TWICE = 'A key that was lost is revoked in the dashboard, at once and for ever.'
const RAMBLING =
  'To revoke a key means to end it: nothing that was sealed by it opens again, and every request that carries it is refused from the next second on, on every replica, whatever it asks for and whoever sends it.'

const WINDOW_HEIGHT = 600
/** The margin of a paragraph and half a line, in which the window may end. */
const PARAGRAPH_GAP = 26
const lines = (...texts: string[]): string => texts.map((text) => `<p>${text}</p>`).join('')
const MARK = '<!-- here -->'
const page = (body: string): string =>
  article('Keys', FILLER, HIGHLIGHT).replace(
    '</article>',
    `${MARK}${body}${MARK}${lines(...FILLER)}</article>`,
  )
const fixture = (name: string): string =>
  readFileSync(join(import.meta.dirname, '..', 'fixtures', 'extract', name, 'source.html'), 'utf8')

const PAGES: Record<string, string> = {
  'a short sentence': page(lines('A lost key is revoked.')),
  'a long paragraph': page(lines(RAMBLING)),
  'a sentence that stands there twice': page(
    lines('Lost keys.', TWICE, 'Something else.', 'Keys that are found again.', TWICE),
  ),
  'paragraphs that begin and end alike': page(
    lines(`${RAMBLING} So it is for people.`, `${RAMBLING} So it is for machines.`),
  ),
  'a list': page('<ul><li>Revoke the key</li><li>Make a new key</li><li>Tell who used the old key</li></ul>'),
  'a table': page(
    `<table><tr><th>Action</th><th>Who</th></tr><tr><td>Revoke a key</td><td>Owner of the key</td></tr>
     <tr><td>Make a key</td><td>Any member of the team</td></tr></table>`,
  ),
  code: page(
    '<p>Revoke the key so:</p><pre>curl -X DELETE \\\n  --header   "key: 1"   # revoke a key\nexit 0</pre>',
  ),
  'words inside elements': page(
    lines(
      'To <b>revoke</b> a <a href="#k">key</a> open the <code>keys</code> page<sup>[1]</sup>, then con<wbr>firm.',
    ),
  ),
  'signs that mean something in a link': page(
    lines('Is a key – a-b, c &amp; d = 100% – "re-voked"? Yes: (always) #now!'),
  ),
  'spaces of every kind': page(
    lines('A&nbsp;lost key&#8239;is re&shy;voked   after\n  10&thinsp;000 calls.'),
  ),
  'accents and capitals': page(
    lines('CAFÉ keys are revoked.', 'Café keys are revoked. Naïve, über, Straße.'),
  ),
  Japanese: page(
    lines(
      '鍵について。',
      '鍵はいつでもダッシュボードで取り消すことができます。key revoke の効果は一秒以内に現れます。',
    ),
  ),
  Arabic: page(`<p dir="rtl">يمكن إلغاء key المفتاح revoke في أي وقت من لوحة التحكم.</p>`),
  'line breaks': page('<p>Revoke the key here<br>or ask for a new key there<br>and wait for your key.</p>'),
  'closed details': page(
    '<details><summary>How to revoke a key</summary><p>Open the key and choose revoke.</p></details>',
  ),
}

/** Every body above on one page; and pages with everything that real ones have. */
const WHOLE_PAGES: Record<string, string> = {
  '/everything': page(
    Object.values(PAGES)
      .map((html) => html.slice(html.indexOf(MARK), html.lastIndexOf(MARK)))
      .map((body, at) => body + lines(...FILLER.slice(0, 5).map((text) => `${text} After body ${at}.`)))
      .join(''),
  ),
  '/article': fixture('article').replace('</head>', `${HIGHLIGHT}</head>`),
  '/forum': fixture('forum').replace('</head>', `${HIGHLIGHT}</head>`),
}

let site: SearchSite
let service: TestService
let browser: Browser
let reader: Page
beforeAll(async () => {
  site = await startSearchSite(
    Object.fromEntries([
      ...Object.entries(PAGES).map(([name, html]) => [pathOf(name), { html }]),
      ...Object.entries(WHOLE_PAGES).map(([path, html]) => [path, { html }]),
    ]),
  )
  service = await startService({ SEARCH_PROVIDERS: 'searxng', SEARXNG_URL: site.engineUrl })
  const executablePath = await findBrowser({ chromiumPath: process.env['CHROMIUM_PATH'] ?? null })
  if (executablePath === null) throw new Error('these tests need a Chromium')
  browser = await chromium.launch({ executablePath, chromiumSandbox: process.getuid?.() !== 0 })
  reader = await browser.newPage()
})
afterAll(async () => {
  await browser.close()
  await service.close()
  await site.close()
})

const pathOf = (name: string): string => `/${name.replaceAll(' ', '-')}`

/** The page's text as the service reads it. */
const readText = (html: string) =>
  readPage(
    {
      url: site.siteUrl,
      mediaType: 'text/html',
      content: html,
      lastModified: null,
      contentLanguage: null,
      now: new Date(),
    },
    new AbortController().signal,
  )

interface Box {
  top: number
  bottom: number
}

/** Opens the link and tells where the passage stands in the window, and which part of the window is highlighted. */
async function follow(
  link: string,
  passage: string,
  nth: number,
): Promise<{ passage: Box; highlight: Box | null; scrolled: number }> {
  const context = await browser.newContext({ viewport: { width: 800, height: WINDOW_HEIGHT } })
  try {
    const tab = await context.newPage()
    await tab.goto(link)
    await tab.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
    )
    const place = await tab.evaluate(placeOf, { passage, nth })
    if (place === null) throw new Error(`the page does not show: ${passage}`)
    const screenshot = (await tab.screenshot()).toString('base64')
    return {
      passage: place,
      highlight: await reader.evaluate(boxOfColour, screenshot),
      scrolled: await tab.evaluate(() => scrollY),
    }
  } finally {
    await context.close()
  }
}

/** Runs in the page: the box of the `nth` place of `passage`, found without regard to white space. */
function placeOf({ passage, nth }: { passage: string; nth: number }): Box | null {
  const places: { node: Node; offset: number }[] = []
  let text = ''
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const content = node.textContent ?? ''
    for (let offset = 0; offset < content.length; offset += 1) {
      const unit = content[offset] ?? ''
      if (/[\s\u00AD\u200B]/u.test(unit)) continue
      text += unit
      places.push({ node, offset })
    }
  }
  const wanted = passage.replace(/[\s\u00AD\u200B]/gu, '')
  let index = -1
  for (let round = 0; round < nth; round += 1) index = text.indexOf(wanted, index + 1)
  const [first, last] = [places[index], places[index + wanted.length - 1]]
  if (index < 0 || first === undefined || last === undefined) return null
  const range = document.createRange()
  range.setStart(first.node, first.offset)
  range.setEnd(last.node, last.offset + 1)
  const { top, bottom } = range.getBoundingClientRect()
  return { top, bottom }
}

/** Runs in a page: the box around everything of the highlight's colour in a screenshot. */
async function boxOfColour(screenshot: string): Promise<Box | null> {
  const image = new Image()
  image.src = `data:image/png;base64,${screenshot}`
  await image.decode()
  const canvas = new OffscreenCanvas(image.width, image.height)
  const context = canvas.getContext('2d')
  if (context === null) throw new Error('no canvas')
  context.drawImage(image, 0, 0)
  const { data, width } = context.getImageData(0, 0, image.width, image.height)
  let box = null as Box | null
  for (let index = 0; index < data.length; index += 4) {
    if ((data[index] ?? 0) < 250 || (data[index + 1] ?? 255) > 5 || (data[index + 2] ?? 0) < 250) continue
    const row = Math.floor(index / 4 / width)
    box = { top: box?.top ?? row, bottom: row + 1 }
  }
  return box
}

const plain = (text: string): string => text.replace(/[\s\u00AD\u200B]/gu, '')

/** How many times the passage has begun in `text` when it begins at `start`, this time included. */
function orderOf(text: string, passage: string, start: number): number {
  const [before, whole] = [plain(text.slice(0, start)), plain(text)]
  let order = 1
  for (
    let at = whole.indexOf(plain(passage));
    at !== -1 && at < before.length;
    at = whole.indexOf(plain(passage), at + 1)
  )
    order += 1
  return order
}

function expectHighlighted({ passage, highlight }: { passage: Box; highlight: Box | null }): void {
  expect(passage.top).toBeGreaterThanOrEqual(0)
  expect(passage.top).toBeLessThan(WINDOW_HEIGHT)
  // Of a long passage the browser shows the beginning.
  const bottom = Math.min(passage.bottom, WINDOW_HEIGHT)
  expect(highlight).not.toBeNull()
  // Half a line of tolerance: line boxes are higher than the letters in them.
  expect(Math.abs((highlight?.top ?? -99) - passage.top)).toBeLessThanOrEqual(9)
  const tolerance = passage.bottom > WINDOW_HEIGHT ? PARAGRAPH_GAP : 9
  expect(Math.abs((highlight?.bottom ?? -99) - bottom)).toBeLessThanOrEqual(tolerance)
}

describeInBrowser(
  'a text fragment link, opened in Chromium, scrolls to its passage and highlights just that',
  () => {
    test.each(Object.keys(PAGES))('%s', async (name) => {
      const { text, blocks } = await readText(PAGES[name] ?? '')
      const linkTo = createTextFragmentLinks(`${site.siteUrl}${pathOf(name)}`, text)
      const passages = blocks.filter(({ start, end }) => !FILLER.includes(text.slice(start, end)))
      expect(passages.length).toBeGreaterThan(1)
      for (const { start, end } of passages.slice(1)) {
        const passage = text.slice(start, end)
        const seen = await follow(linkTo({ start, end }) ?? '', passage, orderOf(text, passage, start))
        expect(seen.scrolled).toBeGreaterThan(0)
        expectHighlighted(seen)
      }
    })

    test.each(['article', 'forum'])('every block of a whole page: %s', async (name) => {
      const { text, blocks } = await readText(WHOLE_PAGES[pathOf(name)] ?? '')
      const linkTo = createTextFragmentLinks(`${site.siteUrl}${pathOf(name)}`, text)
      expect(blocks.length).toBeGreaterThan(5)
      for (const { start, end } of blocks) {
        const passage = text.slice(start, end)
        expectHighlighted(await follow(linkTo({ start, end }) ?? '', passage, orderOf(text, passage, start)))
      }
    })
  },
)

test.skipIf(browserPath === null)('the links of an answer lead to its snippets too', async () => {
  site.find('/everything')
  const body = { query: 'revoke a lost key', search_depth: 'exhaustive', max_snippets_per_result: 5 }
  const response = await service.search({ ...body, include: ['proof'] })
  const { results } = (await response.json()) as SearchResponse
  const { text } = await readText(WHOLE_PAGES['/everything'] ?? '')
  const snippets = results[0]?.snippets ?? []
  expect(snippets.length).toBeGreaterThan(2)
  for (const { text: passage, start = -1, text_fragment_url: link } of snippets)
    expectHighlighted(await follow(link ?? '', passage, orderOf(text, passage, start)))
})
