import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createKeptOrder } from '../../../src/search/quotes/kept-order.ts'

const sentence = (number: number): string =>
  `This is the sentence of number ${'abcdefghijklmnopqrst'[number] ?? ''}`
const textOf = (numbers: readonly number[]): string =>
  numbers.map((number) => `${sentence(number)}.`).join('\n')
const spanOf = (text: string, number: number) => {
  const start = text.indexOf(sentence(number))
  return { start, end: start + sentence(number).length }
}

test('of sentences one of which was carried elsewhere, that one alone has left its place', () => {
  const order = fc.uniqueArray(fc.nat(19), { minLength: 4 })
  fc.assert(
    fc.property(order, fc.nat(), fc.nat(), (numbers, fromDrawn, toDrawn) => {
      const from = fromDrawn % numbers.length
      const rest = numbers.toSpliced(from, 1)
      const to = toDrawn % numbers.length
      fc.pre(Math.abs(to - from) >= 2)
      const moved = numbers[from] ?? 0
      const [before, now] = [textOf(numbers), textOf(rest.toSpliced(to, 0, moved))]
      const isInOrder = createKeptOrder(before, now)
      for (const number of numbers)
        expect(isInOrder(spanOf(before, number), spanOf(now, number))).toBe(number !== moved)
    }),
    { numRuns: 300 },
  )
})

test('nothing is said of a page of which nothing is left, nor of sentences that stand there twice', () => {
  const [before, now] = [textOf([1, 2, 3]), textOf([4, 5, 6])]
  expect(createKeptOrder(before, now)(spanOf(before, 2), spanOf(now, 5))).toBeNull()
  const twice = textOf([1, 1, 2, 3, 3])
  expect(createKeptOrder(twice, twice)(spanOf(twice, 2), spanOf(twice, 2))).toBeNull()
})
