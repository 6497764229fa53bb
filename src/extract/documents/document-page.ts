// A written document as a page: with its title, dates and language.
import { parseStamp } from '../dates/parse-date.ts'
import { datesFromHeader } from '../dates/choose-dates.ts'
import { UnreadableError, type FoundDate, type PageText } from '../document.ts'
import { detectLanguage } from '../language.ts'
import type { PageOrigin } from '../page-input.ts'
import type { WrittenDocument } from './document-writer.ts'

/** What a file says of itself. */
export interface DocumentFacts {
  title: string | null
  /** As written, to be read like any machine's date. */
  created: string | null
  modified: string | null
  language: string
}

const TITLE_CHARACTERS_MAX = 300
/** Titles that the writing program made up. */
const NO_TITLE = /^(?:untitled|powerpoint presentation|presentation|document|slide)\s?\d*$/iu
const EMPTY = 'The document holds no text.'

/** @throws {UnreadableError} `empty` when the document says nothing. */
export function documentPage(written: WrittenDocument, facts: DocumentFacts, input: PageOrigin): PageText {
  const { text, blocks, places, isCut } = written
  if (blocks.length === 0) throw new UnreadableError('empty', EMPTY)
  const publishDate = dateOf(facts.created, input)
  return {
    title: titleOf(facts.title, written),
    text,
    blocks,
    isCut,
    ...(places.length === 0 ? {} : { places }),
    publishDate,
    lastUpdated: dateOf(facts.modified, input) ?? datesFromHeader(input).lastUpdated,
    language: detectLanguage({ attribute: facts.language, header: input.contentLanguage, text, blocks }),
  }
}

export const noDocument = (message: string, cause?: unknown): UnreadableError =>
  new UnreadableError('damaged', message, cause)

function titleOf(declared: string | null, { text, blocks }: WrittenDocument): string | null {
  const title = (declared ?? '').replace(/\s+/gu, ' ').trim()
  if (title.length > 2 && !NO_TITLE.test(title)) return title.slice(0, TITLE_CHARACTERS_MAX)
  const first = blocks.find(({ kind }) => kind === 'heading') ?? blocks[0]
  if (first === undefined) return null
  return text.slice(first.start, first.end).replace(/\s+/gu, ' ').slice(0, TITLE_CHARACTERS_MAX)
}

function dateOf(stamp: string | null, { now }: PageOrigin): FoundDate | null {
  const date = stamp === null ? null : parseStamp(stamp, { now, firstNumber: 'month' })
  return date === null ? null : { iso: date.iso, source: 'document' }
}
