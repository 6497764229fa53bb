import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openSession } from '../../../../src/score/models/network/session.ts'

const FIXTURE = join(import.meta.dirname, '..', '..', '..', 'fixtures', 'score', 'eight-bit-sums')

test('8-bit weights give the same sums on every processor, with VNNI or without', async () => {
  const session = await openSession(join(FIXTURE, 'model.onnx'), 'cpu', ['last_hidden_state'])
  const ids = [255, 255, 255, 255]
  const { data } = await session.run({ rows: [{ ids, secondStart: ids.length }], width: ids.length })
  expect([...data]).toEqual(Array(8).fill(4 * 255 * 127))
})
