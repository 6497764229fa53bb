// The table of docs/providers.md against what the engines declare.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openEngineClient } from '../../src/providers/engine-client.ts'
import { createLibraryProvider } from '../../src/providers/engines/library.ts'
import { createEngine, ENGINE_NAMES } from '../../src/providers/registry.ts'
import { readEngineFixture } from './engines/engine-fixture.ts'

const client = openEngineClient({ userAgent: 'Verbatim-test/1' })
afterAll(() => client.close())

const page = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'providers.md'), 'utf8')

const section = page.slice(
  page.indexOf('## Which search engines'),
  page.indexOf('## How do I connect SearXNG'),
)

/** The cells of the row of each engine. */
const ROWS = section
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => line.split('|').map((cell) => cell.trim()))

test('the table has a row for every engine, in the order in which auto asks them', () => {
  expect(ROWS.map(([, name]) => name?.replaceAll('`', ''))).toEqual([...ENGINE_NAMES, 'library'])
})

test('the table says of every engine what the engine declares', () => {
  const library = createLibraryProvider({ library: { search: async () => [] } })
  for (const [, cell = '', , recency = '', language = '', domains = '', mostHits] of ROWS) {
    const name = cell.replaceAll('`', '')
    const { settings } =
      name === 'library' ? { settings: {} } : readEngineFixture(name, 'http://engine.invalid')
    const engine = ENGINE_NAMES.find((each) => each === name)
    const provider = engine === undefined ? library : createEngine(engine, settings, client)
    const declared = provider?.capabilities
    expect({ name, recency, mostHits }).toEqual({
      name,
      recency: declared?.recency === true ? 'engine' : 'after',
      mostHits: String(declared?.maxCount),
    })
    // Wikipedia's language is chosen by its address, another wiki's is not.
    if (name !== 'mediawiki')
      expect({ name, language }).toEqual({ name, language: declared?.language === true ? 'engine' : 'after' })
    expect({ name, isAsked: domains !== 'after' }).toEqual({
      name,
      isAsked: declared?.includeDomains === true,
    })
  }
})
