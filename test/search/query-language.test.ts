import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseSearchRequest } from '../../src/contract.ts'
import { chooseLanguage, languageOfQuery } from '../../src/search/query-language.ts'

test.each([
  ['Как отозвать ключ API', 'ru'],
  ['Як відкликати ключ доступу до сервісу', 'uk'],
  ['如何撤销密钥', 'zh'],
  ['APIキーを取り消す方法', 'ja'],
  ['API 키를 취소하는 방법', 'ko'],
  ['كيف ألغي مفتاح الوصول', 'ar'],
  ['Πώς ανακαλώ ένα κλειδί', 'el'],
  ['כיצד מבטלים מפתח', 'he'],
  ['मैं कुंजी कैसे रद्द करूं', 'hi'],
  ['ฉันจะยกเลิกคีย์ได้อย่างไร', 'th'],
])('a query in another script than ours decides: %s is %s', (query, language) => {
  expect(languageOfQuery(query)).toBe(language)
})

test.each([
  ['Wie widerrufe ich einen API-Schlüssel im Dashboard?', 'de'],
  ['hur återkallar jag en nyckel i tjänsten', 'sv'],
  ['come revocare una chiave API nella console', 'it'],
  ['jak mogę odwołać klucz API', 'pl'],
  ['hải đăng cao bao nhiêu', 'vi'],
  ['giá vàng hôm nay bao nhiêu', 'vi'],
  ['thủ tục làm hộ chiếu online', 'vi'],
])('a sentence that is plainly in a language decides: %s is %s', (query, language) => {
  expect(languageOfQuery(query)).toBe(language)
})

test.each([
  'How long does a professional certificate in graphic design on edX take?',
  'Is SEO dead in 2026?',
  'What was Iqbal studying in England and Germany?',
  'How to store focaccia bread?',
  'zoho crm enterprise price per user',
  'steam deck oled charging time 20 to 80 percent',
  'the latin phrase parens patriae was used to refer to',
  'how to cook phở bò at home',
  'Nguyễn Phú Trọng biography early life',
  'Sigur Rós Hoppípolla lyrics meaning',
])('an English question with foreign names in it stays English: %s', (query) => {
  expect([null, 'en']).toContain(languageOfQuery(query))
})

test.each(['Schlüssel widerrufen', 'clave API', 'nyckel', '42', '🔑', 'München Wetter'])(
  'a few words tell nothing: %s',
  (query) => {
    expect(languageOfQuery(query)).toBeNull()
  },
)

const requestOf = (body: Record<string, unknown>) => {
  const parsed = parseSearchRequest(body)
  if (!parsed.ok) throw new Error('the request of this test is invalid')
  return parsed.request
}

test('a language that the caller names is never overruled, and English is what is left', () => {
  const german = 'Wie widerrufe ich einen API-Schlüssel im Dashboard?'
  expect(chooseLanguage(requestOf({ query: german, language: 'en' }))).toEqual({
    language: 'en',
    source: 'request',
  })
  expect(chooseLanguage(requestOf({ query: german }))).toEqual({ language: 'de', source: 'query' })
  expect(chooseLanguage(requestOf({ query: 'keys' }))).toEqual({ language: 'en', source: 'default' })
})

test('any query gets a language tag or none', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 2_000 }), (query) => {
      expect(languageOfQuery(query) ?? 'en').toMatch(/^[a-z]{2,3}$/u)
    }),
  )
})
