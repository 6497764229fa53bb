import { decodeHTML } from 'entities'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  colouredCode,
  languageOfFence,
  type CodeLanguage,
} from '../../../src/dashboard/code/coloured-code.ts'

const LANGUAGES: readonly CodeLanguage[] = ['bash', 'json', 'python', 'typescript', 'yaml']
const textOf = (html: string): string => decodeHTML(html.replace(/<\/?span[^<>]*>/gu, ''))

test.each([
  ['bash', "curl 'http://x' # all", '<span class="hljs-comment"># all</span>'],
  ['json', '{"rank": 1}', '<span class="hljs-attr">&quot;rank&quot;</span>'],
  ['python', 'import json', '<span class="hljs-keyword">import</span>'],
  ['typescript', "const a = 'b'", '<span class="hljs-string">&#x27;b&#x27;</span>'],
  ['yaml', 'search: true', '<span class="hljs-literal">true</span>'],
] as const)('strings, words, names and comments of %s stand apart', (language, code, span) => {
  expect(colouredCode(code, language)).toContain(span)
})

test('whatever the code is, its text stays what it is and nothing in it becomes markup', () => {
  const pieces = fc.constantFrom(
    '<script>',
    '</span>',
    '&amp;',
    '"',
    "'",
    '\\',
    '\n',
    '${',
    '#',
    '/*',
    '{',
    'def ',
  )
  const code = fc.array(fc.oneof(pieces, fc.string())).map((parts) => parts.join(''))
  fc.assert(
    fc.property(code, fc.constantFrom(...LANGUAGES), (text, language) => {
      const html = colouredCode(text, language)
      expect(html.replace(/<span class="[\w -]+">|<\/span>/gu, '')).not.toMatch(/[<>]/u)
      expect(textOf(html)).toBe(text)
    }),
  )
})

test('a fence in another language, or without a name, is left as it is', () => {
  expect([undefined, '', 'mermaid'].map(languageOfFence)).toEqual([null, null, null])
  expect(languageOfFence('ts')).toBe('typescript')
})
