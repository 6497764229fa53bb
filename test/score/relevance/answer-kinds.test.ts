import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { ANSWER_KINDS, countOfKind, kindsAsked } from '../../../src/score/relevance/answer-kinds.ts'

describe('what a query asks for is told by its question words, in the languages of its users', () => {
  it.each([
    ['how many calories does it have', ['askedNumbers']],
    ['What does a Level 2 charger cost?', ['askedNumbers', 'askedMoney']],
    ['Wann wurde die Brücke gebaut?', ['askedNumbers', 'askedTimes']],
    ['¿Cuántos años tenía?', ['askedNumbers']],
    ['谁写了这本书', ['askedNames']],
    ['¿Por qué se suspendió el partido?', ['askedReasons']],
    ['perché è nullo il preliminare', ['askedReasons']],
    ['which number do I call in Rheine', ['askedContacts']],
    ['Hvor mange sukkerknalder skal jeg bruge?', ['askedNumbers']],
    ['Mennyi tej kell hozzá?', ['askedNumbers']],
    ['Ile mąki potrzeba?', ['askedNumbers']],
    ['kolik stojí vstupenka', ['askedNumbers']],
    ['Πότε άνοιξε το μουσείο;', ['askedNumbers', 'askedTimes']],
    ['כמה סוכר צריך', ['askedNumbers']],
    ['neden gökyüzü mavi', ['askedReasons']],
    ['Vem skrev boken?', ['askedNames']],
    ['de onde vem o vento', []],
    ['количество белка в гречке', []],
    ['ימי הולדת לילדים', []],
    ['blue cheese dressing', []],
    ['Wie heißt der Fluss?', []],
  ])('%s', (query, kinds) => {
    expect(kindsAsked(query)).toEqual(kinds)
  })
})

describe('how much of a kind a text holds is counted as a reader would', () => {
  it.each([
    ['askedNumbers', 'It provides around 1,500 calories on 3 days', 3],
    ['askedMoney', 'from $1,053 to 1,147 dollars', 2],
    ['askedTimes', 'am 6. Dezember 2021 um 18:30', 3],
    ['askedTimes', 'The main mail room may open', 1],
    ['askedNames', 'Health secretary Lokesh Kumar met Ludwig van Beethoven', 2],
    ['askedContacts', 'Telefon 05971/938-4215 oder info@polizei.example', 2],
    ['askedReasons', 'weil es regnete und deshalb', 2],
  ] as const)('%s in "%s"', (kind, text, count) => {
    expect(countOfKind(kind, text)).toBe(count)
  })
})

test('any text has between none and a handful of each kind, and more text never has fewer', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (left, right) => {
      for (const kind of ANSWER_KINDS) {
        const count = countOfKind(kind, left)
        expect(count).toBeGreaterThanOrEqual(0)
        expect(countOfKind(kind, `${left}\n${right}`)).toBeGreaterThanOrEqual(count)
        expect(countOfKind(kind, `${left}\n${right}`)).toBeLessThanOrEqual(6)
      }
    }),
  )
})
