import { expect, test } from 'vitest'
import { ENGINE_NAMES } from '../../../src/providers/registry.ts'
import { engineFixtureNames } from './engine-fixture.ts'
import { describeEngine } from './provider-contract.ts'

test('every engine of the table has its folder of fixtures, and every folder its engine', () => {
  expect(engineFixtureNames().toSorted()).toEqual(ENGINE_NAMES.toSorted())
})

for (const name of ENGINE_NAMES) describeEngine(name)
