import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { makeQuotes, MUTATIONS, type SourcePage } from '../../../scripts/eval/quote-mutations.ts'
import { tallyQuotes } from '../../../scripts/eval/verification.ts'
import { MULTILINGUAL_PAGES } from '../../support/multilingual-pages.ts'

/** Our own documentation: pages of tables, code and prose. */
const documentation: SourcePage[] = readdirSync('docs')
  .filter((name) => name.endsWith('.md'))
  .map((name) => ({ language: 'en', text: readFileSync(`docs/${name}`, 'utf8') }))

test('of ten thousand quotes none is falsely true, .99 of the true are found, .97 of the altered recognised, .99 of the absent are absent', () => {
  const pages = [...MULTILINGUAL_PAGES, ...documentation]
  const tallies = tallyQuotes(pages, makeQuotes(pages, 10_000, 11))
  const least = (mutation: string): number =>
    ['verbatim', 'typography', 'elision', 'insertion', 'wrong source', 'absent'].includes(mutation)
      ? 0.99
      : 0.97
  for (const mutation of MUTATIONS) {
    const tally = tallies.get(mutation) ?? { quotes: 0, right: 0, falselyTrue: 1, overlapping: 0 }
    expect([mutation, tally.falselyTrue]).toEqual([mutation, 0])
    expect([mutation, tally.right / tally.quotes >= least(mutation)]).toEqual([mutation, true])
  }
})
