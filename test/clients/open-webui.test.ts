// Open WebUI's own modules of search and loading, unmodified, set up by the very lines of docs/client-open-webui.md: what it
// hands to its model holds the labelled passage, with each of its bypasses on and off.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PACKAGE_ROOT } from '../../src/config.ts'
import { article } from '../support/search-site.ts'
import { aScore, PASSAGE, startClientService, thePassage, type ClientService } from './client-service.ts'

const PAGE = readFileSync(join(PACKAGE_ROOT, 'docs', 'client-open-webui.md'), 'utf8')

interface Told {
  bypasses: Record<string, { text: string; source: string }[]>
  engines: Record<string, { link: string; title: string; snippet: string }[]>
  loaders: Record<string, string[]>
  documents: string[]
  scores: number[]
}

let clients: ClientService
let folder: string
let told: Told
beforeAll(async () => {
  clients = await startClientService()
  folder = mkdtempSync(join(tmpdir(), 'verbatim-open-webui-'))
  const file = join(folder, 'file.html')
  writeFileSync(file, article('Managing keys', [PASSAGE]))
  const settings = { ...fromThePage(), ...besides(), VERBATIM_FILE: file }
  told = (await clients.python('open_webui_modules.py', [], settings)) as Told
})
afterAll(async () => {
  await clients.close()
  rmSync(folder, { recursive: true, force: true })
})

/** The settings that the page of the documentation shows, with the address and the key of this service. */
function fromThePage(): Record<string, string> {
  const blocks = [...PAGE.matchAll(/```sh\n([\s\S]*?)```/gu)].map(([, block = '']) => block)
  const lines = blocks.join('').matchAll(/^([A-Z_]+)=(.+)$/gmu)
  return Object.fromEntries(
    [...lines].map(([, name = '', value = '']) => [
      name,
      value.replace('http://verbatim:3000', clients.service.url).replace('<API_KEY>', clients.service.key),
    ]),
  )
}

/** Its other engines that take an address, and what runs it without its database, its models and its user interface. */
function besides(): Record<string, string> {
  const { url, key } = clients.service
  return {
    SEARXNG_QUERY_URL: `${url}/compat/searxng/${clients.token}/search`,
    FIRECRAWL_API_BASE_URL: `${url}/compat/firecrawl`,
    FIRECRAWL_API_KEY: key,
    PERPLEXITY_SEARCH_API_URL: `${url}/compat/perplexity/search`,
    PERPLEXITY_API_KEY: key,
    ENABLE_LOCAL_WEB_FETCH: 'True',
    ENABLE_PERSISTENT_CONFIG: 'False',
    ENABLE_DB_MIGRATIONS: 'False',
    USE_SLIM_DOCKER: 'true',
    FROM_INIT_PY: 'true',
    WEBUI_SECRET_KEY: 'not-a-secret',
    DATA_DIR: folder,
    STATIC_DIR: join(folder, 'static'),
  }
}

test.each(['True True', 'True False', 'False True', 'False False'])(
  'what goes to the model holds the passage, with the bypasses of loader and embedding at %s',
  (bypasses) => {
    expect(told.bypasses[bypasses]).toContainEqual({ text: thePassage, source: clients.page })
  },
)

describe('its engine', () => {
  test.each(['external', 'searxng', 'firecrawl', 'perplexity_search'])('%s finds the passage', (engine) => {
    expect(told.engines[engine]).toContainEqual({
      link: clients.page,
      title: 'Managing keys',
      snippet: thePassage,
    })
  })

  test('searxng puts the page that answers first, by its score', () => {
    expect(told.engines['searxng']?.[0]?.link).toBe(clients.page)
  })
})

test.each(['external', 'firecrawl'])('its loader %s reads the page', (loader) => {
  expect(told.loaders[loader]).toEqual([thePassage])
})

test('its document loader reads a file', () => {
  expect(told.documents).toEqual([thePassage])
})

test('its reranker gets the score of each document, in their order', () => {
  expect(told.scores).toEqual([expect.any(Number), aScore, expect.any(Number)])
  expect(told.scores[1]).toBe(Math.max(...told.scores))
})
