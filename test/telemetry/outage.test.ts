import { expect, test } from 'vitest'
import { createOutage } from '../../src/telemetry/outage.ts'

test('of an outage the first failure is told, and its end; what works all the time is not worth a word', () => {
  const told: unknown[] = []
  const outage = createOutage({ begins: (error) => told.push(error), ends: () => told.push('works') })
  outage.works()
  for (const error of ['first', 'second']) outage.fails(error)
  expect(outage.isOut()).toBe(true)
  for (const _ of [1, 2]) outage.works()
  expect(outage.isOut()).toBe(false)
  outage.fails('third')
  expect(told).toEqual(['first', 'works', 'third'])
})
