// CSV and tab-separated values to text: a line for each record, its fields parted by tabs.
import { CsvError, parse } from 'csv-parse/sync'
import type { TextInput } from '../page-input.ts'
import { documentPage, noDocument } from './document-page.ts'
import { createDocumentWriter } from './document-writer.ts'

const DAMAGED = 'The table is damaged and could not be read.'
const CHARACTERS_MAX = 1_000_000
/** Of a record over several lines: what is longer begins with a quote that nothing closes. */
const RECORD_CHARACTERS_MAX = 100_000
const DELIMITERS = [',', ';', '\t', '|']
/** How Excel is told it: a first line that is no record. */
const NAMED_DELIMITER = /^\uFEFF?sep=(.)\r?\n/iu
/** What the delimiter is told by otherwise. */
const SAMPLE = { lines: 20, characters: 20_000 } as const
const FACTS = { title: null, created: null, modified: null, language: '' }

/** @throws {UnreadableError} for what is no table, and when there is no text. */
export function readCsv(input: TextInput) {
  const isLong = input.content.length > CHARACTERS_MAX
  const text = isLong
    ? input.content.slice(0, input.content.lastIndexOf('\n', CHARACTERS_MAX))
    : input.content
  const writer = createDocumentWriter()
  for (const [index, record] of recordsOf(text, isLong).entries()) writer.row(record, index === 0)
  const written = writer.finish()
  const page = documentPage(written, { ...FACTS, title: fileName(input.url) }, input)
  return { ...page, isCut: written.isCut || isLong }
}

/** `isCut`: the text may end within quotes, and the record there is left out. */
function recordsOf(text: string, isCut: boolean): string[][] {
  const named = NAMED_DELIMITER.exec(text)
  return recordsIn(text.slice(named?.[0].length ?? 0), named?.[1] ?? delimiterOf(text), isCut)
}

function recordsIn(text: string, delimiter: string, isCut: boolean): string[][] {
  const { records, rest, error } = quotedRecords(text, delimiter)
  if (error === null || (isCut && records.length > 0 && isQuoteOpen(error))) return records
  // A quote that nothing closes is a sign like any other, or half of the table would be one field.
  try {
    return [...records, ...plainRecords(rest, delimiter)]
  } catch (cause) {
    throw noDocument(DAMAGED, cause)
  }
}

const RULES = { bom: true, relax_column_count: true, skip_empty_lines: true } as const

interface QuotedRecords {
  records: string[][]
  /** What could not be read by the rules of quotes, and why; '' and null when all could. */
  rest: string
  error: CsvError | null
}

function quotedRecords(text: string, delimiter: string): QuotedRecords {
  const records: string[][] = []
  let bytes = 0
  try {
    parse(text, {
      ...RULES,
      delimiter,
      relax_quotes: true,
      max_record_size: Math.max(RECORD_CHARACTERS_MAX, longestLine(text)),
      on_record: (record: string[], context) => {
        records.push(record)
        bytes = context.bytes
      },
    })
    return { records, rest: '', error: null }
  } catch (error) {
    if (!(error instanceof CsvError)) throw noDocument(DAMAGED, error)
    return { records, rest: Buffer.from(text).subarray(bytes).toString(), error }
  }
}

const plainRecords = (text: string, delimiter: string): string[][] =>
  parse(text, { ...RULES, delimiter, quote: false })

/** A line may be as long as it likes: the outline of a country, a picture in base64. */
function longestLine(text: string): number {
  let longest = 0
  for (let at = 0; at < text.length;) {
    const end = text.indexOf('\n', at)
    const next = end === -1 ? text.length : end + 1
    longest = Math.max(longest, next - at)
    at = next
  }
  return longest
}

const isQuoteOpen = ({ code }: CsvError): boolean => code === 'CSV_QUOTE_NOT_CLOSED'

/** The sign that stands equally often, and most often, in the first lines. */
function delimiterOf(text: string): string {
  const unquoted = text.slice(0, SAMPLE.characters).replace(/"[^"]*"/gu, '')
  const lines = unquoted.split(/\r?\n|\r/u, SAMPLE.lines).filter((line) => line.trim() !== '')
  const counts = DELIMITERS.map((sign) => {
    const perLine = lines.map((line) => line.split(sign).length - 1)
    const least = Math.min(...perLine)
    return { sign, count: least > 0 ? least : Math.max(...perLine) / 1_000 }
  })
  return counts.reduce((best, next) => (next.count > best.count ? next : best)).sign
}

/** Nothing in it says what it is about but the name of the file. */
function fileName(url: string): string | null {
  const name = URL.canParse(url) ? (new URL(url).pathname.split('/').at(-1) ?? '') : ''
  return name === '' ? null : decodeName(name)
}

function decodeName(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch (error) {
    if (error instanceof URIError) return name
    throw error
  }
}
