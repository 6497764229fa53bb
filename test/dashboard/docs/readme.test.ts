import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const read = (path: string): string => readFileSync(join(import.meta.dirname, '..', '..', '..', path), 'utf8')

test('the passage that the README promises for its first question stands so in the documentation that is searched', () => {
  const [, quoted = ''] = /^\s+"text": (".*"),$/mu.exec(read('README.md')) ?? []
  const [heading = '', body = ''] = (JSON.parse(quoted) as string).split('\n\n')
  const plain = read('docs/api-keys.md').replaceAll('`', '').replaceAll('**', '')
  const [, section = ''] = plain.split(`\n## ${heading}\n`)
  expect(section.replace(/^\s*<!--.*-->\s*/u, '').startsWith(body)).toBe(true)
})
