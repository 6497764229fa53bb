import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { stripVTControlCharacters } from 'node:util'
import { formatAnswer } from '../../src/commands/search-output.ts'
import type { SearchResponse } from '../../src/contract.ts'

const answer = (
  title: string,
  text: string,
  highlights: { start: number; end: number; score: number }[] = [],
) =>
  ({
    query: 'q',
    results: [
      {
        rank: 1,
        url: 'https://a.example/',
        title,
        snippets: [{ text, relevance_score: 0.9, highlights }],
        warning: null,
        publish_date: null,
        last_updated: null,
      },
    ],
    total_latency_ms: 1,
  }) satisfies SearchResponse

const WORDS = 'the tide comes in twice a day and goes out again as often'
/** Empties the screen, and writes to the clipboard. */
const COMMANDS = '\u001B[2J\u001B]52;c;cm0gLXJm\u0007'

describe('on a terminal', () => {
  const { isTTY, columns } = process.stdout
  beforeEach(() => void Object.assign(process.stdout, { isTTY: true }))
  afterEach(() => void Object.assign(process.stdout, { isTTY, columns }))

  test.each([0, undefined, 5])(
    'that is %s columns wide a passage is not broken after every word',
    (width) => {
      Object.assign(process.stdout, { columns: width })
      const lines = stripVTControlCharacters(formatAnswer(answer('Tides', WORDS))).split('\n')
      expect(lines.length).toBeLessThan(10)
    },
  )

  test('a page cannot command it: what its title and text hold of that is shown as such, and marks stay where they were', () => {
    Object.assign(process.stdout, { columns: 80 })
    const text = `a${COMMANDS}b marked`
    const start = text.indexOf('marked')
    const shown = formatAnswer(answer(`T${COMMANDS}`, text, [{ start, end: text.length, score: 0.9 }]))
    expect(shown).not.toContain(COMMANDS.slice(0, 4))
    expect(shown).not.toContain('\u0007')
    expect(shown).toContain('a\uFFFD[2J')
    expect(shown).toContain('\u001B[4mmarked')
  })
})

test('piped, a passage is what the page holds, to the letter and in one line', () => {
  const text = `${WORDS} ${WORDS} ${WORDS}${COMMANDS}`
  expect(formatAnswer(answer('Tides', text))).toContain(text)
})
