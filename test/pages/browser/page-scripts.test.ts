// How a script for a page is made of functions.
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { namesInPage, sourceOf } from '../../../src/pages/browser/page-scripts.ts'

it('functions are found in the page by our names, whatever a bundler has called them', () => {
  const functions = {
    double: function double2(value: number): number {
      return 2 * value
    },
    escapeText: function escapeText(text: string): string {
      return `<${text}>`
    },
  }
  const page = namesInPage(functions)
  const script = sourceOf(Object.values(functions), `[${page}.double(4), ${page}.escapeText('a')].join()`)
  expect(runInNewContext(script)).toBe('8,<a>')
})
