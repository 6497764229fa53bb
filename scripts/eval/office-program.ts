// LibreOffice as a maker of files: `apt-get install --no-install-recommends libreoffice-writer-nogui libreoffice-calc-nogui
// libreoffice-impress-nogui`.
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { DocumentSource } from './document-sources.ts'

const run = promisify(execFile)

export type DocumentFormat = keyof typeof FORMATS

export interface MadeDocument {
  source: DocumentSource
  format: DocumentFormat
  bytes: Uint8Array
}

const FORMATS = {
  docx: { kind: 'text', filter: 'docx' },
  odt: { kind: 'text', filter: 'odt' },
  epub: { kind: 'text', filter: 'epub' },
  xlsx: { kind: 'sheet', filter: 'xlsx' },
  ods: { kind: 'sheet', filter: 'ods' },
  // Comma, quotation mark, UTF-8 (76), as LibreOffice numbers them.
  csv: { kind: 'sheet', filter: 'csv:Text - txt - csv (StarCalc):44,34,76' },
  pptx: { kind: 'slides', filter: 'pptx' },
  odp: { kind: 'slides', filter: 'odp' },
} as const satisfies Readonly<Record<string, { kind: DocumentSource['kind']; filter: string }>>

const ENDINGS: Readonly<Record<DocumentSource['kind'], string>> = {
  text: 'fodt',
  sheet: 'fods',
  slides: 'fodp',
}
const TIME_MAX_MS = 600_000

/**
 * Every source in every format of its kind: nine written documents, seven workbooks and six presentations are sixty files.
 * @throws when LibreOffice is not installed, or makes no file of a source.
 */
export async function makeDocuments(sources: readonly DocumentSource[]): Promise<MadeDocument[]> {
  const folder = mkdtempSync(join(tmpdir(), 'verbatim-documents-'))
  try {
    for (const { name, kind, xml } of sources) writeFileSync(join(folder, `${name}.${ENDINGS[kind]}`), xml)
    const made: MadeDocument[] = []
    for (const format of Object.keys(FORMATS) as DocumentFormat[])
      made.push(...(await convert(folder, format, sources)))
    return made
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function convert(
  folder: string,
  format: DocumentFormat,
  sources: readonly DocumentSource[],
): Promise<MadeDocument[]> {
  const { kind, filter } = FORMATS[format]
  const own = sources.filter((source) => source.kind === kind)
  const out = join(folder, format)
  mkdirSync(out)
  const profile = `-env:UserInstallation=file://${join(folder, 'profile')}`
  const files = own.map(({ name }) => join(folder, `${name}.${ENDINGS[kind]}`))
  await run('soffice', [profile, '--headless', '--convert-to', filter, '--outdir', out, ...files], {
    timeout: TIME_MAX_MS,
  })
  return own.map((source) => ({ source, format, bytes: readFileSync(join(out, `${source.name}.${format}`)) }))
}
