// An answer with a passage of each kind, and what its check says.
import type { AnswerCheckResponse } from '../../../src/contract/answer-check.ts'

const QUOTES = {
  exact: 'A revoked key stops working within a second.',
  altered: 'Keys end after thirty days.',
  absent: 'Keys are free.',
}

/** In place of the altered one: signs that no word holds are the page's, too. */
export const ON_THE_PAGE = 'Keys end after (−90) days.'

export const CHECKED_TEXT = `The docs say:\n“${QUOTES.exact}” [1]\nand “${QUOTES.altered}”, and “${QUOTES.absent}”`

export const CHECKED_SOURCES = ['https://docs.example/keys', 'https://docs.example/limits']

const claimOf = (match: keyof typeof QUOTES): AnswerCheckResponse['claims'][number] => {
  const text = QUOTES[match]
  const start = CHECKED_TEXT.indexOf(text)
  return {
    kind: 'quotation',
    start,
    end: start + text.length,
    text,
    cited: [0],
    match,
    source: match === 'absent' ? null : 1,
    wrong_source: match === 'exact',
    place:
      match === 'absent'
        ? null
        : {
            start: 7,
            end: 40,
            text: match === 'altered' ? ON_THE_PAGE : text,
            text_fragment_url: `${CHECKED_SOURCES[1]}#:~:text=${match}`,
          },
    diff:
      match === 'altered'
        ? [
            { op: 'same', text: 'Keys end after' },
            { op: 'page', text: '90' },
            { op: 'quote', text: 'thirty' },
            { op: 'same', text: 'days.' },
          ]
        : [],
    nearest: null,
  }
}

export const CHECKED: AnswerCheckResponse = {
  sources: [
    { url: CHECKED_SOURCES[0] ?? '', content_sha256: null, fetched_at: null, warning: 'The page is gone.' },
    {
      url: CHECKED_SOURCES[1] ?? '',
      content_sha256: 'a'.repeat(64),
      fetched_at: '2026-11-22T10:00:00Z',
      warning: null,
    },
  ],
  claims: [claimOf('exact'), claimOf('altered'), claimOf('absent')],
}
