// Writes saved pages as the recipes that teach models read them, a JSON line a page.
// `tsx models/recipes/cut-pages.ts FOLDER OUT`: FOLDER holds ID.html, in UTF-8.
import { appendFileSync, readdirSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { cutSavedPage } from '../saved-page.ts'

const [folder = '', out = ''] = process.argv.slice(2)

writeFileSync(out, '')
for (const name of readdirSync(folder).filter((file) => file.endsWith('.html'))) {
  const { page, passages } = await cutSavedPage(join(folder, name))
  const line = {
    id: basename(name, '.html'),
    title: page.title,
    language: page.language,
    passages: passages.map(({ text, headings, contentWeight }) => ({ text, headings, contentWeight })),
  }
  appendFileSync(out, `${JSON.stringify(line)}\n`)
}
