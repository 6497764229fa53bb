import fc from 'fast-check'
import iconv from 'iconv-lite'
import { describe, expect, it } from 'vitest'
import { decodeText, type DecodedText } from '../../../src/pages/fetch/charset.ts'
import { sniffMediaType } from '../../../src/pages/fetch/media-type.ts'

const decode = (
  bytes: Uint8Array,
  contentType: string | null = null,
  mediaType = 'text/html',
): Promise<DecodedText> => decodeText(bytes, { contentType, mediaType, truncated: false })

const bytesOf = (text: string, charset: string): Uint8Array => iconv.encode(text, charset)

const SENTENCES: Record<string, string> = {
  shift_jis: 'これは日本語の文章です。東京は日本の首都であり、世界最大の都市の一つです。①～',
  'euc-jp': 'これは日本語の文章です。東京は日本の首都であり、世界最大の都市の一つです。',
  gb18030: '这是一个中文的句子。北京是中华人民共和国的首都,也是全国的政治中心。',
  gbk: '这是一个中文的句子。北京是中华人民共和国的首都,也是全国的政治中心。',
  big5: '這是一個中文的句子。臺北是中華民國的首都,也是政治中心。',
  'euc-kr': '이것은 한국어 문장입니다. 서울은 대한민국의 수도이며 가장 큰 도시입니다. 뷁',
  'windows-1250': 'Příliš žluťoučký kůň úpěl ďábelské ódy. Řeka teče pod mostem.',
  'windows-1251': 'Это предложение на русском языке. Москва является столицей России.',
  'windows-1252': 'Dies ist ein Satz über Öl, Größe und „Übermut“ – der Fluß fließt gemütlich für 5 €.',
  'windows-1253': 'Αυτή είναι μια πρόταση στα ελληνικά. Η Αθήνα είναι η πρωτεύουσα.',
  'windows-1254': 'Bu Türkçe bir cümledir. İstanbul büyük bir şehirdir, güneşli ve ılık.',
  'windows-1255': 'זהו משפט בעברית. ירושלים היא עיר הבירה.',
  'windows-1256': 'هذه جملة باللغة العربية. القاهرة هي عاصمة مصر.',
  'windows-1257': 'Šis ir teikums latviešu valodā. Rīga ir galvaspilsēta.',
  'windows-874': 'นี่คือประโยคภาษาไทย กรุงเทพเป็นเมืองหลวงของประเทศไทย',
  'iso-8859-2': 'Příliš žluťoučký kůň úpěl ďábelské ódy.',
  'koi8-r': 'Это предложение на русском языке. Москва является столицей России.',
  'utf-8': 'Grüße, 日本語, العربية und 👩‍👩‍👧.',
}

describe('a named encoding is read', () => {
  for (const [charset, sentence] of Object.entries(SENTENCES)) {
    it(`${charset}: by the header, by <meta charset>, by http-equiv, by the XML declaration`, async () => {
      const html = (head: string) =>
        `<!doctype html><html><head>${head}<title>t</title></head><body><p>${sentence}</p></body></html>`
      const cases: [string, string | null, DecodedText['source'], string][] = [
        [html(''), `text/html; charset=${charset}`, 'header', 'text/html'],
        [html(''), `text/html;charset="${charset.toUpperCase()}"; x=y`, 'header', 'text/html'],
        [html(`<meta charset="${charset}">`), 'text/html', 'document', 'text/html'],
        [html(`<META CHARSET=${charset}>`), null, 'document', 'text/html'],
        [
          html(`<meta content='text/html; charset=${charset}' http-equiv=content-type>`),
          null,
          'document',
          'text/html',
        ],
        [
          `<?xml version="1.0" encoding="${charset}"?><a>${sentence}</a>`,
          null,
          'document',
          'application/xml',
        ],
      ]
      for (const [text, contentType, source, mediaType] of cases) {
        const found = await decode(bytesOf(text, charset), contentType, mediaType)
        expect(found.text).toBe(text)
        expect(found.source).toBe(source)
      }
    })
  }

  it.each([
    ['latin1', 'windows-1252'],
    ['iso-8859-1', 'windows-1252'],
    ['ascii', 'windows-1252'],
    ['x-sjis', 'shift_jis'],
    ['gb2312', 'gbk'],
    ['ks_c_5601-1987', 'euc-kr'],
    ['utf8', 'utf-8'],
    ['cp437', 'cp437'],
  ])('%s means what browsers mean by it: %s', async (label, charset) => {
    expect((await decode(Buffer.from('plain'), `text/plain; charset=${label}`)).charset).toBe(charset)
  })
})

describe('the order of what is believed', () => {
  const german = bytesOf('Grüße', 'utf-8')
  it('a byte-order mark before the header', async () => {
    const marked = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), german])
    expect(await decode(marked, 'text/html; charset=windows-1252')).toEqual({
      text: 'Grüße',
      charset: 'utf-8',
      source: 'bom',
    })
  })

  it.each([
    ['utf-16le', [0xff, 0xfe, 0x68, 0x00]],
    ['utf-16be', [0xfe, 0xff, 0x00, 0x68]],
  ])('the mark of %s, too', async (charset, bytes) => {
    const found = await decode(Uint8Array.from(bytes), 'text/html; charset=utf-8')
    expect(found).toEqual({ text: 'h', charset, source: 'bom' })
  })

  it.each([
    [[0xff, 0x41]],
    [[0x41, 0xfe]],
    [[0xfe, 0x41]],
    [[0x41, 0xff]],
    [[0xef, 0xbb, 0x41]],
    [[0xef, 0x41, 0xbf]],
    [[0x41, 0xbb, 0xbf]],
  ])('half a mark is none: %j', async (bytes) => {
    expect((await decode(Uint8Array.from(bytes), 'text/html; charset=windows-1251')).source).toBe('header')
  })

  it.each([
    ['text/html ; charset = "windows-1251"', '<p>Москва', 'text/html', 'header'],
    [null, '<meta charset = " windows-1251">Москва', 'text/html', 'document'],
    [null, "\n<?xml version='1.0' encoding = 'windows-1251'?><a>Москва", 'text/xml', 'document'],
    [
      null,
      '<?xml version="1.0" encoding="windows-1251"?><meta charset="shift_jis">Москва',
      'text/html',
      'document',
    ],
  ] as const)('whatever its spaces: %s, %s', async (contentType, text, mediaType, source) => {
    expect(await decode(bytesOf(text, 'windows-1251'), contentType, mediaType)).toEqual({
      text,
      charset: 'windows-1251',
      source,
    })
  })

  it('a declaration of XML that does not begin the document is none', async () => {
    const text = 'x<?xml version="1.0" encoding="shift_jis"?>Grüße'
    expect(await decode(bytesOf(text, 'utf-8'), null, 'text/xml')).toMatchObject({ text, source: 'detected' })
  })

  it('the header before the document', async () => {
    const html = bytesOf('<meta charset="shift_jis"><p>Grüße', 'utf-8')
    expect((await decode(html, 'text/html; charset=utf-8')).text).toContain('Grüße')
  })

  it('a header that names nothing known is passed by', async () => {
    expect((await decode(german, 'text/html; charset=klingon')).text).toBe('Grüße')
    expect((await decode(german, 'text/html; charset=')).text).toBe('Grüße')
  })

  it('a declaration inside a comment, or in a text that is no markup, is none', async () => {
    expect((await decode(bytesOf('<!-- <meta charset="shift_jis"> --><p>Grüße', 'utf-8'))).text).toContain(
      'Grüße',
    )
    expect(
      (await decode(bytesOf('<meta charset="shift_jis"> Grüße', 'utf-8'), null, 'text/plain')).text,
    ).toContain('Grüße')
  })

  it('a declaration of UTF-16 that could be read is UTF-8', async () => {
    expect((await decode(bytesOf('<meta charset="utf-16le"><p>Grüße', 'utf-8'))).text).toContain('Grüße')
  })

  it('a declaration after a long script is found', async () => {
    const html = `<html><head><script>${'x'.repeat(3_000)}</script><meta charset="windows-1251">Москва`
    expect((await decode(bytesOf(html, 'windows-1251'))).text).toBe(html)
  })
})

describe('an encoding that nobody names is detected', () => {
  const DETECTED = Object.entries(SENTENCES).filter(
    ([charset]) => !['iso-8859-2', 'windows-1257', 'gbk'].includes(charset),
  )
  it.each(DETECTED)('%s', async (charset, sentence) => {
    const html = `<html><head><title>x</title></head><body><p>${sentence.replace('뷁', '').repeat(3)}</p></body></html>`
    expect(await decode(bytesOf(html, charset))).toMatchObject({ text: html, source: 'detected' })
  })

  it.each(['utf-16le', 'utf-16be'])('%s with and without its mark', async (charset) => {
    const html =
      '<html><head><title>Plain</title></head><body><p>Plain English text é in sixteen bits.</p></body></html>'
    for (const addBOM of [true, false])
      expect((await decode(iconv.encode(html, charset, { addBOM }))).text).toBe(html)
  })

  it('UTF-16 without its mark, of ASCII alone', async () => {
    const text = 'Plain English text, repeated until it is known. '.repeat(20)
    expect((await decode(iconv.encode(text, 'utf-16le', { addBOM: false }))).text).toBe(text)
  })

  it.each(['utf-16le', 'utf-16be'])(
    '%s without its mark, with typographic quotes and dashes, is text and read as such',
    async (charset) => {
      const text = '“Quotes” – it’s what ‘typographic’ means… and nothing else.\r\nA second line.'
      const bytes = iconv.encode(text, charset, { addBOM: false })
      expect(sniffMediaType('text/plain', bytes)).toBe('text/plain')
      expect((await decode(bytes)).text).toBe(text)
    },
  )

  it('bytes with NUL on one side alone that are no text are none', () => {
    const counted = Buffer.from(Uint16Array.from({ length: 400 }, (_, index) => index % 256).buffer)
    expect(sniffMediaType('text/plain', counted)).toBe('application/octet-stream')
  })

  it.each([
    ['half a character', [0xd0]],
    ['a byte of another encoding', [0xe9]],
  ])('UTF-8 in which a program has left %s', async (_, stray) => {
    const [before, after] = ['Это предложение на русском языке. ', ' Москва является столицей России.']
    const bytes = Buffer.concat([Buffer.from(before), Buffer.from(stray), Buffer.from(after)])
    expect((await decode(bytes, 'text/plain', 'text/plain')).text).toBe(`${before}\uFFFD${after}`)
  })

  it.each(['windows-1252', 'windows-1251', 'utf-8'])(
    '%s of which the first letter beyond ASCII stands after much text without one',
    async (charset) => {
      const text = `${'Plain words of a long book, line upon line.\n'.repeat(5_000)}${SENTENCES[charset]?.repeat(3)}`
      expect((await decode(bytesOf(text, charset), 'text/plain', 'text/plain')).text).toBe(text)
    },
  )

  it('ISO-2022-JP, in which mail is kept, by its escapes', async () => {
    const bytes = Buffer.from('\u001B$BF|K\\8l$NEE;R%a!<%k\u001B(B mail', 'latin1')
    expect((await decode(bytes, 'text/plain', 'text/plain')).text).toBe('日本語の電子メール mail')
  })

  it('UTF-8 whose sample ends inside a character', async () => {
    const text = `${'a'.repeat(65_535)}ü and more ü`
    expect(await decode(bytesOf(text, 'utf-8'))).toMatchObject({ text, charset: 'utf-8' })
  })

  it('what fits nothing is windows-1252', async () => {
    expect((await decode(Uint8Array.from([0x41, 0xe9, 0x42]))).text).toBe('AéB')
    expect((await decode(new Uint8Array())).text).toBe('')
  })
})

it('a body that was cut inside a character loses that character alone', async () => {
  for (const charset of ['utf-8', 'shift_jis', 'gb18030', 'euc-kr', 'big5', 'utf-16le']) {
    const bytes = bytesOf('日日日', charset)
    const hints = { contentType: `text/html; charset=${charset}`, mediaType: 'text/html', truncated: true }
    expect((await decodeText(bytes.subarray(0, bytes.length - 1), hints)).text).toBe('日日')
  }
})

it('what a body shows for a character is cut off its end alone, and only when it was cut', async () => {
  const hints = { contentType: 'text/html; charset=utf-8', mediaType: 'text/html' }
  const bytes = Buffer.from('a\uFFFDb\uFFFD\uFFFD')
  expect((await decodeText(bytes, { ...hints, truncated: true })).text).toBe('a\uFFFDb')
  expect((await decodeText(bytes, { ...hints, truncated: false })).text).toBe('a\uFFFDb\uFFFD\uFFFD')
})

it('characters of Hong Kong are read in Big5', async () => {
  const text = '佢哋嘅嘢喺呢度'
  expect((await decode(bytesOf(text, 'big5hkscs'), 'text/html; charset=big5')).text).toBe(text)
})

it('any bytes with any header become text, never an error', async () => {
  const labels = fc.oneof(
    fc.constantFrom(
      ...Object.keys(SENTENCES),
      'utf-16be',
      'iso-2022-jp',
      'x-user-defined',
      'replacement',
      'utf-7',
    ),
    fc.string(),
  )
  await fc.assert(
    fc.asyncProperty(
      fc.uint8Array({ maxLength: 300 }),
      fc.option(labels),
      fc.constantFrom('text/html', 'text/xml', 'text/plain'),
      async (bytes, label, mediaType) => {
        const contentType = label === null ? null : `${mediaType}; charset=${label}`
        expect(typeof (await decode(bytes, contentType, mediaType)).text).toBe('string')
      },
    ),
    { numRuns: 500 },
  )
})

it('any text in UTF-8 comes back as it was', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'grapheme' }), async (text) => {
      fc.pre(!text.startsWith('\u{FEFF}'))
      expect((await decode(Buffer.from(text), 'text/plain; charset=utf-8')).text).toBe(text)
    }),
  )
})

describe('a long text', () => {
  // Pieces of the text end within a character, whatever its length in bytes.
  const BYTES_MIN = 1_000_000
  it.each(Object.entries(SENTENCES))(
    'in %s is decoded in turns, and as a whole',
    async (charset, sentence) => {
      const bytes = bytesOf(sentence, charset)
      const times = Math.ceil(BYTES_MIN / bytes.length)
      const whole = Buffer.concat(Array.from({ length: times }, () => bytes))
      let [turns, isDecoded] = [0, false]
      const turn = (): void => {
        turns += 1
        if (!isDecoded) setImmediate(turn)
      }
      setImmediate(turn)
      const { text } = await decode(whole, `text/html; charset=${charset}`)
      isDecoded = true
      expect(text === (await decode(bytes, `text/html; charset=${charset}`)).text.repeat(times)).toBe(true)
      expect(turns).toBeGreaterThan(2)
    },
  )
})
