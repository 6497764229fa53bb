import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSentenceFinder } from '../../../src/extract/passages/sentences.ts'

const split = (language: string | null, text: string): string[] =>
  createSentenceFinder(language)(text).map(({ start, end }) => text.slice(start, end))

test('the marks of sources stay with the sentence that they follow, as an encyclopedia writes them', () => {
  const sentences = [
    'The town was founded in 1702.[1]',
    'The lighthouse is 31 metres tall.[2][3]',
    'It was painted red in 1955.[4]: 12',
    'A railway came later.¹²',
    '(See the map.)[5]',
    'The rest is lost.[6]',
  ]
  expect(split('en', sentences.join(' '))).toEqual(sentences)
  expect(split('ja', '灯台は高い。[1]港は古い。[2][3]町は静かだ。')).toEqual([
    '灯台は高い。[1]',
    '港は古い。[2][3]',
    '町は静かだ。',
  ])
  expect(split('en', 'It was so.\n[1] Smith, John.\n[2] Brown, Ann.')).toEqual([
    'It was so.',
    '[1] Smith, John.',
    '[2] Brown, Ann.',
  ])
})

test.each([
  [
    'ja',
    ['灯台は高い。', '「夜には光が届く」と田中さんは話す。', '（写真は昨年のもの。）', '『海』を読んだ。'],
  ],
  [
    'ja',
    ['「本当ですか？」と聞いた。', '彼は「はい。そうです。」と答えた。', '『君の名は。』は2016年の映画だ。'],
  ],
  ['ja', ['「そうだ。」', 'とても嬉しかった。']],
  ['zh', ['灯塔高三十一米。', '“夜里灯光很远。”', '《港口史》记载了它。', '（见第3页）']],
  ['ko', ['"멀리 간다."라고 그가 말했다.', '"정말요?"라고 물었다.', '그는 “좋다.”며 웃었다.']],
])('a quotation in %s begins with its mark and is not parted from who speaks', (language, sentences) => {
  expect(split(language, sentences.join(language === 'ko' ? ' ' : ''))).toEqual(sentences)
})

test.each([
  ['th', 'เปิดใช้งานในปี พ.ศ. 2445 ประภาคารสูง 31 ม. เปิดเวลา 10.00 น. ถึง 17.00 น. ติดต่อ ผศ.ดร.สมชาย'],
  ['de', 'Es gilt z. B. München, u. a. Berlin und Dr. med. Schmidt.'],
  ['ar', 'افتتح د. أحمد الميناء مع أ.د. محمد.'],
  ['el', 'Ο κ. Παπαδόπουλος και η κα. Ελένη μένουν εδώ.'],
  ['vi', 'TP. Hồ Chí Minh và TS. Trần có 9 triệu dân.'],
  ['uk', 'У м. Київ на вул. Хрещатик стоїть будинок.'],
  ['hi', 'डॉ. शर्मा और प्रो. वर्मा ने कहा कि ऊँचाई 31 मी. है।'],
  ['tr', 'Prof. Dr. Ahmet ve Doç. Dr. Ayşe geldi.'],
])('a stop that shortens a word ends no sentence in %s', (language, sentence) => {
  expect(split(language, sentence)).toEqual([sentence])
})

test.each([
  ['ru', ['Высота маяка составляет 31 м.', '«Ночью свет виден», — говорит он.']],
  ['en', ['We met at 5 p.m.', 'The train had left.']],
])('a unit or an hour may end a sentence in %s', (language, sentences) => {
  expect(split(language, sentences.join(' '))).toEqual(sentences)
})

test('a line that begins with the end of a sentence goes on with it, as wrapped Chinese does', () => {
  const wrapped = '多半受到排斥，甚至遭到迫害\n。尔後的事情大家都知道'
  expect(split('zh', wrapped)).toEqual(['多半受到排斥，甚至遭到迫害\n。', '尔後的事情大家都知道'])
  expect(split('en', 'devices expected by 2025 (\nStatista\n), the cloud grows.').at(-1)).toBe(
    'Statista\n), the cloud grows.',
  )
})

test('sentences come in order, apart from each other, and leave out nothing but white space', () => {
  const parts = fc.constantFrom(
    '.',
    '。',
    '！',
    '?',
    '[1]',
    '[',
    ']',
    '「',
    '」',
    '“',
    '”',
    '(',
    ')',
    ' ',
    '\n',
    'Word',
    'ก',
    '灯',
    'と',
    '라고',
    'a',
    '3',
    '¹',
    '*',
  )
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 60 }), (given) => {
      const text = given.join('')
      let end = 0
      for (const span of createSentenceFinder('en')(text)) {
        expect(text.slice(end, span.start).trim()).toBe('')
        expect(span.end).toBeGreaterThan(span.start)
        end = span.end
      }
      expect(text.slice(end).trim()).toBe('')
    }),
    { numRuns: 2_000 },
  )
})
