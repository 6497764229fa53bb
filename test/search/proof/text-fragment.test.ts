import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createTextFragmentLinks } from '../../../src/search/proof/text-fragment.ts'

/** The link to `passage` where it stands for the `nth` time in `text`. */
function link(text: string, passage: string, { url = 'https://example.com/', nth = 1 } = {}): string | null {
  let start = -1
  for (let round = 0; round < nth; round += 1) start = text.indexOf(passage, start + 1)
  return createTextFragmentLinks(url, text)({ start, end: start + passage.length })
}
const directive = (url: string | null): string => url?.split(':~:text=')[1] ?? ''

/** What a browser does with a directive: the first place that fits, piece by piece, whole words without case. */
function find(text: string, url: string | null): { start: number; end: number } | null {
  const pieces = directive(url).split(',')
  const decoded = (piece: string): string => decodeURIComponent(piece.replace(/^-|-$/gu, ''))
  const prefix = pieces[0]?.endsWith('-') === true ? decoded(pieces.shift() ?? '') : null
  const suffix = pieces.at(-1)?.startsWith('-') === true ? decoded(pieces.pop() ?? '') : null
  const [first = '', last = null] = pieces.map(decoded)
  const pattern = (term: string): string =>
    term.replace(/[\\^$.*+?()[\]{}|/]/gu, String.raw`\$&`).replace(/\s+/gu, String.raw`\s+`)
  const whole = [
    prefix === null ? '' : String.raw`(?<!\w)${pattern(prefix)}\s*`,
    String.raw`(?<found>(?<!\w)${pattern(first)}(?!\w)`,
    last === null ? '' : String.raw`[\s\S]*?(?<!\w)${pattern(last)}(?!\w)`,
    ')',
    suffix === null ? '' : String.raw`\s*${pattern(suffix)}(?!\w)`,
  ].join('')
  const found = new RegExp(whole, 'diu').exec(text)?.indices?.groups?.['found']
  return found === undefined ? null : { start: found[0], end: found[1] }
}

describe('a text fragment link', () => {
  test('quotes a short passage whole', () => {
    expect(link('Keys are shown once.', 'Keys are shown once.', { url: 'https://example.com/a?b=1' })).toBe(
      'https://example.com/a?b=1#:~:text=Keys%20are%20shown%20once.',
    )
  })

  test('quotes a long passage by its first and last words', () => {
    const passage =
      'A key can be revoked in the dashboard or on the command line. The revocation holds everywhere within one second.'
    expect(directive(link(passage, passage))).toBe(
      'A%20key%20can%20be%20revoked,holds%20everywhere%20within%20one%20second.',
    )
  })

  test('never takes its start or end across a line break or out of a table cell', () => {
    expect(directive(link('One line here\nanother line there', 'One line here\nanother line there'))).toBe(
      'One%20line%20here,another%20line%20there',
    )
    expect(directive(link('alpha\tbeta\tgamma', 'alpha\tbeta\tgamma'))).toBe('alpha,gamma')
  })

  test('takes more words where fewer stand earlier on the page too', () => {
    const text =
      'A key can be revoked by nobody else.\nA key can be revoked by its owner in the dashboard, or by the administrator of the service.'
    const passage = text.split('\n')[1] ?? ''
    expect(directive(link(text, passage))).toBe(
      'A%20key%20can%20be%20revoked%20by%20its,the%20administrator%20of%20the%20service.',
    )
  })

  test('names the words before a passage that stands on the page twice', () => {
    const text = 'Overview\nKeys are shown once.\nDetails of keys\nKeys are shown once.'
    expect(directive(link(text, 'Keys are shown once.'))).toBe('Keys%20are%20shown%20once.')
    expect(directive(link(text, 'Keys are shown once.', { nth: 2 }))).toBe('keys-,Keys%20are%20shown%20once.')
  })

  test('names the words behind a passage whose last words stand in it twice', () => {
    const tail = 'and that is all there is to it for now'
    const passage = `One thing is said here first ${tail}. Another is said ${tail}`
    expect(find(`${passage}\nThe end`, link(`${passage}\nThe end`, passage))).toEqual({
      start: 0,
      end: passage.length,
    })
  })

  test('keeps the anchor of the page, not an older directive, and escapes what has a meaning in one', () => {
    expect(link('a-b, c & d', 'a-b, c & d', { url: 'https://example.com/#part' })).toBe(
      'https://example.com/#part:~:text=a%2Db%2C%20c%20%26%20d',
    )
    expect(link('word', 'word', { url: 'https://example.com/#part:~:text=old' })).toBe(
      'https://example.com/#part:~:text=word',
    )
  })

  test.each(['— … —', '', 'x'.repeat(2_000), '\uD83C half'])(
    'is null where nothing can be quoted: %j',
    (passage) => {
      expect(
        createTextFragmentLinks('https://example.com/', passage)({ start: 0, end: passage.length }),
      ).toBeNull()
    },
  )

  test('cuts unspaced scripts at words', () => {
    const text = '鍵はいつでもダッシュボードで取り消すことができます。'.repeat(4)
    const url = createTextFragmentLinks('https://example.com/', text)({ start: 0, end: text.length })
    expect(decodeURIComponent(directive(url))).toMatch(/^鍵.{3,80},.{3,80}。$/u)
  })
})

/** Few words, so that everything stands on the page many times; lines, cells and signs between them. */
const pageText = fc
  .array(
    fc.tuple(
      fc.constantFrom('a', 'key', 'Key', 'keys', 'is', 'revoked', 'now'),
      fc.constantFrom(' ', ' ', ' ', ', ', '. ', '\n', '\t'),
    ),
    {
      minLength: 1,
      maxLength: 120,
    },
  )
  .map((pairs) => pairs.flat().join('').trimEnd())

const pageAndPassage = pageText.chain((text) => {
  const words = [...text.matchAll(/\w+/gu)].map(({ 0: word, index }) => ({
    start: index,
    end: index + word.length,
  }))
  return fc.tuple(fc.nat(words.length - 1), fc.nat(40)).map(([first, more]) => ({
    text,
    passage: {
      start: words[first]?.start ?? 0,
      end: words[Math.min(words.length - 1, first + more)]?.end ?? 0,
    },
  }))
})

describe('whatever the page, a text fragment link', () => {
  test('leads to the passage, or to an earlier place with the very same words around it', () => {
    fc.assert(
      fc.property(pageAndPassage, ({ text, passage }) => {
        const found = find(text, createTextFragmentLinks('https://example.com/', text)(passage))
        expect(found).not.toBeNull()
        expect(found?.start).toBeLessThanOrEqual(passage.start)
      }),
      { numRuns: 500 },
    )
  })

  test('leads exactly to the passage when its first and last five words stand there alone', () => {
    const unique = fc.uniqueArray(
      fc.string({ minLength: 2, maxLength: 6, unit: fc.constantFrom('b', 'c', 'd', 'f', 'g') }),
      {
        minLength: 12,
        maxLength: 40,
      },
    )
    fc.assert(
      fc.property(pageText, unique, pageText, (before, words, after) => {
        const passage = words.join(' ')
        const text = `${before}\n${passage}\n${after}`
        const start = before.length + 1
        expect(find(text, link(text, passage))).toEqual({ start, end: start + passage.length })
      }),
    )
  })

  test('is a parsable URL or null', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 300 }),
        fc.nat(300),
        fc.nat(300),
        (text, start, length) => {
          const url = createTextFragmentLinks('https://example.com/', text)({ start, end: start + length })
          return url === null || URL.canParse(url)
        },
      ),
    )
  })

  test('keeps its pieces inside lines', () => {
    fc.assert(
      fc.property(pageAndPassage, ({ text, passage }) => {
        const pieces = directive(createTextFragmentLinks('https://example.com/', text)(passage)).split(',')
        for (const piece of pieces) expect(decodeURIComponent(piece)).not.toMatch(/[\n\t]/u)
      }),
    )
  })
})
