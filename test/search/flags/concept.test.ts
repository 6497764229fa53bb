import { expect, test } from 'vitest'
import { concept, fold, wordStarts } from '../../../src/search/flags/concept.ts'
import * as addressees from '../../../src/search/flags/addressees.ts'
import * as asked from '../../../src/search/flags/asked-of-a-model.ts'
import * as overriding from '../../../src/search/flags/overriding.ts'
import * as said from '../../../src/search/flags/said-to-models-only.ts'

const placesOf = (lines: string, text: string): string[] => {
  const folded = fold(text)
  return concept(lines)
    .placesIn(folded, wordStarts(folded))
    .map(({ start, end }) => folded.slice(start, end))
}

test('words are found at their start, whatever their accents, capitals and endings', () => {
  expect(placesOf('ignor|ende~', 'IGNORÉ the weekend, ende. Endes')).toEqual(['ignor', 'ende'])
})

test('a group at the start is told by the first letters of all that it may start with', () => {
  expect(placesOf('(?:the |my )?(?:user|client)s?~', 'the user, my clients, user')).toEqual([
    'the user',
    'user',
    'my clients',
    'clients',
    'user',
  ])
})

test('scripts without spaces are looked through sign by sign', () => {
  expect(placesOf('忽略|指令', '请忽略以上指令')).toEqual(['忽略', '指令'])
})

test('no concept repeats anything without bound, whatever a page writes', () => {
  const sources = [addressees, asked, overriding, said]
    .flatMap((words) => Object.values(words))
    .flatMap(({ sources: own }) => own)
  expect(sources.length).toBeGreaterThan(300)
  const bare = sources.map((source) => source.replaceAll(/\\.|\[[^\]]*\]/gu, ''))
  expect(bare.filter((source) => /[*+]|\{\d+,\}/u.test(source))).toEqual([])
})
