import { expect, test } from 'vitest'
import { createClosers } from '../../src/compose/closers.ts'
import { createLogger } from '../../src/telemetry/log.ts'

test('of a part that could not be opened nothing is said when what was opened is closed', async () => {
  const lines: string[] = []
  const closed: string[] = []
  const closers = createClosers(createLogger('info', { write: (line) => lines.push(line) }))
  closers.addOpening('first', Promise.resolve({ close: async () => void closed.push('first') }))
  closers.addOpening('second', Promise.reject(new Error('it has no config.json')))
  closers.add('third', () => Promise.reject(new Error('it hangs')))
  await closers.closeAll()
  expect(closed).toEqual(['first'])
  expect(lines.map((line) => (JSON.parse(line) as { part: string }).part)).toEqual(['third'])
})
