import { expect, test } from 'vitest'
import { faultOf } from '../../scripts/eval/hostile.ts'
import { readHostilePages, readServed } from '../../scripts/eval/hostile-pages.ts'
import { describeInBrowser } from '../support/describe-in-browser.ts'

describeInBrowser('pages that Chromium must open', () => {
  test('frames, shadow trees, endless lists and passing challenges are read; walls that scripts draw are told for what they are', async () => {
    const read = await readServed(readHostilePages('test/fixtures/hostile-rendered'))
    expect(read.length).toBeGreaterThan(12)
    const faults = read.map((one) => ({ name: one.page.name, fault: faultOf(one) }))
    expect(faults.filter(({ fault }) => fault !== null)).toEqual([])
  })
})
