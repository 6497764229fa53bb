import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findDate, parseStamp } from '../../../src/extract/dates/parse-date.ts'
import { NOW, read } from '../fixtures.ts'

const US = { now: NOW, firstNumber: 'month' } as const
const UK = { now: NOW, firstNumber: 'day' } as const

describe('dates written for people', () => {
  test.each([
    ['March 5, 2019', '2019-03-05'],
    ['5th of March 2019', '2019-03-05'],
    ['Posted on Sept. 7, 2021 by Ann', '2021-09-07'],
    ['3. März 2023, 21:14', '2023-03-03'],
    ['le 14 février 2020', '2020-02-14'],
    ['14 de marzo de 2018', '2018-03-14'],
    ['2 czerwca 2017', '2017-06-02'],
    ['12 мая 2022', '2022-05-12'],
    ['2024年5月1日', '2024-05-01'],
    ['2020년 3월 2일', '2020-03-02'],
    ['01.02.2015', '2015-02-01'],
    ['2016/07/08', '2016-07-08'],
    ['20140930', '2014-09-30'],
    ['2024. 3. 5.', '2024-03-05'],
    ['입력 2024. 03. 05. 오전 9:10', '2024-03-05'],
    ['令和6年3月5日', '2024-03-05'],
    ['令和元年5月1日', '2019-05-01'],
    ['２０２４年３月５日（火）', '2024-03-05'],
    ['2024・3・5', '2024-03-05'],
    ['民國113年3月5日', '2024-03-05'],
    ['ngày 5 tháng 3 năm 2024', '2024-03-05'],
    ['05 Tháng Ba, 2024', '2024-03-05'],
    ['5 มีนาคม 2567', '2024-03-05'],
    ['5 มีนาคม พ.ศ. 2567', '2024-03-05'],
    ['5 มีนาคม ค.ศ. 2024', '2024-03-05'],
    ['5 มี.ค. 67 10:20', '2024-03-05'],
    ['05/03/2567', '2024-03-05'],
    ['2024. 03. 05.', '2024-03-05'],
    ['2024. március 5., kedd', '2024-03-05'],
    ['2024 m. kovo 5 d.', '2024-03-05'],
    ['2024. gada 5. marts', '2024-03-05'],
    ['5 במרץ 2024', '2024-03-05'],
    ['٥ مارس، ٢٠٢٤', '2024-03-05'],
    ['५ मार्च २०२४', '2024-03-05'],
    ['৫ মার্চ, ২০২৪', '2024-03-05'],
    ['5 сакавіка 2024 г.', '2024-03-05'],
    ['5. Mrz. 2024', '2024-03-05'],
    ['5/Mar/2024', '2024-03-05'],
    ['2024-Mar-05', '2024-03-05'],
    ['Tue Mar  5 10:00:00 UTC 2024', '2024-03-05'],
  ])('%s', (text, day) => {
    expect(findDate(text, UK)?.iso).toBe(day)
  })

  test('every language that ICU can write a date in among the forty most read is understood, long, short and in numbers', () => {
    const languages =
      'en-GB de fr es it pt nl sv da nb fi pl cs sk hu ro bg sr sl uk ru el tr id ms vi ca et lv lt gl ar he hi th ko ja zh bn'
    const unread: string[] = []
    for (const language of languages.split(' '))
      for (const dateStyle of ['full', 'long', 'medium'] as const)
        for (const month of [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]) {
          const format = new Intl.DateTimeFormat(`${language}-u-ca-gregory`, { dateStyle, timeZone: 'UTC' })
          const text = format.format(Date.UTC(2024, month, 21))
          const day = `2024-${String(month + 1).padStart(2, '0')}-21`
          if (findDate(text, UK)?.day !== day) unread.push(`${language}: ${text}`)
        }
    expect(unread).toEqual([])
  })

  test.each(['ราคา 2567 บาท', '2567', '令和の時代', '第5回 3月'])(
    'no date in other calendars: %s',
    (text) => {
      expect(findDate(text, UK)).toBeNull()
    },
  )

  test('03/04/2020 is March in American English and April elsewhere; 13/04/2020 can only be April', () => {
    expect(findDate('03/04/2020', US)?.day).toBe('2020-03-04')
    expect(findDate('03/04/2020', UK)?.day).toBe('2020-04-03')
    expect(findDate('13/04/2020', US)?.day).toBe('2020-04-13')
  })

  test('a year of two digits stands where the language of the page has it', async () => {
    const dayOf = async (lang: string) => {
      const page = await read(`<html lang="${lang}"><body><h1>x</h1><p>19.03.02</p></body></html>`)
      return page.publishDate?.iso
    }
    expect([await dayOf('ja'), await dayOf('de')]).toEqual(['2019-03-02', '2002-03-19'])
    expect(findDate('2019. 3. 2.', { now: NOW, firstNumber: 'year' })?.day).toBe('2019-03-02')
  })

  test('an order of day and month that gives no day before tomorrow gives way to the other', () => {
    expect(findDate('12/03/2026', { now: new Date('2026-11-23'), firstNumber: 'month' })?.day).toBe(
      '2026-03-12',
    )
    expect(findDate('12.16.2025', UK)?.day).toBe('2025-12-16')
    expect(findDate('12.06.2025', UK)?.day).toBe('2025-06-12')
  })

  test.each([
    '31 February 2020',
    '2019-02-29',
    '2021-13-01',
    '45.12.2020',
    'version 1.2.3',
    '1899-01-01',
    'call 2021 234',
  ])('no date: %s', (text) => {
    expect(findDate(text, UK)).toBeNull()
  })

  test('a day later than today anywhere on earth is refused, today is not', () => {
    expect(findDate('2026-01-17', UK)).toBeNull()
    expect(findDate('2026-01-15', UK)?.day).toBe('2026-01-15')
    expect(findDate('2026-01-16', UK)?.day).toBe('2026-01-16')
  })
})

describe('dates written for machines', () => {
  test.each([
    ['2024-05-01T10:15:30+02:00', '2024-05-01T10:15:30+02:00'],
    ['2024-05-01T10:15:30.123Z', '2024-05-01T10:15:30Z'],
    ['2024-05-01T10:15-0500', '2024-05-01T10:15:00-05:00'],
    ['2024-05-01 10:15:30', '2024-05-01'],
    ['20240501T101530Z', '2024-05-01T10:15:30Z'],
    ['Wed, 01 May 2024 10:15:30 GMT', '2024-05-01T10:15:30Z'],
    ['Wed, 01 May 2024 10:15:30 +0900', '2024-05-01T10:15:30+09:00'],
    ['1714558530', '2024-05-01T10:15:30Z'],
    ['1714558530000', '2024-05-01T10:15:30Z'],
  ])('%s keeps its zone', (value, iso) => {
    expect(parseStamp(value, US)?.iso).toBe(iso)
  })

  test('a moment in the future is refused', () => {
    expect(parseStamp('2026-01-15T20:00:00Z', US)).toBeNull()
    expect(parseStamp('9999999999', US)).toBeNull()
  })

  test('any text gives a date that exists and is not in the future, or none', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^[0-9:TZ .\-/+]{0,30}$/u)),
        (text) => {
          const date = parseStamp(text, US)
          if (date === null) return
          expect(Date.parse(date.iso)).not.toBeNaN()
          expect(Date.parse(date.day)).toBeLessThan(NOW.getTime() + 86_400_000)
          expect(date.iso.slice(0, 10)).toBe(date.day)
        },
      ),
    )
  })
})

const page = (head: string, body = '') => `<html lang="en"><head>${head}</head><body>${body}</body></html>`
const ld = (json: unknown) => `<script type="application/ld+json">${JSON.stringify(json)}</script>`

describe('which date of a page is believed', () => {
  test('JSON-LD of the article before meta, meta before <time>, <time> before a byline', async () => {
    const article = ld({ '@graph': [{ '@type': 'NewsArticle', datePublished: '2021-01-01' }] })
    const meta = '<meta property="article:published_time" content="2021-01-02">'
    const time = '<h1>T</h1><p><time datetime="2021-01-03">x</time></p>'
    const byline = '<p class="date">4 January 2021</p>'
    expect((await read(page(article + meta, time + byline))).publishDate).toEqual({
      iso: '2021-01-01',
      source: 'json-ld',
    })
    expect((await read(page(meta, time + byline))).publishDate).toEqual({ iso: '2021-01-02', source: 'meta' })
    expect((await read(page('', time + byline))).publishDate).toEqual({
      iso: '2021-01-03',
      source: 'time-element',
    })
    expect((await read(page('', `<h1>T</h1>${byline}`))).publishDate).toEqual({
      iso: '2021-01-04',
      source: 'byline',
    })
  })

  test.each([
    ['hyphens in a name of meta', page('<meta name="published-date" content="2021-02-16">')],
    [
      'RDFa',
      page('', '<p>by <span property="dc:date dc:created" content="2021-02-16T18:44:31+02:00">x</span></p>'),
    ],
  ])('%s', async (_, html) => {
    expect((await read(html)).publishDate?.iso.slice(0, 10)).toBe('2021-02-16')
  })

  test('the date in the address when the page says nothing', async () => {
    const { publishDate } = await read(page('', '<p>text</p>'), {
      url: 'https://example.org/2019/07/23/story',
    })
    expect(publishDate).toEqual({ iso: '2019-07-23', source: 'url' })
  })

  test.each([
    ['/2019/july/23/story', '2019-07-23'],
    ['/2019/Sep/3/story', '2019-09-03'],
  ])('the date in the address with its month as a word: %s', async (path, iso) => {
    const { publishDate } = await read(page('', '<p>text</p>'), { url: `https://example.org${path}` })
    expect(publishDate).toEqual({ iso, source: 'url' })
  })

  test('a stamp in a zone of its own before the address, which may be a day off', async () => {
    const stamped = (published: string) =>
      read(page(ld({ '@type': 'Article', datePublished: published })), {
        url: 'https://example.org/2019/07/23/story',
      })
    expect((await stamped('2019-07-24T08:00:00+02:00')).publishDate?.source).toBe('json-ld')
    expect((await stamped('2019-07-24T02:00:00Z')).publishDate?.source).toBe('url')
    expect((await stamped('2019-07-24T02:00:00+00:00')).publishDate?.source).toBe('url')
  })

  test.each([
    ['en', '<li id="lastmod"> This page was last edited on 5 January 2021, at 10:00 (UTC).</li>'],
    ['en', '<p>&copy; Copyright 2019–2021, Authors. <span>Last updated on Jan 05, 2021.</span></p>'],
    ['en', '<p>Last update: <span>2021-01-05</span></p>'],
    ['de', '<p>Zuletzt geändert am 5. Januar 2021</p>'],
    ['fr', '<p>Dernière mise à jour : 5 janvier 2021</p>'],
    ['ja', '<p>最終更新 2021年1月5日 (火) 10:00</p>'],
  ])(
    'the last change of the page that its footer tells in so many words, in %s: %s',
    async (_language, said) => {
      const prose =
        '<p>The boats come in the morning and leave in the evening, as they always did.</p>'.repeat(30)
      const body = `<main><h1>T</h1>${prose}</main><footer>${said}</footer>`
      expect((await read(page('', body))).lastUpdated).toEqual({ iso: '2021-01-05', source: 'byline' })
    },
  )

  test('no day on which something else changed that the text tells of', async () => {
    const prose =
      '<p>The list of all boats in this harbour, which the keepers of it keep for everybody to read who comes to the town by ' +
      'land or by sea, was last updated on 5 January 2021, as the oldest of them told us when we asked him.</p>'
    expect((await read(page('', `<h1>T</h1>${prose.repeat(3)}`))).lastUpdated).toBeNull()
  })

  test('a byline beside the heading, whatever the names of what is around them', async () => {
    const body =
      '<article class="node--promoted related"><h1>T</h1><footer><p class="secondary-text">4 January 2021</p></footer></article>'
    expect((await read(page('', body))).publishDate).toEqual({ iso: '2021-01-04', source: 'byline' })
  })

  test('a byline beside a lower heading that the title speaks of, where no h1 is', async () => {
    const body =
      '<div class="sidebar_content"><h3>Bees sleep at night</h3><p>27 Sep 2016</p><p>Text.</p></div><div class="widget"><li class="date">9 September 2019</li></div>'
    expect((await read(page('<title>Bees sleep at night</title>', body))).publishDate?.iso).toBe('2016-09-27')
  })

  test.each([
    [
      'an earlier day on its face: it was published again',
      '2022-10-24T12:40:59+00:00',
      '8 Oct 2022',
      '2022-10-08',
    ],
    ['the next day on its face, late in Greenwich', '2021-11-04T23:00:00Z', '5 Nov 2021', '2021-11-05'],
    ['the day before on its face, by another zone', '2021-12-10T02:17:00Z', '9 Dec 2021', '2021-12-10'],
    [
      'a later day on its face, which may be of an update',
      '2021-12-10T02:17:00Z',
      '1 Feb 2022',
      '2021-12-10',
    ],
  ])('a page that tells machines one day and people %s', async (_, told, shown, day) => {
    const head = `<meta property="article:published_time" content="${told}">`
    const { publishDate } = await read(page(head, `<h1>T</h1><p class="date">${shown}</p>`))
    expect(publishDate?.iso.slice(0, 10)).toBe(day)
  })

  test.each([
    ['the day of the visit, far above the heading', '<time datetime="2025-12-31">x</time>'],
    ['the same in words', '<p class="date">Wed, 31 Dec 2025</p>'],
    ['the day on which somebody joined', '<h1>T</h1><p>Joined: 31 Dec 2025</p>'],
    ['a post that is quoted', '<h1>T</h1><blockquote><p>31 Dec 2025</p></blockquote>'],
    ['a page that a card leads to', '<a href="/b"><p class="date">31 Dec 2025</p><p>Another page</p></a>'],
  ])('not %s', async (_, other) => {
    const menu = '<p>Menu</p>'.repeat(8)
    const body = `${other}${menu}<h1>Bees</h1><p>Text.</p><p>News, 4 Jan 2021, 22:11</p>`
    expect((await read(page('<title>Bees</title>', body))).publishDate?.iso).toBe('2021-01-04')
  })

  test('the dateline of a first paragraph, and no date within one', async () => {
    const prose =
      ' The market began the year well, and nobody knows why it did so, say all who were asked.'.repeat(4)
    const dateOf = async (text: string) => (await read(page('', `<h1>T</h1><p>${text}</p>`))).publishDate?.iso
    expect(await dateOf(`01.02.2022${prose}`)).toBe('2022-02-01')
    expect(await dateOf(`${prose} on 01.02.2022`)).toBeUndefined()
  })

  test('a property that a site names after its own fashion', async () => {
    const head = '<meta property="photos:uploaded" content="2013-02-16T04:36:36-05:00">'
    expect((await read(page(head))).publishDate?.iso).toBe('2013-02-16T04:36:36-05:00')
  })

  test('dates of comments, related pages and reviews are not the page’s', async () => {
    const body =
      '<h1>T</h1><div class="comments"><time datetime="2020-05-05">x</time></div>' +
      '<div class="related-posts"><time datetime="2020-06-06">x</time></div>'
    expect(
      (await read(page(ld({ '@type': 'Review', datePublished: '2020-04-04' }), body))).publishDate,
    ).toBeNull()
  })

  test('a day in a caption or a source is that of the picture or the source', async () => {
    const meta = '<meta property="article:published_time" content="2023-11-02T19:53:52">'
    const picture =
      '<h1>T</h1><figure><img src="a.jpg"><figcaption><p class="date">The field on March 24, 2014</figcaption></figure>'
    expect((await read(page(meta, picture))).publishDate?.iso).toBe('2023-11-02')
    const source = '<h1>T</h1><p>text</p><ol><li><cite class="date">The Paper, 6 September 1998</cite></ol>'
    expect((await read(page(meta, source))).publishDate?.iso).toBe('2023-11-02')
  })

  test('JSON-LD that is broken by a line break still tells its dates', async () => {
    const broken =
      '<script type="application/ld+json">{"headline":"two\nlines","datePublished":"2022-02-02","dateModified":"2022-03-03"}</script>'
    const { publishDate, lastUpdated } = await read(page(broken))
    expect([publishDate?.iso, lastUpdated?.iso]).toEqual(['2022-02-02', '2022-03-03'])
  })

  test('a visible "last updated" is the update, not the publication', async () => {
    const body =
      '<h1>T</h1><p class="meta">Published 2 May 2020</p><p class="meta">Last updated 9 June 2021</p>'
    const { publishDate, lastUpdated } = await read(page('', body))
    expect([publishDate?.iso, lastUpdated?.iso]).toEqual(['2020-05-02', '2021-06-09'])
  })

  test('Last-Modified is the last resort, for the update alone', async () => {
    const lastModified = '2023-08-09T10:11:12Z'
    const silent = await read(page('', '<p>text</p>'), { lastModified })
    expect(silent.publishDate).toBeNull()
    expect(silent.lastUpdated).toEqual({ iso: lastModified, source: 'header' })
    const telling = await read(page('<meta name="dcterms.modified" content="2022-01-01">'), { lastModified })
    expect(telling.lastUpdated).toEqual({ iso: '2022-01-01', source: 'meta' })
  })

  test('an update before the publication is not believed', async () => {
    const dates = ld({ '@type': 'Article', datePublished: '2022-02-02', dateModified: '2021-01-01' })
    expect(await read(page(dates))).toMatchObject({ publishDate: { iso: '2022-02-02' }, lastUpdated: null })
  })

  test('a future date is passed over for a possible one', async () => {
    const meta = '<meta property="article:published_time" content="2031-01-01">'
    const { publishDate } = await read(page(meta, '<h1>T</h1><p class="date">4 January 2021</p>'))
    expect(publishDate?.iso).toBe('2021-01-04')
  })
})

describe('dates that a page gives and that are not believed are told', () => {
  test('with where they stand: those more than a day from the ones that are, each day once', async () => {
    const article = ld({ '@type': 'NewsArticle', datePublished: '2021-01-01', dateModified: '2021-03-01' })
    const meta =
      '<meta property="article:published_time" content="2020-12-24"><meta name="date" content="2020-12-24">' +
      '<meta property="og:updated_time" content="2021-03-02T01:00:00+02:00">'
    const { publishDate, lastUpdated, otherDates } = await read(page(article + meta))
    expect([publishDate?.iso, lastUpdated?.iso]).toEqual(['2021-01-01', '2021-03-01'])
    expect(otherDates).toEqual([
      { iso: '2020-12-24', source: 'meta', says: 'published', reason: 'less_trusted' },
    ])
  })

  test('an update before the publication is told as the contradiction that it is', async () => {
    const dates = ld({ '@type': 'Article', datePublished: '2022-02-02', dateModified: '2021-01-01' })
    expect((await read(page(dates))).otherDates).toEqual([
      { iso: '2021-01-01', source: 'json-ld', says: 'updated', reason: 'updated_before_published' },
    ])
  })

  test('at most five, and none where all agree', async () => {
    const months = ['01', '03', '05', '07', '09', '11'].map((month) => `2020-${month}-15`)
    const many = months.map((day) => `<meta property="article:published_time" content="${day}">`).join('')
    const latest = ld({ '@type': 'Article', datePublished: '2021-01-01' })
    expect((await read(page(latest + many))).otherDates?.map(({ iso }) => iso)).toEqual(months.slice(0, 5))
    expect(await read(page(latest))).not.toHaveProperty('otherDates')
  })
})
