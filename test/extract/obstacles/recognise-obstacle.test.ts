import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ObstacleSigns } from '../../../src/extract/obstacles/obstacle.ts'
import { recogniseObstacle } from '../../../src/extract/obstacles/recognise-obstacle.ts'
import { BLOCKED } from '../../../src/extract/obstacles/signs/blocked.ts'
import { CHALLENGE } from '../../../src/extract/obstacles/signs/challenge.ts'
import { CONSENT } from '../../../src/extract/obstacles/signs/consent.ts'
import { LOGIN } from '../../../src/extract/obstacles/signs/login.ts'
import { NOT_FOUND } from '../../../src/extract/obstacles/signs/not-found.ts'
import { PARKED } from '../../../src/extract/obstacles/signs/parked.ts'
import { PAYWALL } from '../../../src/extract/obstacles/signs/paywall.ts'
import { foldForSigns } from '../../../src/extract/obstacles/page-survey.ts'
import { read } from '../fixtures.ts'

const KINDS: readonly ObstacleSigns[] = [BLOCKED, CHALLENGE, CONSENT, LOGIN, NOT_FOUND, PARKED, PAYWALL]
const PROSE =
  'The harbour handled more ships in the spring than in any year before, although the southern quay was closed. '

const obstacleOf = async (html: string) =>
  recogniseObstacle(await read(html), { mediaType: 'text/html', html })

const pageOf = (title: string, body: string): string =>
  `<!doctype html><title>${title}</title><body><h1>${title}</h1>${body}`

describe('a page is a wall only by several signs, and only when there is little else to read', () => {
  test.each(
    KINDS.flatMap(({ kind, headlines, sentences }) => [
      [kind, headlines[0] ?? '', sentences[0] ?? ''] as const,
    ]),
  )('%s', async (kind, headline, sentence) => {
    expect(await obstacleOf(pageOf(headline, `<p>${sentence}.</p>`))).toBe(kind)
    expect(
      await obstacleOf(pageOf('Harbour', `<p>${PROSE} ${sentence}.</p><p>${PROSE.repeat(3)}</p>`)),
    ).toBeNull()
    const article = `<p>${PROSE.repeat(8)}</p>`.repeat(8)
    expect(await obstacleOf(pageOf(headline, `<p>“${sentence}” is what they say.</p>${article}`))).toBeNull()
  })

  test('no single sign makes one of a short page', async () => {
    const signs = KINDS.flatMap(({ words, markupHints }) => [...words, ...markupHints])
    const deciding: string[] = []
    for (const sign of signs) {
      const found = await obstacleOf(`<title>Harbour</title><p>Open from ten to four.</p><p>${sign}</p>`)
      if (found !== null) deciding.push(sign)
    }
    expect(deciding).toEqual([])
  })

  test('signs are written as texts are folded, so that each can be found', () => {
    for (const { headlines, sentences, words, titlesAbout } of KINDS)
      for (const sign of [...headlines, ...sentences, ...words, ...titlesAbout])
        expect(foldForSigns(sign)).toBe(sign)
  })

  test('any page has an answer', async () => {
    const signs = fc.constantFrom(
      ...KINDS.flatMap(({ headlines, sentences, words }) => [...headlines, ...sentences, ...words]),
    )
    const parts = fc.array(fc.oneof(signs, fc.string({ unit: 'grapheme' }), fc.constant('<p>')), {
      maxLength: 30,
    })
    await fc.assert(
      fc.asyncProperty(parts, async (pieces) => {
        const found = await obstacleOf(pieces.join(' '))
        expect([null, 'garbled', ...KINDS.map(({ kind }) => kind)]).toContain(found)
      }),
      { numRuns: 100 },
    )
  })
})

describe('text that nobody can read', () => {
  const german =
    'Die Fähren fahren während der Sperrung täglich über die Brücke, und größere Schiffe müssen östlich warten. '
  const russian =
    'Смотритель маяка подрезает фитиль каждый вечер в семь часов, потому что соль высыхает на стекле. '
  test.each([
    ['UTF-8 read as windows-1252', Buffer.from(german.repeat(3)).toString('latin1')],
    ...['windows-1251', 'koi8-r'].map((charset) => [
      `Russian in UTF-8 read as ${charset}`,
      new TextDecoder(charset).decode(Buffer.from(russian.repeat(3))),
    ]),
    ...['utf-16le', 'utf-16be'].map((charset) => [
      `UTF-8 read as ${charset}`,
      new TextDecoder(charset).decode(Buffer.from(german.repeat(6))),
    ]),
    ['replacement characters', '\ufffd\ufffdb '.repeat(80)],
    ['private characters of a font', '\ue012\ue013\ue014 '.repeat(80)],
    ['data', Buffer.from(PROSE.repeat(5)).toString('base64')],
  ])('%s', async (_, text) => {
    expect(await obstacleOf(`<title>Harbour</title><p>${text}</p>`)).toBe('garbled')
  })

  test.each([
    ['German', german.repeat(3)],
    ['Russian', russian.repeat(3)],
    ['Russian in capitals', russian.toUpperCase().repeat(3)],
    ['Ukrainian in capitals', 'РІВЕНЬ РІЧКИ РІЗКО РІС: «СЁГОДНІ РЁВ № 7»! '.repeat(6)],
    [
      'Chinese',
      '港口的灯塔看守人每天晚上七点修剪黄铜灯芯，因为盐会在玻璃上变干，灯光在午夜之前就会熄灭。'.repeat(4),
    ],
    [
      'Japanese',
      '港の灯台守は毎晩七時に真鍮の灯芯を切りそろえます。ひらがなばかりのぶんもここにあります。'.repeat(4),
    ],
    [
      'French in capitals',
      'À BÂBORD ÉTAIT LE PHARE, À TRIBORD LA JETÉE, ET LÀ-BAS L’ÎLE OÙ TOUT A COMMENCÉ. '.repeat(3),
    ],
    ['one broken name in an article', `${PROSE.repeat(3)} RenÃ©e Voss`],
    ['one word without spaces', 'words'.repeat(200)],
    ['hashes', '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08 '.repeat(9)],
  ])('and not %s', async (_, text) => {
    expect(await obstacleOf(`<title>Harbour</title><p>${text}</p>`)).toBeNull()
  })
})
