import { expect, test } from 'vitest'
import { readPage } from '../../src/extract/read-page.ts'

const languageOf = async (content: string) => {
  const input = { url: 'https://a.example/', mediaType: 'text/plain', content, now: new Date() }
  const page = await readPage(
    { ...input, lastModified: null, contentLanguage: null },
    AbortSignal.timeout(5_000),
  )
  return page.language?.code ?? null
}

test.each(['A heat pump is a machine.', 'Install Node.js 20 or newer.', 'Meeting minutes: Anna, Bob, Carl'])(
  '%j is too short to tell its language, and no language is better than a wrong one',
  async (text) => {
    expect(await languageOf(text)).toBeNull()
  },
)

test('a sentence is long enough', async () => {
  expect(await languageOf('The heat pump takes its warmth from the air outside.')).toBe('en')
})
