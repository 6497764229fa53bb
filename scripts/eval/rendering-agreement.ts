// Over saved real pages: do plain HTML and browser agree, and does the browser's own find find what we answer?
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { measureAgreement } from '../../test/support/rendering-agreement.ts'

const SNIPPETS_PER_PAGE = 8

/** Prints the shares over `count` pages, evenly spread, of a folder of HTML files, and what is missing of each. */
export async function evaluateRenderingAgreement(folder: string, count = 40): Promise<void> {
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
  const sum = (key: 'staticPassages' | 'staticShown' | 'snippets' | 'snippetsFound') =>
    agreements.reduce((total, agreement) => total + agreement[key], 0)
  console.log(`${agreements.length} pages`)
  console.log(
    `passages of plain HTML shown by the browser: ${sum('staticShown')} of ${sum('staticPassages')}`,
  )
  console.log(`snippets found by the browser's find: ${sum('snippetsFound')} of ${sum('snippets')}`)
}
