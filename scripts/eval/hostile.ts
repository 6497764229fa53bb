// `npm run eval -- --hostile [--pages DIR]`: whether walls are told for what they are, real contents are read, and, given
// saved pages, how many of those are taken for walls.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { recogniseObstacle } from '../../src/extract/obstacles/recognise-obstacle.ts'
import { readTruth } from './extraction-scorer.ts'
import { readHostilePages, readServed, type ReadHostilePage } from './hostile-pages.ts'
import { readHtmlPage } from './read-html-page.ts'

const FOLDERS = ['hostile', 'hostile-apart', 'hostile-rendered'].map((name) => `test/fixtures/${name}`)

/** What was expected of a page and did not come true; null when all did. */
export function faultOf({ page, found, texts }: ReadHostilePage): string | null {
  const { warning_code: code, readable, absent } = page
  if (found !== code) return `is ${found ?? 'read'}, not ${code ?? 'read'}`
  if (code !== null && code !== 'paywall' && texts.length > 0) return 'gives passages'
  if (readable !== undefined && !texts.some((text) => text.includes(readable))) return 'loses its text'
  return absent !== undefined && texts.some((text) => text.includes(absent)) ? 'shows hidden text' : null
}

/** Prints one table for each folder, every page that is taken for another, and what is said of the saved pages. */
export async function evaluateHostile(pagesFolder: string | null): Promise<void> {
  for (const folder of FOLDERS) report(folder, await readServed(readHostilePages(folder)))
  if (pagesFolder !== null) await reportSaved(pagesFolder)
}

function report(folder: string, read: readonly ReadHostilePage[]): void {
  const codes = [...new Set(read.map(({ page }) => page.warning_code))].toSorted()
  console.log(`\n${folder}\n| page | pages | told right |\n|---|---|---|`)
  for (const code of codes) {
    const own = read.filter(({ page }) => page.warning_code === code)
    console.log(`| ${code ?? 'real contents'} | ${own.length} | ${own.filter(isRight).length} |`)
  }
  const walls = read.filter(({ page }) => page.warning_code !== null)
  const recall = walls.filter(isRight).length / walls.length
  console.log(`recall of walls ${recall.toFixed(3)} (goal .95)`)
  for (const one of read.filter((each) => !isRight(each))) console.log(`  ${one.page.name} ${faultOf(one)}`)
}

const isRight = (read: ReadHostilePage): boolean => faultOf(read) === null

async function reportSaved(pagesFolder: string): Promise<void> {
  const pages = readTruth(pagesFolder)
  let looks = 0
  const found: string[] = []
  for (const { id, url } of pages) {
    const html = readFileSync(join(pagesFolder, 'html', `${id}.html`), 'utf8')
    const page = await readHtmlPage(html, url)
    const startedAt = performance.now()
    const obstacle = recogniseObstacle(page, { mediaType: 'text/html', html })
    looks += performance.now() - startedAt
    if (obstacle !== null) found.push(`  ${id} ${obstacle} ${JSON.stringify(page.title)}`)
  }
  const perPage = (looks / pages.length).toFixed(2)
  console.log(`\n${found.length} of ${pages.length} saved pages get a warning, ${perPage} ms a page:`)
  for (const line of found) console.log(line)
}
