import { expect, test } from 'vitest'
import { groupByRemedy, type ServicePart } from '../../src/telemetry/service-status.ts'

const part = (name: string, remedy: string | null): ServicePart => ({
  kind: 'model',
  name,
  state: remedy === null ? 'ready' : 'limited',
  detail: '',
  remedy,
})

test('what one remedy mends stands together and tells it once; what needs none stays for itself', () => {
  const parts = [part('a', null), part('b', 'fetch'), part('c', null), part('d', 'fetch'), part('e', 'other')]
  const told = groupByRemedy(parts).map((group) => [
    group.remedy,
    group.parts.map(({ name }) => name).join(''),
  ])
  expect(told).toEqual([
    [null, 'a'],
    ['fetch', 'bd'],
    [null, 'c'],
    ['other', 'e'],
  ])
})
