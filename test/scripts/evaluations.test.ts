import { expect, it, test } from 'vitest'
import { EVALUATIONS, missingOf, usage } from '../../scripts/eval/evaluations.ts'

const NOTHING = { models: '.models' }
const named = EVALUATIONS.filter(({ name }) => name !== null)

it('runs one evaluation where none is named, and knows each name once', () => {
  expect(EVALUATIONS.filter(({ name }) => name === null)).toHaveLength(1)
  expect(new Set(named.map(({ name }) => name)).size).toBe(named.length)
})

test.each(named)('the usage names --$name and all that it cannot do without', ({ name, takes, needs }) => {
  expect(usage()).toContain(`npm run eval -- ${[`--${name}`, takes].join(' ').trim()}\n    `)
  for (const option of needs?.options ?? [])
    expect(takes.replaceAll(/\[[^\]]*\]/gu, '')).toContain(`--${option}`)
})

test.each(named.filter(({ needs }) => needs !== undefined))(
  '--$name says in a sentence what it needs, and begins with all of it',
  (evaluation) => {
    const sentence = missingOf(evaluation, NOTHING)
    expect(sentence).toMatch(/^--\w+ needs --[^]+\.$/u)
    for (const option of evaluation.needs?.options ?? []) expect(sentence).toContain(`--${option}`)
    const given = Object.fromEntries((evaluation.needs?.options ?? []).map((option) => [option, 'x']))
    expect(missingOf(evaluation, { ...NOTHING, ...given })).toBeNull()
  },
)
