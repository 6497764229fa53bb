import { describe, expect, test } from 'vitest'
import { readAnswer } from '../../../src/search/quotes/read-answer.ts'
import { MULTILINGUAL_PAGES } from '../../support/multilingual-pages.ts'

const SOURCES = [{ url: 'https://one.example/a' }, { url: 'https://two.example/b/' }, { url: null }]
const claims = (answer: string): [string, string, readonly number[]][] =>
  readAnswer(answer, SOURCES).map(({ kind, text, cited }) => [kind, text, cited])

describe('an answer', () => {
  test.each([
    ['“the words as they stand” [2].', [1]],
    ['"the words as they stand" [1, 3].', [0, 2]],
    ['„the words as they stand“【2】', [1]],
    ['« the words as they stand » ².', [1]],
    ['»the words as they stand« [^2]', [1]],
    ['”the words as they stand” ([here](https://www.two.example/b))', [1]],
    ['「the words as they stand」(https://one.example/a)', [0]],
    ["'the words as they stand' (two.example).", [1]],
    ['As [one](https://one.example/a) says, “the words as they stand”.', [0]],
    ['“the words as they stand.” [1]', [0]],
    ['<q>the words as they stand</q> [1]', [0]],
    ['“the words as they stand” [1][2].', [0, 1]],
    ['“the words as they stand” [1] and [3].', [0, 2]],
    ['“the words as they stand” ([one](https://one.example/a), [two](https://two.example/b)).', [0, 1]],
    ['as [1] and [2] have it, “the words as they stand”.', [0, 1]],
    ['“the words as they stand”<sup>2</sup>', [1]],
    ['“the words as they stand” <a href="https://two.example/b">2</a>', [1]],
    ['“the words as they stand” [^2^]', [1]],
    ['“the words as they stand [2].”', [1]],
    ['“the words as they stand” \n\n— Two [2]', [1]],
    ['“the words as they stand” ([Two](https://two.example/b?utm_source=chatgpt.com))', [1]],
    ['“the words as they stand” <https://two.example/b>', [1]],
    ['“the words as they stand.” ([Two](https://two.example/b))', [1]],
    ['*“the words as they stand.”* *[2]*', [1]],
    ['“the words as they stand” [Source 2]', [1]],
    ['“the words as they stand” (Quelle: two.example)', [1]],
    ['“the words as they stand” (source : two.example, 2024)', [1]],
    ['“the words as they stand”（来源：two.example）', [1]],
    ['“the words as they stand”［2］', [1]],
    ['“the **words** as [they](https://x.example) stand”', []],
  ])('names %s as a quote with its sources', (answer, cited) => {
    const [claim] = claims(`The page is clear: ${answer}`)
    expect(
      claim?.slice(1).map((value) => (typeof value === 'string' ? value.replace(/\.$/u, '') : value)),
    ).toEqual(['the words as they stand', cited])
  })

  test.each([
    ['看守人说“夜里灯光可照到四十公里”[1]，然后走了。', '夜里灯光可照到四十公里'],
    ['看守人说"夜里灯光可照到四十公里"然后走了[1]。', '夜里灯光可照到四十公里'],
    ['"밤에는 불빛이 멀리까지 닿는다"고 등대지기가 말했다[1].', '밤에는 불빛이 멀리까지 닿는다'],
    ['เขากล่าวว่า"ตอนกลางคืนแสงไฟส่องไปไกล"ทุกคืน[1]', 'ตอนกลางคืนแสงไฟส่องไปไกล'],
  ])('has a quote where the words around touch its marks: %s', (answer, quote) => {
    expect(claims(answer)).toEqual([['quotation', quote, [0]]])
  })

  test.each([
    ['"She answered “no” to all of it" [1].', 'She answered “no” to all of it'],
    ['“She answered "no" to all of it” [1].', 'She answered "no" to all of it'],
    ['"She answered "no" to all of it" [1].', 'She answered "no" to all of it'],
    ['„She answered “no” to all of it“ [1].', 'She answered “no” to all of it'],
    ['„She answered „no“ to all of it“ [1].', 'She answered „no“ to all of it'],
    ['"She answered “no to all of it" [1].', 'She answered “no to all of it'],
  ])('has a quote as a whole where another is quoted within it: %s', (answer, quote) => {
    expect(claims(answer)).toEqual([['quotation', quote, [0]]])
  })

  test('has a quote where the number of a source hangs on its mark, and where its marks are set the other way', () => {
    expect(claims('"the words as they stand"² and ”the other words of it“ [1]')).toEqual([
      ['quotation', 'the words as they stand', [1]],
      ['quotation', 'the other words of it', [0]],
    ])
    expect(claims('و"كلمات من هذه الصفحة" [1]')).toEqual([['quotation', 'كلمات من هذه الصفحة', [0]]])
  })

  test('has a quote of several paragraphs, each of which is opened and the last alone closed', () => {
    expect(claims('He said: “The first paragraph. [1]\n\n“The second paragraph.” [1]')).toEqual([
      ['quotation', 'The first paragraph.', [0]],
      ['quotation', 'The second paragraph.', [0]],
    ])
  })

  test('has block quotes, whose attribution is none of their words', () => {
    expect(
      claims(
        'It says:\n\n> The first line\n> and **the** second.\n> — [One](https://one.example/a)\n\nNo more.',
      ),
    ).toEqual([['block_quote', 'The first line and the second.', [0]]])
  })

  test.each(['— Title [2]', '(Source: two.example)', '([Title](https://two.example/b))', '[2]'])(
    'names the source of a block quote in a line below it: %s',
    (line) => {
      expect(claims(`> The first line of it\n\n${line}\n\nNo more.`)[0]).toEqual([
        'block_quote',
        'The first line of it',
        [1],
      ])
    },
  )

  test('quotes in a numbered list whose items name their sources by address', () => {
    expect(
      claims(
        '1. “The first words of it” (https://one.example/a)\n2. [Two](https://two.example/b): “The second words of it”',
      ),
    ).toEqual([
      ['quotation', 'The first words of it', [0]],
      ['quotation', 'The second words of it', [1]],
    ])
    expect(
      claims('It says “the words as they stand” [1].\n\n1. “A title in marks”, https://two.example/b'),
    ).toEqual([['quotation', 'the words as they stand', [1]]])
  })

  test('names the source of each quote where marks stand in front, a line each', () => {
    expect(claims('[1] “the words as they stand”\n[2] “the other words of it”')).toEqual([
      ['quotation', 'the words as they stand', [0]],
      ['quotation', 'the other words of it', [1]],
    ])
  })

  test('names no source of a quote by the mark of the one before it', () => {
    expect(
      claims('It says “the words as they stand” [1], and “the other words of it” is elsewhere.'),
    ).toEqual([
      ['quotation', 'the words as they stand', [0]],
      ['quotation', 'the other words of it', []],
    ])
  })

  test('names a page by its parameters in any order, with “&amp;” between them', () => {
    const sources = [{ url: 'https://one.example/?a=1&b=2' }]
    for (const link of ['https://one.example/?b=2&a=1', 'http://www.one.example?a=1&amp;b=2'])
      expect(readAnswer(`“The words as they stand” (${link})`, sources)[0]?.cited).toEqual([0])
  })

  test('makes no statement of what follows the marks of a quote in its sentence', () => {
    for (const rest of ['([1]) and nothing more than that.', '[1], as everybody had expected.'])
      expect(claims(`It says: “The words as they stand.” ${rest}`)).toHaveLength(1)
  })

  test('is not taken to quote in remarks set as block quotes', () => {
    for (const answer of ['> **Note**\n\nIt is late.', '> [!NOTE]\n> This is a remark of mine, no more.'])
      expect([answer, claims(answer)]).toEqual([answer, []])
  })

  test('names no source of a block quote in a list behind it', () => {
    expect(claims('> The first line of it\n\n- Keys can be revoked by everybody [1].')[0]?.[2]).toEqual([])
  })

  test('makes a statement of what it says of other sources beside a quote, and none of what the quote is told by', () => {
    expect(
      claims(
        'Keys can be revoked by everybody [1], and “the words as they stand” [2]; prices rose again in May [3].',
      ),
    ).toEqual([
      ['statement', 'Keys can be revoked by everybody', [0]],
      ['quotation', 'the words as they stand', [1]],
      ['statement', 'prices rose again in May.', [2]],
    ])
    expect(claims('It says “the words as they stand”, and so does the whole of the site [1].')).toHaveLength(
      1,
    )
    expect(claims('As the newest of all reports has it [1], “the words as they stand”.')).toHaveLength(1)
  })

  test('that names a source without quoting it makes a statement', () => {
    expect(claims('- Keys can be revoked whenever somebody likes [1][2].\n- Short [1].')).toEqual([
      ['statement', 'Keys can be revoked whenever somebody likes.', [0, 1]],
    ])
  })

  test.each([
    'The tower is 84 metres tall.[1] It was built by the town in 1902.[2][3] Nobody knows what comes next.',
    'The tower is 84 metres tall. [1] It was built by the town in 1902. [2] [3] Nobody knows what comes next.',
    'The tower is 84 metres tall.¹ It was built by the town in 1902.²[3] Nobody knows what comes next.',
  ])('names for a sentence the sources behind its stop and no others: %s', (answer) => {
    expect(claims(answer).slice(0, 2)).toEqual([
      ['statement', 'The tower is 84 metres tall.', [0]],
      ['statement', 'It was built by the town in 1902.', [1, 2]],
    ])
    expect(claims(answer)).toHaveLength(2)
  })

  test('names no source by the powers of units, variables and numbers', () => {
    expect(claims('It covers 40 km², holds 3 м³ of E = mc² and 10² kinds of all things.')).toEqual([])
    expect(claims('It covers 40 km<sup>2</sup> and more than anybody has ever said.')).toEqual([])
    expect(claims('It says “the lake covers 40 km² of land” [1], as everybody knows².')).toEqual([
      ['quotation', 'the lake covers 40 km² of land', [0]],
    ])
  })

  test('names its sources by notes at its end, which are no statements', () => {
    const answer =
      'It was “lit for the first time”[^a] and “burned every night” [7].\n\n[^a]: https://two.example/b\n[7] Title, https://one.example/a'
    expect(claims(answer)).toEqual([
      ['quotation', 'lit for the first time', [1]],
      ['quotation', 'burned every night', [0]],
    ])
  })

  test('is not taken to quote in code, inches, apostrophes, terms and addresses', () => {
    for (const answer of [
      'Send `{"query": "what is this all about"}` to it.',
      '```\nprint("what is this all about")\n```',
      'A 24" screen and a 27" one; the boys’ bikes and the girls’ ones were there.',
      'The so-called “zone” is a "hot topic", isn\'t it?',
      "It's the users' own choice, and that's what they've got.",
      '<a title="what is this all about">here</a>',
    ])
      expect([answer, claims(answer)]).toEqual([answer, []])
  })

  test('is read rightly in ten languages: of two hundred, at least .95 of the quotes and of what is taken for one', () => {
    let [wanted, found, right] = [0, 0, 0]
    const answers = MULTILINGUAL_PAGES.flatMap((_, page) => answersOver(page))
    for (const { answer, quotes } of answers) {
      const given = readAnswer(answer, SOURCES)
        .filter(({ kind }) => kind !== 'statement')
        .map(({ text }) => text)
      wanted += quotes.length
      found += given.length
      right += given.filter((text) => quotes.includes(text)).length
    }
    expect(answers).toHaveLength(200)
    expect(wanted).toBeGreaterThan(200)
    expect([right / found >= 0.95, right / wanted >= 0.95]).toEqual([true, true])
  })
})

const MARKS: Readonly<Record<string, readonly [string, string][]>> = {
  en: [
    ['“', '”'],
    ['"', '"'],
    ['‘', '’'],
  ],
  de: [
    ['„', '“'],
    ['»', '«'],
    ['"', '"'],
  ],
  fr: [
    ['« ', ' »'],
    ['“', '”'],
    ['"', '"'],
  ],
  es: [
    ['«', '»'],
    ['“', '”'],
    ['"', '"'],
  ],
  it: [
    ['«', '»'],
    ['“', '”'],
    ['"', '"'],
  ],
  pt: [
    ['“', '”'],
    ['«', '»'],
    ['"', '"'],
  ],
  pl: [
    ['„', '”'],
    ['«', '»'],
    ['"', '"'],
  ],
  ru: [
    ['«', '»'],
    ['„', '“'],
    ['"', '"'],
  ],
  zh: [
    ['“', '”'],
    ['「', '」'],
    ['"', '"'],
  ],
  ja: [
    ['「', '」'],
    ['『', '』'],
    ['"', '"'],
  ],
}

/** Ten answers over one page: every shape with the page's own words, marks and dashes in it. */
function answersOver(index: number): { answer: string; quotes: string[] }[] {
  const { text, language } = MULTILINGUAL_PAGES[index] ?? { text: '', language: 'en' }
  const isUnspaced = language === 'zh' || language === 'ja'
  const sentences = text
    .split(isUnspaced ? /(?<=。)/u : /(?<=[.?]) (?=\p{Lu})/u)
    .filter((one) => !/["“”„«»「」‘’]/u.test(one))
  const [first = '', second = '', third = ''] = sentences
  const marks = MARKS[language] ?? []
  return marks.flatMap(([open, close], turn) => {
    const quoted = (one: string): string => `${open}${one}${close}`
    const tail = second.replace(/[.。]$/u, '')
    const shapes = [
      { answer: `${third} [1] ${quoted(first)} [2].`, quotes: [first] },
      { answer: `- ${quoted(first)} [1]\n- ${quoted(tail)} [2].\n- ${third}`, quotes: [first, tail] },
      { answer: `**A:** [B](https://one.example/a): ${quoted(tail)}, C. \`"a b c d"\``, quotes: [tail] },
      { answer: `A [1]:\n\n> ${first}\n> ${second}\n\n${third}`, quotes: [`${first} ${second}`] },
    ]
    return turn === 0 ? shapes : shapes.slice(0, 3)
  })
}
