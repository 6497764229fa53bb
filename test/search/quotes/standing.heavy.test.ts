import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { plantEdits } from '../../../scripts/eval/planted-edits.ts'
import { tallyEdits } from '../../../scripts/eval/proof.ts'
import { createRandom } from '../../../scripts/eval/quote-mutations.ts'
import { readHtml } from '../../../scripts/eval/verification.ts'
import { renderMarkdown } from '../../../src/dashboard/docs/markdown.ts'

/** `npm run eval -- --proof` plants two thousand in saved pages. */
const EDITS = 120

test('of edits planted in the HTML of our documentation .98 are told for what they are, read anew', async () => {
  const names = readdirSync('docs').filter((name) => name.endsWith('.md'))
  const pages = await Promise.all(
    names.map(async (name) => {
      const html = `<!doctype html><html lang="en"><body><main>${renderMarkdown(readFileSync(`docs/${name}`, 'utf8'))}</main></body></html>`
      return Object.assign(await readHtml(html), { html })
    }),
  )
  const planted = plantEdits(pages, EDITS, createRandom(7))
  expect(planted).toHaveLength(EDITS)
  const wrong: string[] = []
  await tallyEdits(pages, planted, ({ kind, standing, quote }, told) =>
    wrong.push(`${standing}: ${kind}, told ${told}: ${quote}`),
  )
  expect(wrong.slice(Math.floor(EDITS * 0.02))).toEqual([])
})
