import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Block, BlockKind, PageText } from '../../../src/extract/document.ts'
import { cutPassages, PASSAGE_CHARACTERS } from '../../../src/extract/passages/cut-passages.ts'
import { createSentenceFinder } from '../../../src/extract/passages/sentences.ts'
import { fixtureNames, read, readFixture } from '../fixtures.ts'

const ALL = { overlap: false, limit: Number.MAX_SAFE_INTEGER }

/** A page of blocks with the given texts, parted by empty lines. */
function pageOf(
  texts: readonly string[],
  more: Partial<Block>[] = [],
  language: string | null = null,
): PageText {
  let at = 0
  const blocks = texts.map((text, index): Block => {
    const start = at
    at += text.length + 2
    return {
      kind: 'paragraph',
      headings: [],
      contentWeight: 1,
      ...more[index],
      start,
      end: start + text.length,
    }
  })
  return {
    title: null,
    text: texts.join('\n\n'),
    blocks,
    isCut: false,
    publishDate: null,
    lastUpdated: null,
    language: language === null ? null : { code: language, source: 'text' },
  }
}

const cutTexts = (page: PageText) => cutPassages(page, ALL).map(({ text }) => text)

/** Text of every kind: words, CJK, Thai, combining marks, emoji of many parts, lone surrogates, white space. */
const anyText = fc
  .array(
    fc.oneof(
      fc.lorem({ maxCount: 12, mode: 'sentences' }),
      fc.string({ unit: 'grapheme', maxLength: 40 }),
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.constantFrom(
        '这是一个很长的句子，没有空格。',
        'ประเทศไทยมีภาษาไทย',
        '👩‍👩‍👧‍👦🇩🇪é',
        '한국어 문장입니다. ',
        '\ud800',
        ' \n ',
        'a'.repeat(700),
      ),
    ),
    { minLength: 1, maxLength: 40 },
  )
  .map((parts) => parts.join(''))
  .filter((text) => text.trim() !== '')
  .map((text) => text.trim())

const anyKind = fc.constantFrom<BlockKind>(
  'paragraph',
  'list',
  'table',
  'code',
  'quote',
  'definition',
  'caption',
)
const anyPage = fc
  .array(fc.record({ text: anyText, kind: anyKind, heading: fc.constantFrom('One', 'Two') }), {
    minLength: 1,
    maxLength: 8,
  })
  .map((blocks) =>
    pageOf(
      blocks.map(({ text }) => text),
      blocks.map(({ kind, heading }) => ({ kind, headings: [heading] })),
    ),
  )

test.each([
  ['a mark on a space', 'One.\n\n \u0301two'],
  ['an invisible tag on a space', 'One.\n\n \u{E0020}two'],
  ['an Arabic number sign before a space', 'one \u0600 \n\nTwo.'],
])('a space that is one character with %s stays with it', (_name, text) => {
  const passages = cutPassages(pageOf([text]), ALL)
  const whole = passages.map((passage) => passage.text).join('|')
  expect(whole).toMatch(/ [\u0301\u{E0020}]two|\u0600 /u)
})

describe('for any page', () => {
  const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

  test('every passage is a slice of the text, without white space at its ends', () => {
    fc.assert(
      fc.property(anyPage, fc.boolean(), (page, overlap) => {
        for (const passage of cutPassages(page, { ...ALL, overlap })) {
          expect(passage.text).toBe(page.text.slice(passage.start, passage.end))
          const characters = Array.from(graphemes.segment(passage.text), ({ segment }) => segment)
          expect(characters.at(0)?.trim()).not.toBe('')
          expect(characters.at(-1)?.trim()).not.toBe('')
          expect(passage.text).not.toBe('')
        }
      }),
    )
  })

  test('no passage is longer than the limit', () => {
    fc.assert(
      fc.property(anyPage, (page) => {
        for (const { text } of cutPassages(page, { ...ALL, overlap: true }))
          expect(text.length).toBeLessThanOrEqual(PASSAGE_CHARACTERS.max)
      }),
    )
  })

  test('without overlap no two passages share a character', () => {
    fc.assert(
      fc.property(anyPage, (page) => {
        const passages = cutPassages(page, ALL)
        for (const [index, { start }] of passages.slice(1).entries())
          expect(start).toBeGreaterThanOrEqual(passages[index]!.end)
      }),
    )
  })

  test('what is said in sentences is in a passage, unless it was said before or by a caption', () => {
    fc.assert(
      fc.property(anyPage, (page) => {
        const passages = cutPassages(page, ALL)
        const quoted = passages.map(({ text }) => text.replace(/\s/gu, '')).join('')
        for (const block of page.blocks.filter(({ kind }) => kind !== 'caption')) {
          const [sentence = ''] = page.text.slice(block.start, block.end).match(/[a-z ,]{80,}\./iu) ?? []
          if (sentence.length > 80) expect(quoted).toContain(sentence.slice(1, 40).replace(/\s/gu, ''))
        }
      }),
    )
  })

  test('no passage splits a surrogate pair or a grapheme cluster', () => {
    fc.assert(
      fc.property(anyPage, (page) => {
        const borders = new Set([page.text.length])
        for (const { index } of graphemes.segment(page.text)) borders.add(index)
        for (const { start, end } of cutPassages(page, ALL)) {
          expect(borders).toContain(start)
          expect(borders).toContain(end)
        }
      }),
    )
  })
})

describe('length', () => {
  const sentence = (words: number, mark: string) =>
    `${mark} ${Array.from({ length: words }, () => 'word').join(' ')}.`

  test('short blocks of one section are joined to passages worth reading', () => {
    const page = pageOf(Array.from({ length: 12 }, (_, index) => sentence(8, `Item${index}`)))
    for (const text of cutTexts(page)) expect(text.length).toBeGreaterThanOrEqual(PASSAGE_CHARACTERS.min)
  })

  test('a paragraph of fitting length is a passage of its own', () => {
    const paragraphs = [sentence(100, 'One'), sentence(110, 'Two'), sentence(95, 'Three')]
    expect(cutTexts(pageOf(paragraphs))).toEqual(paragraphs)
  })

  test('a long paragraph is cut between sentences into parts of 200 to 700 characters', () => {
    const sentences = Array.from({ length: 20 }, (_, index) => sentence(10 + (index % 7), `S${index}`))
    const texts = cutTexts(pageOf([sentences.join(' ')]))
    for (const text of texts) {
      expect(text.length).toBeGreaterThanOrEqual(PASSAGE_CHARACTERS.min)
      expect(text).toMatch(/^S\d+ .*\.$/su)
    }
  })

  test('a last short remainder goes to its neighbour', () => {
    const texts = cutTexts(pageOf([sentence(60, 'Long'), 'Short end.']))
    expect(texts).toHaveLength(1)
  })

  test('a sentence without end is broken at a clause, then at a word', () => {
    const clauses = Array.from({ length: 100 }, (_, index) => `clause number ${index}`).join(', ')
    for (const text of cutTexts(pageOf([clauses])).slice(0, -1)) expect(text).toMatch(/,$/u)
    const words = Array.from({ length: 300 }, (_, index) => `word${index}`).join(' ')
    for (const text of cutTexts(pageOf([words]))) expect(text).toMatch(/^word\d+ .*word\d+$/u)
  })
})

test('rows of a table are kept whole and together with their header', () => {
  const rows = [
    'Item\tPrice',
    ...Array.from({ length: 30 }, (_, index) => `Thing number ${index}\t${index} euros`),
  ]
  const page = pageOf(
    rows,
    rows.map(() => ({ kind: 'table' as const, headings: ['Item Price'] })),
  )
  const texts = cutTexts(page)
  expect(texts[0]).toMatch(/^Item\tPrice\n\nThing number 0/u)
  for (const text of texts) expect(text).toMatch(/(Price|euros)$/u)
})

describe('of what is hardly content', () => {
  const menu = 'Home About us Contact'
  const filler = `${Array.from({ length: 80 }, () => 'word').join(' ')}.`
  const comment =
    'I had the same trouble as you, and a new cable mended it at once: the old one had been bent.'
  const doubtful = { contentWeight: 0.006 }

  test('a comment or an answer is cut, a menu is not', () => {
    expect(cutTexts(pageOf([menu, comment], [doubtful, doubtful]))).toEqual([comment])
  })

  test('a menu of links is not cut however long it is', () => {
    const start = 0
    const links = [{ start, end: comment.length - 20, target: '/' }]
    const page = pageOf([comment, filler], [{ ...doubtful, links }, {}])
    expect(cutTexts(page)).toEqual([filler])
  })

  test('a row of a table with cells is cut, however brief', () => {
    const table = { number: 0, cells: [] }
    const page = pageOf(['Weight\t5 kg', filler], [{ ...doubtful, kind: 'table', table }, {}])
    expect(cutTexts(page).join()).toContain('Weight\t5 kg')
  })

  test.each([
    ['a price', '€1,299.00'],
    ['a price in words of its country', '12,50 € inkl. MwSt.'],
    ['opening hours', 'Mon – Fri, 9:00 AM – 6:00 PM'],
    ['hours of the day in one number', 'Sunday 10am - 4pm'],
    ['a telephone number', 'Call us: +49 (30) 901 820'],
  ])('%s is cut, however brief', (_, fact) => {
    expect(cutTexts(pageOf([fact, filler], [doubtful])).join()).toContain(fact)
  })

  test('the time of a post, a year and a count are cut no more than a menu is', () => {
    const texts = ['March 3 at 5:21 pm', '© 2009–2026', '12 Comments']
    expect(cutTexts(pageOf([...texts, filler], [doubtful, doubtful, doubtful]))).toEqual([filler])
  })
})

test('blocks that are certainly no content are not cut, doubtful ones are', () => {
  const page = pageOf(
    ['Navigation here', 'Something doubtful'],
    [{ contentWeight: 0.01 }, { contentWeight: 0.1 }],
  )
  expect(cutTexts(page)).toEqual(['Something doubtful'])
})

describe('headings', () => {
  const words = (count: number) => Array.from({ length: count }, () => 'word').join(' ')

  test('open the passage of the text below them, and are no passage of their own', () => {
    const page = pageOf(
      ['Chapter', `The text of it: ${words(60)}.`, 'Next', `Another text: ${words(60)}.`],
      [{ kind: 'heading' }, { headings: ['Chapter'] }, { kind: 'heading' }, { headings: ['Next'] }],
    )
    const passages = cutPassages(page, ALL)
    expect(passages.map(({ text }) => text.split('\n')[0])).toEqual(['Chapter', 'Next'])
    expect(passages.map(({ headings }) => headings)).toEqual([[], []])
  })

  test('with nothing below them read on like the items of a list', () => {
    const page = pageOf(['A title alone', 'Another title'], [{ kind: 'heading' }, { kind: 'heading' }])
    expect(cutTexts(page)).toEqual(['A title alone\n\nAnother title'])
  })

  test('that are listed before the text make no passage', () => {
    const titles = ['How to begin', 'How to go on', 'How to end']
    const page = pageOf(
      [...titles, ...titles.flatMap((title) => [title, `${words(70)}.`])],
      [
        ...titles.map(() => ({ kind: 'list' as const, headings: ['Contents'] })),
        ...titles.flatMap((title) => [{ kind: 'heading' as const }, { headings: [title] }]),
      ],
    )
    expect(cutTexts(page).every((text) => text.includes('word word'))).toBe(true)
  })
})

test('a question stays with the beginning of its answer', () => {
  const filler = `${Array.from({ length: 80 }, () => 'word').join(' ')}.`
  const page = pageOf([filler, 'How long does it take?', `It takes two days. ${filler}`])
  expect(cutTexts(page).find((text) => text.includes('How long'))).toContain('It takes two days.')
})

test('loose words are left out where the page says more, and quoted where it does not', () => {
  const filler = `${Array.from({ length: 80 }, () => 'word').join(' ')}.`
  const apart = { contentWeight: 0.3 }
  const page = pageOf(
    [filler, 'x'.repeat(61), 'Share this', 'y'.repeat(61)],
    [{}, { contentWeight: 0 }, apart, { contentWeight: 0 }],
  )
  expect(cutTexts(page)).toEqual([filler])
  expect(cutTexts(pageOf(['Share this']))).toEqual(['Share this'])
})

test('a page that says nothing else is quoted by its loose words, not by a heading with nothing below it', () => {
  const page = pageOf(
    ['Share this', 'y'.repeat(61), 'A bare heading'],
    [{}, { contentWeight: 0 }, { kind: 'heading' }],
  )
  expect(cutTexts(page)).toEqual(['Share this'])
})

test('what a page says twice is quoted once', () => {
  const filler = `${Array.from({ length: 100 }, () => 'word').join(' ')}.`
  const page = pageOf([filler, 'z'.repeat(61), filler.toUpperCase()], [{}, { contentWeight: 0 }, {}])
  expect(cutTexts(page)).toEqual([filler])
})

test('the limit keeps the passages most likely content, in the order of the page', () => {
  const texts = [0.3, 0.9, 0.1, 0.8].map((weight) => `${weight} ${'x'.repeat(650)}`)
  const page = pageOf(
    texts,
    [0.3, 0.9, 0.1, 0.8].map((contentWeight) => ({ contentWeight })),
  )
  expect(cutPassages(page, { overlap: false, limit: 2 }).map(({ contentWeight }) => contentWeight)).toEqual([
    0.9, 0.8,
  ])
})

test('windows across borders appear only when asked, and lie between their neighbours', () => {
  const sentences = Array.from(
    { length: 24 },
    (_, index) => `Sentence number ${index} says a little something here.`,
  )
  const page = pageOf([sentences.join(' ')])
  const plain = cutPassages(page, ALL)
  const overlapping = cutPassages(page, { ...ALL, overlap: true })
  expect(overlapping.length).toBeGreaterThan(plain.length)
  for (const passage of plain) expect(overlapping).toContainEqual(passage)
})

describe('windows across borders', () => {
  const manySentences = (count: number, of: string) =>
    Array.from({ length: count }, (_, index) => `Sentence number ${index} says a little of ${of} here.`).join(
      ' ',
    )
  const withWindows = (page: PageText) => cutPassages(page, { ...ALL, overlap: true })
  const windowsOf = (page: PageText) => {
    const plain = new Set(cutTexts(page))
    return withWindows(page).filter(({ text }) => !plain.has(text))
  }

  test('reach from the second half of a passage to the first half of the next, where that is 200 to 700 characters', () => {
    const page = pageOf([manySentences(40, 'the harbour')])
    const plain = cutPassages(page, ALL)
    const expected = plain.slice(1).map((right, index) => {
      const left = plain[index] ?? right
      const from = left.start + (left.parts[Math.ceil(left.parts.length / 2)]?.start ?? 0)
      const to = right.start + (right.parts[Math.floor(right.parts.length / 2) - 1]?.end ?? 0)
      return page.text.slice(from, to)
    })
    expect(expected.length).toBeGreaterThan(2)
    expect(windowsOf(page).map(({ text }) => text)).toEqual(expected)
    for (const { length } of expected) {
      expect(length).toBeGreaterThanOrEqual(PASSAGE_CHARACTERS.min)
      expect(length).toBeLessThanOrEqual(PASSAGE_CHARACTERS.max)
    }
  })

  test.each([
    [199, []],
    [200, [200]],
    [700, [700]],
    [701, []],
  ])('of %i characters are given where they are 200 to 700 long', (length, expected) => {
    const sentenceOf = (characters: number) => `S${'a'.repeat(characters - 2)}.`
    const half = Math.floor((length - 2) / 2)
    const far = 550 - half
    const left = `${sentenceOf(far)} ${sentenceOf(length - 2 - half)}`
    const right = `${sentenceOf(half)} ${sentenceOf(far)}`
    const page = pageOf([left, right])
    expect(cutTexts(page)).toEqual([left, right])
    expect(windowsOf(page).map(({ text }) => text.length)).toEqual(expected)
  })

  test('never reach over a heading', () => {
    const texts = [manySentences(9, 'ships'), 'The quay', manySentences(9, 'quays')]
    const heading: Partial<Block> = { kind: 'heading', level: 2 }
    const page = pageOf(texts, [{ headings: ['Ships'] }, { ...heading }, { headings: ['The quay'] }])
    expect(windowsOf(page)).toEqual([])
  })

  test('reach over as much that is hardly content as joins neighbours, and over nothing that is certainly none', () => {
    const over = (characters: number, contentWeight: number) =>
      windowsOf(
        pageOf(
          [manySentences(8, 'ships'), 'z'.repeat(characters), manySentences(8, 'quays')],
          [{}, { contentWeight }, {}],
        ),
      )
    expect(over(60, 0.001).length).toBeGreaterThan(0)
    expect(over(61, 0.001)).toEqual([])
    expect(over(10, 0)).toEqual([])
  })

  test('stand with the passages in the order of the page, of those that begin together the shorter first', () => {
    fc.assert(
      fc.property(anyPage, (page) => {
        const places = withWindows(page).map(({ start, end }) => [start, end] as const)
        expect(places).toEqual(places.toSorted((left, right) => left[0] - right[0] || left[1] - right[1]))
      }),
    )
  })
})

test('what differs in white space alone is said twice, and quoted once', () => {
  const filler = `${Array.from({ length: 100 }, () => 'word').join(' ')}.`
  const page = pageOf([filler, 'z'.repeat(61), filler.replace(' ', '\n  ')], [{}, { contentWeight: 0 }, {}])
  expect(cutTexts(page)).toEqual([filler])
})

test('the weight of a passage is that of its blocks by their lengths, its heading aside', () => {
  const page = pageOf(
    ['Fees', `Ships pay ${'a'.repeat(50)} 7.`, `Boats pay ${'b'.repeat(150)} 3.`],
    [
      { kind: 'heading', level: 2, contentWeight: 0.2 },
      { headings: ['Fees'], contentWeight: 1 },
      { headings: ['Fees'], contentWeight: 0.5 },
    ],
  )
  const [passage, ...others] = cutPassages(page, ALL)
  expect(others).toEqual([])
  const lengths = passage?.parts.map(({ start, end }) => end - start) ?? []
  expect(lengths).toEqual([63, 163])
  expect(passage?.contentWeight).toBeCloseTo((63 * 1 + 163 * 0.5) / (63 + 163), 10)
  expect(passage?.text.startsWith('Fees')).toBe(true)
})

test('a limit that is not reached leaves every passage where it is', () => {
  const page = pageOf(
    [0.9, 0.3].map((weight) => `${weight} ${'x'.repeat(650)}`),
    [{ contentWeight: 0.9 }, { contentWeight: 0.3 }],
  )
  for (const limit of [2, 3])
    expect(cutPassages(page, { overlap: false, limit }).map(({ contentWeight }) => contentWeight)).toEqual([
      0.9, 0.3,
    ])
})

describe('sentences', () => {
  const split = (language: string, text: string) =>
    createSentenceFinder(language)(text).map(({ start, end }) => text.slice(start, end))

  test.each(['en', 'de', 'el', 'ja', 'th', 'hy'])(
    'no letter or sign that ends a sentence is overlooked: %s',
    (language) => {
      const segmenter = new Intl.Segmenter(language, { granularity: 'sentence' })
      const overlooked = Array.from({ length: 0x2100 }, (_, code) => String.fromCharCode(code)).filter(
        (sign) => {
          const text = `The first line${sign} Then another`
          return [...segmenter.segment(text)].length > 1 && split(language, text).length === 1
        },
      )
      expect(overlooked).toEqual([])
    },
  )

  test.each([
    ['en', 'abbreviations', ['Dr. Smith met Mr. J. R. Brown, e.g. at St. Paul’s.', 'They left.']],
    ['en', 'numbers and list marks', ['1. Open the lid.', '2. Pour 3.5 litres.']],
    ['en', 'marks inside a sentence', ['Yahoo! is old.', '“Really?” he asked.', 'Yes.']],
    ['en', 'names of places', ['The U.S. economy grew in Q4.', 'It shrank later.']],
    [
      'de',
      'ordinals and abbreviations',
      ['Am 3. Oktober 1990, d. h. vor langer Zeit, kam Dr. Meier.', 'Er blieb bis zum 5. November.'],
    ],
    ['fr', 'titles and guillemets', ['M. Dupont habite à Lyon.', '« Vraiment ? » demanda-t-elle.']],
    ['zh', 'full stops without spaces', ['今天天气很好。', '我们去公园吧！', '你来吗？']],
    ['ja', 'full stops without spaces', ['これは文です。', 'もう一つの文です。']],
    ['ar', 'Arabic question marks', ['كيف حالك؟', 'أنا بخير اليوم.']],
    ['th', 'words without stops stay together', ['ภาษาไทยไม่มีเครื่องหมายจบประโยค']],
  ])('%s: %s', (language, _, sentences) => {
    const joint = language === 'zh' || language === 'ja' ? '' : ' '
    expect(split(language, sentences.join(joint))).toEqual(sentences)
  })

  test('a line that only wraps does not end a sentence, a short line does', () => {
    const wrapped =
      'This line of a plain text file is long and it was wrapped by an\neditor at eighty columns.'
    expect(split('en', wrapped)).toEqual([wrapped])
    expect(split('en', 'Roses are red\nviolets are blue')).toEqual(['Roses are red', 'violets are blue'])
  })
})

test.each(fixtureNames())(
  'the passages of the page "%s" stand in its text, and none says what is hidden',
  async (name) => {
    const page = await read(readFixture(`${name}/source.html`))
    const passages = cutPassages(page, ALL)
    expect(passages.length).toBeGreaterThan(0)
    for (const { start, end, text } of passages) expect(page.text.slice(start, end)).toBe(text)
  },
)
