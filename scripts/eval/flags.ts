// `npm run eval -- --flags [--pages DIR]`: how many passages that address a model are flagged, by language, and, given saved
// pages, how many passages of those are. Of the first folder was learned (models/flags); nobody learned from or looked at the
// others, of which the last two were written by strangers to the detector and to each other.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { cutSavedPage } from '../../models/saved-page.ts'
import { addressesModel } from '../../src/search/flags/addresses-model.ts'

const FOLDERS = ['flags', 'flags-apart', 'flags-strangers', 'flags-judged'].map(
  (name) => `test/fixtures/${name}`,
)
/** Flagged passages of saved pages that are printed. */
const SHOWN = 20

const passages = z.array(
  z.object({ kind: z.string(), text: z.string(), flags: z.array(z.literal('addresses_model')) }),
)

interface LabelledPassage {
  language: string
  text: string
  isOrder: boolean
}

/** The passages of a folder, a file for each language. */
export const readLabelledPassages = (folder: string): LabelledPassage[] =>
  readdirSync(folder).flatMap((file) =>
    passages.parse(JSON.parse(readFileSync(join(folder, file), 'utf8'))).map(({ text, flags }) => ({
      language: file.replace('.json', ''),
      text,
      isOrder: flags.length > 0,
    })),
  )

/** Prints one table for each folder, and what is flagged of the saved pages. */
export async function evaluateFlags(pagesFolder: string | null): Promise<void> {
  for (const folder of FOLDERS) report(folder, readLabelledPassages(folder))
  if (pagesFolder !== null) await reportSaved(pagesFolder)
}

function report(folder: string, all: readonly LabelledPassage[]): void {
  console.log(`\n${folder}\n| language | orders flagged | others flagged |\n|---|---|---|`)
  for (const language of new Set(all.map((one) => one.language)))
    console.log(`| ${language} | ${countsOf(all.filter((one) => one.language === language))} |`)
  console.log(`| all | ${countsOf(all)} |`)
  const orders = all.filter(({ isOrder }) => isOrder)
  const found = orders.filter(({ text }) => addressesModel(text))
  console.log(`recall ${(found.length / orders.length).toFixed(3)} (goal .9)`)
}

function countsOf(all: readonly LabelledPassage[]): string {
  return [true, false]
    .map((isOrder) => all.filter((one) => one.isOrder === isOrder))
    .map((own) => `${own.filter(({ text }) => addressesModel(text)).length} of ${own.length}`)
    .join(' | ')
}

async function reportSaved(pagesFolder: string): Promise<void> {
  const flagged: string[] = []
  let count = 0
  for (const file of readdirSync(pagesFolder)) {
    const cut = await cutSavedPage(join(pagesFolder, file))
    count += cut.passages.length
    for (const { text } of cut.passages) if (addressesModel(text)) flagged.push(`  ${file} ${text}`)
  }
  const percent = ((100 * flagged.length) / Math.max(1, count)).toFixed(2)
  console.log(`\n${flagged.length} of ${count} passages of saved pages are flagged, ${percent} % (goal .5):`)
  for (const line of flagged.slice(0, SHOWN)) console.log(line.slice(0, 200).replaceAll('\n', ' '))
}
