import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
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

describe('a quote', () => {
  const QUOTED = PARAGRAPHS[4] ?? ''

  test('stands where it stood although both of its neighbours were rewritten', () => {
    const now = joined(PARAGRAPHS.with(3, 'Something else.').with(5, NEWCOMER))
    expect(createStandings(joined(PARAGRAPHS), now)(QUOTED)?.standing).toBe('stands')
  })

  test('was moved when the paragraph that it is a sentence of was, although its neighbours went with it', () => {
    const paragraph = `The boat house stood low. ${QUOTED} It was built anew in spring.`
    const before = PARAGRAPHS.with(4, paragraph)
    const now = before.toSpliced(4, 1).toSpliced(0, 0, paragraph)
    expect(createStandings(joined(before), joined(now))(QUOTED)?.standing).toBe('moved')
  })

  test('of a list is gone when its entry is, however alike another one is', () => {
    const entry = (town: string, price: string): string =>
      `The ferry to ${town} leaves at noon and costs ${price} pounds each way.`
    const before = joined([...PARAGRAPHS, entry('Harwick', 'eleven'), entry('Saltmouth', 'twelve')])
    const now = joined([...PARAGRAPHS, entry('Saltmouth', 'twelve')])
    expect(createStandings(before, now)(entry('Harwick', 'eleven'))?.standing).toBe('gone')
    const dearer = joined([...PARAGRAPHS, entry('Harwick', 'fifty'), entry('Saltmouth', 'twelve')])
    expect(createStandings(before, dearer)(entry('Harwick', 'eleven'))?.standing).toBe('changed')
  })

  test('that has dots of its own leaves nothing out by them', () => {
    const dotted = 'The keeper wrote: the lamp is out ... the oil is gone and nobody came.'
    const before = joined([...PARAGRAPHS, dotted])
    const now = before.replace('lamp is out ...', 'lamp is out, as ever, ...')
    expect(createStandings(before, now)(dotted)?.standing).toBe('changed')
  })
})
