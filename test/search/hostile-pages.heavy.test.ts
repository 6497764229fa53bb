import { expect, test } from 'vitest'
import { faultOf } from '../../scripts/eval/hostile.ts'
import { readHostilePages, readServed } from '../../scripts/eval/hostile-pages.ts'

test('walls and broken pages give no passages and their own code, what only looks like them is read', async () => {
  const read = await readServed(readHostilePages('test/fixtures/hostile'))
  expect(read.length).toBeGreaterThan(150)
  const faults = read.map((one) => ({ name: one.page.name, fault: faultOf(one) }))
  expect(faults.filter(({ fault }) => fault !== null)).toEqual([])
})

test('of pages that stand apart nineteen in twenty are told for what they are, and no real one is lost', async () => {
  const read = await readServed(readHostilePages('test/fixtures/hostile-apart'))
  const walls = read.filter(({ page }) => page.warning_code !== null)
  expect(walls.filter((one) => faultOf(one) === null).length / walls.length).toBeGreaterThanOrEqual(0.95)
  expect(read.filter((one) => one.page.warning_code === null && faultOf(one) !== null)).toEqual([])
})
