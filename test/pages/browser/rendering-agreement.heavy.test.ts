// What we answer stands on the page: plain HTML and browser agree, and the browser's own find finds every snippet.
// Over our own documentation and the fixtures of the extractor; `npm run eval` does the same over saved real pages.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { marked } from 'marked'
import { beforeAll, describe, expect, it } from 'vitest'
import { document } from '../../support/page-server.ts'
import { measureAgreement, type PageAgreement } from '../../support/rendering-agreement.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..')
const SNIPPETS_PER_PAGE = 20
const STYLES = `<style>
  h2 { text-transform: uppercase } code { white-space: pre-wrap }
  th { text-transform: capitalize } .lead { display: block } li { display: list-item }
</style>`

/** What these hold back until it is opened, streamed or built by script, no browser's find finds; static reading does. */
const HOLD_TEXT_BACK: ReadonlySet<string> = new Set([
  'openable-parts',
  'noscript-forum',
  'questions-in-data',
  'state-in-data',
  'streamed-page',
])

function ownPages(): Map<string, string> {
  const pages = new Map<string, string>()
  const docs = join(ROOT, 'docs')
  for (const name of readdirSync(docs).filter((file) => file.endsWith('.md'))) {
    const html = marked.parse(readFileSync(join(docs, name), 'utf8'), { async: false })
    pages.set(name, document(name, `<nav><a href="/">Home</a></nav><main>${html}</main>`, STYLES))
  }
  const fixtures = join(ROOT, 'test', 'fixtures', 'extract')
  for (const name of readdirSync(fixtures).filter((folder) => !HOLD_TEXT_BACK.has(folder))) {
    const source = join(fixtures, name, 'source.html')
    if (existsSync(source)) pages.set(name, readFileSync(source, 'utf8'))
  }
  pages.set('boxes-in-a-line', document('boxes in a line', BOXES_IN_A_LINE, STYLES))
  return pages
}

/** Buttons and labels without white space between them: a person sees gaps, `innerText` has none. */
const BOXES_IN_A_LINE = `<main>
  <p>Read the long letter about bees in winter.<button>Subscribe</button><button>Sign in</button></p>
  <p><span style="display: inline-block; margin-right: 2em">Monday to Friday</span><a href="/">Discover the hives</a></p>
</main>`

describe('what stands on the page', () => {
  let agreements: PageAgreement[]
  beforeAll(async () => {
    agreements = await measureAgreement(ownPages(), SNIPPETS_PER_PAGE)
  })
  const total = (name: 'staticPassages' | 'staticShown' | 'snippets' | 'snippetsFound') =>
    agreements.reduce((sum, agreement) => sum + agreement[name], 0)

  it('at least 95 of 100 passages of the plain HTML stand word for word in what the browser shows', () => {
    expect(total('staticPassages')).toBeGreaterThan(50)
    expect(total('staticShown') / total('staticPassages')).toBeGreaterThanOrEqual(0.95)
  })

  it("each of 200 snippets and more of rendered pages is found by the browser's own find", () => {
    expect(total('snippets')).toBeGreaterThanOrEqual(200)
    expect(
      agreements.flatMap(({ missing }) => missing.filter((text) => text.startsWith('not found'))),
    ).toEqual([])
    expect(total('snippetsFound')).toBe(total('snippets'))
  })
})
