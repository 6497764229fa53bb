// Over saved real pages: do plain HTML and browser agree, and does the browser's own find find what we answer?
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { measureAgreement, type PageAgreement } from '../../test/support/rendering-agreement.ts'

const SNIPPETS_PER_PAGE = 8

/** Prints the shares over `count` pages, evenly spread, of a folder's `html/ID.html`, and what is missing of each. */
export async function evaluateRenderingAgreement(pagesFolder: string, count = 40): Promise<void> {
  const folder = join(pagesFolder, 'html')
  const names = (await readdir(folder)).filter((name) => name.endsWith('.html')).toSorted()
  const step = Math.max(1, names.length / count)
  const chosen = names.filter((_name, index) => Math.floor(index / step) > Math.floor((index - 1) / step))
  const pages = new Map(
    await Promise.all(
      chosen.map(async (name) => [name, await readFile(join(folder, name), 'utf8')] as const),
    ),
  )
  const agreements = await measureAgreement(pages, SNIPPETS_PER_PAGE)
  for (const { name, missing } of agreements) {
    for (const text of missing) console.log(`${name}  ${text.slice(0, 160).replace(/\s+/gu, ' ')}`)
  }
  const sum = (key: Exclude<keyof PageAgreement, 'name' | 'missing'>) =>
    agreements.reduce((total, agreement) => total + agreement[key], 0)
  const inBoth = sum('staticPassages') - sum('staticHidden') - sum('staticGone')
  console.log(`${agreements.length} pages`)
  console.log(
    `passages of plain HTML: ${sum('staticPassages')}; hidden by style in the browser ${sum('staticHidden')}, changed by script ${sum('staticGone')}`,
  )
  console.log(`the others, word for word in the browser's innerText: ${sum('staticShown')} of ${inBoth}`)
  const lasting = sum('snippets') - sum('snippetsGone')
  console.log(
    `snippets found by the browser's find: ${sum('snippetsFound')} of ${lasting}; ${sum('snippetsGone')} more were gone when the page was opened again`,
  )
}
