import { expect, test } from 'vitest'
import { createStemming } from '../../../src/score/lexical/stemming.ts'

test.each([
  ['передаёт', 'передает'],
  ['кораблём', 'кораблем'],
  ['самолётами', 'самолеты'],
])('a Russian word has one stem, however ё is written: %s, %s', (one, other) => {
  const stem = createStemming().forLanguage('ru')
  expect(stem(one)).toBe(stem(other))
})
