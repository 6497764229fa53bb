import { expect, test } from 'vitest'
import { read } from '../fixtures.ts'

test.each([
  [
    '<ruby>川<rp>(</rp><rt>かわ</rt><rp>)</rp>獺<rp>(</rp><rt>うそ</rt><rp>)</rp></ruby>は泳ぐ。',
    '川獺は泳ぐ。',
  ],
  ['<ruby>今日<rt>きょう</ruby>は<ruby><rb>天気</rb><rt>てんき</rt></ruby>がよい。', '今日は天気がよい。'],
  ['<ruby><rb>旧<rb>金<rb>山<rt>jiù<rt>jīn<rt>shān<rtc>San Francisco</rtc></ruby>在加州。', '旧金山在加州。'],
])('a sentence is not torn by the readings above its characters: %j', async (html, text) => {
  expect((await read(`<article><p>${html}</p></article>`)).text).toBe(text)
})
