import { join } from 'node:path'
import { expect, test } from 'vitest'
import { PACKAGE_ROOT } from '../../../src/config.ts'
import { readDocumentation } from '../../../src/dashboard/docs/docs-folder.ts'
import { examplesFor } from '../../../src/dashboard/playground/examples.ts'

const documentation = await readDocumentation(join(PACKAGE_ROOT, 'docs'))

test('while the library holds this documentation alone, questions that it answers are offered in place of its titles', () => {
  const titles = documentation.slice(0, 4).map(({ title }) => title)
  const examples = examplesFor(titles, documentation)
  expect(examples).toHaveLength(4)
  expect(examples[0]).toBe('How do I revoke an API key?')
  expect(examples.filter((example) => !example.endsWith('?'))).toEqual([])
})

test('the titles of somebody’s own pages are offered as they are', () => {
  expect(examplesFor(['Travel policy', 'API keys'], documentation)).toEqual(['Travel policy', 'API keys'])
})
