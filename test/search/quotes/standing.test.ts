import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createStandings } from '../../../src/search/quotes/standing.ts'

const PARAGRAPHS = [
  'The lamp on the northern tower was lit for the first time on 12 March 1874.',
  'Two keepers shared each night, and the first watch ended at one o’clock.',
  'Oil came by sea in casks of forty gallons, which the tender landed every quarter.',
  'A storm in 1902 broke four panes of the lantern and flooded the lower store.',
  'Nobody was hurt, although the boat house was carried away with everything in it.',
  'The inspector wrote that the station was the best kept on the whole coast.',
  'Electric light arrived in 1931, and the number of keepers fell from five to three.',
  'Visitors may climb the 196 steps on Saturdays between April and September.',
  'Tickets cost six pounds and are sold in the cottage beside the gate.',
  'The archive holds every log book since the opening, save those of the war years.',
]
const NEWCOMER = 'Subscribe to our newsletter and never miss an event at the harbour again.'

const joined = (paragraphs: readonly string[]): string => paragraphs.join('\n\n')
const without = (at: number): string[] => PARAGRAPHS.filter((_, index) => index !== at)

/** What a site may do to its page, and what has become of the paragraph `at` then. */
const EDITS = {
  untouched: (at: number) => ({ now: joined(PARAGRAPHS), standing: 'stands', at }),
  'text put in before it': (at: number) => ({
    now: joined(PARAGRAPHS.toSpliced(at, 0, NEWCOMER)),
    standing: 'stands',
  }),
  'another paragraph taken out': (at: number) => ({
    now: joined(without(at === 0 ? 1 : 0)),
    standing: 'stands',
  }),
  'taken elsewhere': (at: number) => ({
    now: joined(without(at).toSpliced((at + 5) % PARAGRAPHS.length, 0, PARAGRAPHS[at] ?? '')),
    standing: 'moved',
  }),
  'a word replaced': (at: number) => ({
    now: joined(
      PARAGRAPHS.with(
        at,
        (PARAGRAPHS[at] ?? '').replace(/\b(?:was|and|are|may|that|which|save)\b/u, 'never'),
      ),
    ),
    standing: 'changed',
  }),
  'taken out': (at: number) => ({ now: joined(without(at)), standing: 'gone' }),
} as const

test('what has become of a quote is told for every kind of edit, wherever it stood', () => {
  const kinds = fc.constantFrom(...Object.values(EDITS))
  fc.assert(
    fc.property(kinds, fc.nat(PARAGRAPHS.length - 1), (edit, at) => {
      const quote = PARAGRAPHS[at] ?? ''
      const { now, standing } = edit(at)
      const found = createStandings(joined(PARAGRAPHS), now)(quote)
      expect(found?.standing).toBe(standing)
      if (found?.standing === 'stands' || found?.standing === 'moved')
        expect(now.slice(found.start ?? 0, found.end ?? 0)).toBe(quote)
    }),
    { numRuns: 300 },
  )
})

test('a number that was changed is shown, old and new', () => {
  const now = joined(PARAGRAPHS).replace('six pounds', 'nine pounds')
  const found = createStandings(joined(PARAGRAPHS), now)(PARAGRAPHS[8] ?? '')
  expect(found).toMatchObject({ standing: 'changed' })
  expect(found?.diff).toContainEqual({ op: 'page', text: 'nine' })
  expect(found?.diff).toContainEqual({ op: 'quote', text: 'six' })
})

test('of a quote that did not stand there before, nothing is said', () => {
  expect(createStandings(joined(PARAGRAPHS), NEWCOMER)('The lamp was never lit at all.')).toBeNull()
})
