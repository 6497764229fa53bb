// The table of docs/providers.md, and the variables in docs/configuration.md, against what the engines declare.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { withEngineTable, withEngineVariables } from '../../scripts/openapi/engine-table.ts'
import { ENGINE_NAMES } from '../../src/providers/registry.ts'

const page = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'providers.md'), 'utf8')

test('the table says of every engine what the engine declares, in the order in which auto asks them', async () => {
  expect(await withEngineTable(page)).toBe(page)
  const names = [...page.matchAll(/^\| `(\w+)` \|/gmu)].map(([, name]) => name)
  expect(names).toEqual([...ENGINE_NAMES, 'library'])
})

test('a page that has lost its table is refused, not left as it is', async () => {
  await expect(withEngineTable('# Search engines')).rejects.toThrow('lost its table')
  expect(() => withEngineVariables('# Configuration')).toThrow('lost its row')
})
