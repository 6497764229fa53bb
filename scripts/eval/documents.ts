// `npm run eval -- --documents [--write DIR]`: how well files made by LibreOffice are read, and what is said of broken ones.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { breakDocuments, faultOfBroken, type BrokenDocument } from './broken-documents.ts'
import { documentSources } from './document-sources.ts'
import { readServed } from './hostile-pages.ts'
import { compareTexts, readMade, truthOf, type TextFigures } from './made-documents.ts'
import { makeDocuments, type MadeDocument } from './office-program.ts'
import { createRandom } from './quote-mutations.ts'

const BROKEN = 200
const SEED = 20_261_123

/** Prints text and order by format, every file below the goals, and what broken files are told as. */
export async function evaluateDocuments(writeTo: string | null): Promise<void> {
  const made = await makeDocuments(documentSources('docs'))
  if (writeTo !== null) writeFiles(writeTo, made)
  const byFormat = new Map<string, TextFigures[]>()
  for (const one of made) {
    const figures = compareTexts(truthOf(one), await readMade(one))
    byFormat.set(one.format, [...(byFormat.get(one.format) ?? []), figures])
    if (figures.f1 < 0.95 || figures.order < 0.98)
      console.log(`${one.source.name}.${one.format} ${shown(figures)}`)
  }
  console.log('| format | files | text F1 | order |\n|---|---|---|---|')
  for (const [format, figures] of byFormat)
    console.log(`| ${format} | ${figures.length} | ${shown(meanOf(figures))} |`)
  const all = meanOf([...byFormat.values()].flat())
  console.log(
    `${made.length} files: text F1 ${all.f1.toFixed(4)} (goal .95), order ${all.order.toFixed(4)} (goal .98)`,
  )
  await reportBroken(await breakDocuments(made, BROKEN, createRandom(SEED)))
}

const shown = ({ f1, order }: TextFigures): string => `${f1.toFixed(3)} | ${order.toFixed(3)}`

const meanOf = (figures: readonly TextFigures[]): TextFigures => ({
  f1: figures.reduce((sum, { f1 }) => sum + f1, 0) / figures.length,
  order: figures.reduce((sum, { order }) => sum + order, 0) / figures.length,
})

function writeFiles(folder: string, made: readonly MadeDocument[]): void {
  mkdirSync(folder, { recursive: true })
  for (const { source, format, bytes } of made) writeFileSync(join(folder, `${source.name}.${format}`), bytes)
}

async function reportBroken(broken: readonly BrokenDocument[]): Promise<void> {
  const read = await readServed(broken)
  const kinds = new Map<string, { files: number; codes: Map<string, number>; faults: string[] }>()
  for (const [at, one] of read.entries()) {
    const document = broken[at]
    if (document === undefined) continue
    const tally = kinds.get(document.kind) ?? { files: 0, codes: new Map<string, number>(), faults: [] }
    kinds.set(document.kind, tally)
    const code = one.code ?? 'read whole'
    tally.files += 1
    tally.codes.set(code, (tally.codes.get(code) ?? 0) + 1)
    const fault = faultOfBroken(document, one)
    if (fault !== null) tally.faults.push(`  ${document.name} ${fault}`)
  }
  console.log('\n| broken | files | told as | faults |\n|---|---|---|---|')
  for (const [kind, { files, codes, faults }] of kinds) {
    const told = [...codes].map(([code, count]) => `${code} ${count}`).join(', ')
    console.log(`| ${kind} | ${files} | ${told} | ${faults.length} |`)
  }
  const faults = [...kinds.values()].flatMap((kind) => kind.faults)
  console.log(`${faults.length} of ${read.length} broken files are not told\n${faults.join('\n')}`)
}
