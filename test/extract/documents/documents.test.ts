import { describe, expect, test } from 'vitest'
import type { PageText } from '../../../src/extract/document.ts'
import { cutPassages } from '../../../src/extract/passages/cut-passages.ts'
import { placeAt } from '../../../src/search/proof/place-in-document.ts'
import { read, readFixtureBytes, textOf } from '../fixtures.ts'
import { zipOf } from '../../support/zip.ts'
import { MEDIA_TYPES } from './media-types.ts'

const { docx, xlsx, pptx, odt, ods, odp, epub } = MEDIA_TYPES

const open = (name: string, mediaType: string): Promise<PageText> =>
  read(readFixtureBytes(`documents/${name}`), { mediaType })

const placeOf = (page: PageText, words: string) => placeAt(page.places, page.text.indexOf(words))

const LIGHTHOUSE = [
  'Keeping the lamp',
  'The lamp is lit half an hour before sunset and burns until the sun has risen.',
  'Sunset is that of the almanac.',
  'Two keepers share the night; the first watch ends at one o’clock.',
  'Trim the wick every four hours.\nWipe the lens with chamois.',
  'Stores',
  'Oil and wicks',
  'The tender brings stores on the first Monday of each quarter.',
  'Item\tQuantity\tShelf\nColza oil\t240 gallons\tLower vault\nWicks\t12 dozen\tLamp room',
  'Anything missing is told to the inspector at Größeney.',
].join('\n\n')

describe.each([
  ['DOCX', 'lighthouse.docx', docx],
  ['ODT', 'lighthouse.odt', odt],
])('a text document, %s as LibreOffice writes it', async (_, name, mediaType) => {
  const page = await open(name, mediaType)

  test('all that is shown is read in its order, with each note after its paragraph, and nothing hidden', () => {
    expect(page.text).toBe(LIGHTHOUSE)
  })

  test('paragraphs stand under their headings, rows under the names of their columns', () => {
    const found = page.blocks.map((block) => ({ text: textOf(page, block), headings: block.headings }))
    expect(found).toContainEqual({
      text: 'Wicks\t12 dozen\tLamp room',
      headings: ['Stores', 'Oil and wicks', 'Item · Quantity · Shelf'],
    })
  })

  test('title, dates and language come from the file', () => {
    expect(page).toMatchObject({
      title: 'Lighthouse handbook',
      language: { code: 'en', source: 'attribute' },
    })
    expect(page.publishDate?.iso).toMatch(/^2024-05-01/u)
    expect(page.lastUpdated?.iso).toMatch(/^2024-06-03/u)
  })
})

test('the pages of a text document are told where its file tells all of them', async () => {
  const page = await open('lighthouse.odt', odt)
  expect(placeOf(page, 'Sunset is that')).toEqual({ kind: 'page', number: 1, name: null })
  expect(placeOf(page, 'Anything missing')).toEqual({ kind: 'page', number: 2, name: null })
})

test('a text document whose file does not tell its pages claims none', async () => {
  expect((await open('lighthouse.docx', docx)).places).toBeUndefined()
})

describe.each([
  ['XLSX', 'tides.xlsx', xlsx],
  ['ODS', 'tides.ods', ods],
])('a workbook, %s as LibreOffice writes it', async (_, name, mediaType) => {
  const page = await open(name, mediaType)

  test('values stand as the workbook shows them, and a hidden sheet is not read', () => {
    expect(page.text).toBe(
      [
        'Tides',
        'Harbour\tMeasured on\tHeight in m\tShare\nAnholt\t2024-03-09\t4.25\t12.5%\nBrightwater\t2024-03-10\t8.5\t87.5%',
        'Keepers',
        'Name\tStation\nIda Holm\tAnholt light, since 1901 & still',
      ].join('\n\n'),
    )
  })

  test('no passage runs from one sheet to the next', () => {
    const passages = cutPassages(page, { overlap: false, limit: 10 }).map(({ text }) => text.split('\n')[0])
    expect(passages).toEqual(['Tides', 'Keepers'])
  })

  test('a passage knows its sheet', () => {
    expect(placeOf(page, 'Brightwater')).toEqual({ kind: 'sheet', number: 1, name: 'Tides' })
    expect(placeOf(page, 'Ida Holm')).toEqual({ kind: 'sheet', number: 2, name: 'Keepers' })
  })
})

describe.each([
  ['PPTX', 'harbour.pptx', pptx],
  ['ODP', 'harbour.odp', odp],
])('a presentation, %s as LibreOffice writes it', async (_, name, mediaType) => {
  const page = await open(name, mediaType)

  test('slides are read under their titles, without what only the speaker sees', () => {
    expect(page.text).toBe(
      [
        'Harbour review 2024',
        'Ships rose by nine per cent.\nThe southern quay reopened in May.',
        'What comes next',
        'The new crane is ordered and arrives in the autumn of 2025.',
      ].join('\n\n'),
    )
    expect(page.blocks.at(-1)?.headings).toEqual(['What comes next'])
  })

  test('a passage knows its slide', () => {
    expect(placeOf(page, 'The new crane')).toEqual({ kind: 'slide', number: 2, name: null })
  })
})

test('a book is read chapter by chapter, in its reading order', async () => {
  const page = await open('lighthouse.epub', epub)
  expect(page).toMatchObject({ title: 'Lighthouse handbook', language: { code: 'en' } })
  expect(page.text.indexOf('Keeping the lamp')).toBeLessThan(page.text.indexOf('Oil and wicks'))
  expect(placeOf(page, 'Colza oil')).toMatchObject({ kind: 'chapter', number: 2 })
})

test('what closes itself in a chapter, which is XHTML, takes nothing of the chapter away', async () => {
  const chapters = [
    '<title/>',
    '<title>Two</title><script src="a.js"/>',
    '<style/>',
    '<title>Four</title>',
  ].map((head, index) => ({
    name: `${index}.xhtml`,
    content: `<?xml version="1.0"?><html><head>${head}</head><body>
        <p hidden="hidden"/><p><a id="page"/>Chapter ${index} tells of lamps.</p></body></html>`,
  }))
  const items = chapters.map(
    ({ name }) => `<item id="${name}" href="${name}" media-type="application/xhtml+xml"/>`,
  )
  const order = chapters.map(({ name }) => `<itemref idref="${name}"/>`)
  const container = '<container><rootfiles><rootfile full-path="book.opf"/></rootfiles></container>'
  const book = `<package><manifest>${items.join('')}</manifest><spine>${order.join('')}</spine></package>`
  const parts = [
    { name: 'META-INF/container.xml', content: container },
    { name: 'book.opf', content: book },
  ]
  const page = await read(zipOf([...parts, ...chapters]), { mediaType: epub })
  expect(page.text.match(/Chapter \d tells of lamps\./gu)).toHaveLength(chapters.length)
  expect(page.text).not.toContain('<')
})

describe('what Word marks', () => {
  const paragraph = (inner: string): string => `<w:p>${inner}</w:p>`
  const run = (inner: string): string => `<w:r>${inner}</w:r>`
  const words = (text: string): string => run(`<w:t xml:space="preserve">${text}</w:t>`)
  const wordOf = (body: string): Promise<PageText> =>
    read(
      zipOf([{ name: 'word/document.xml', content: `<w:document><w:body>${body}</w:body></w:document>` }]),
      {
        mediaType: docx,
      },
    )

  test('pages are counted by the breaks of the last showing, one that is told twice once', async () => {
    const page = await wordOf(
      [
        paragraph(words('One.') + run('<w:br w:type="page"/>')),
        paragraph(run('<w:lastRenderedPageBreak/><w:t>Two begins.</w:t>')),
        paragraph(words('It runs over') + run('<w:lastRenderedPageBreak/><w:t> to three.</w:t>')),
        paragraph(words('Three.')),
      ].join(''),
    )
    const numbers = ['One.', 'Two begins.', 'It runs over to three.', 'Three.'].map(
      (text) => placeOf(page, text)?.number,
    )
    expect(numbers).toEqual([1, 2, 2, 3])
  })

  test('text that was taken out, and the older form of a drawing, are not read', async () => {
    const page = await wordOf(
      paragraph(words('Kept ') + '<w:del><w:r><w:delText>gone </w:delText></w:r></w:del>' + words('words.')) +
        paragraph(
          run(
            '<mc:AlternateContent><mc:Choice><w:txbxContent><w:p><w:r><w:t>In a box.</w:t></w:r></w:p></w:txbxContent></mc:Choice><mc:Fallback><w:p><w:r><w:t>In a box.</w:t></w:r></w:p></mc:Fallback></mc:AlternateContent>',
          ),
        ),
    )
    expect(page.text).toBe('Kept words.\n\nIn a box.')
  })

  test('a sentence is not torn by the readings above its characters', async () => {
    const ruby = `<w:ruby><w:rt>${words('かわうそ')}</w:rt><w:rubyBase>${words('川獺')}</w:rubyBase></w:ruby>`
    const page = await wordOf(paragraph(run(ruby) + words('は泳ぐ。')))
    expect(page.text).toBe('川獺は泳ぐ。')
    const content =
      '<office:document-content><office:text><text:p><text:ruby><text:ruby-base>川獺</text:ruby-base>' +
      '<text:ruby-text>かわうそ</text:ruby-text></text:ruby>は泳ぐ。</text:p></office:text></office:document-content>'
    const parts = [
      { name: 'mimetype', content: odt, isStored: true },
      { name: 'content.xml', content },
    ]
    expect((await read(zipOf(parts), { mediaType: odt })).text).toBe('川獺は泳ぐ。')
  })
})

describe('what an author has hidden is not read', () => {
  test('paragraphs and words in a style of Word that hides them, or that is based on one', async () => {
    const style = (id: string, inner: string) => `<w:style w:styleId="${id}">${inner}</w:style>`
    const hides = '<w:rPr><w:vanish/></w:rPr>'
    const styles = [
      style('Hidden', hides),
      style('Child', '<w:basedOn w:val="Hidden"/>'),
      style('Shown', '<w:basedOn w:val="Hidden"/><w:rPr><w:vanish w:val="0"/></w:rPr>'),
    ]
    const paragraph = (id: string, run: string) =>
      `<w:p><w:pPr><w:pStyle w:val="${id}"/></w:pPr><w:r>${run}</w:r></w:p>`
    const body = [
      paragraph('None', '<w:t>Kept.</w:t>'),
      ...['Hidden', 'Child'].map((id) => paragraph(id, '<w:t>Gone.</w:t>')),
      paragraph('Shown', '<w:t>Kept, too.</w:t>'),
      paragraph('Hidden', '<w:rPr><w:vanish w:val="false"/></w:rPr><w:t>Shown again.</w:t>'),
      paragraph('None', '<w:rPr><w:rStyle w:val="Child"/></w:rPr><w:t>Gone as a run.</w:t>'),
    ]
    const bytes = zipOf([
      {
        name: 'word/document.xml',
        content: `<w:document><w:body>${body.join('')}</w:body></w:document>`,
      },
      { name: 'word/styles.xml', content: `<w:styles>${styles.join('')}</w:styles>` },
    ])
    expect((await read(bytes, { mediaType: docx })).text).toBe('Kept.\n\nKept, too.\n\nShown again.')
  })

  describe('words of Word in white on paper, or of a point', () => {
    const run = (properties: string, text: string) =>
      `<w:r><w:rPr>${properties}</w:rPr><w:t>${text}</w:t></w:r>`
    const white = '<w:color w:val="FFFFFF"/>'
    const paragraph = (inner: string, properties = '') => `<w:p><w:pPr>${properties}</w:pPr>${inner}</w:p>`
    const readBody = async (body: string, parts: Record<string, string> = {}): Promise<string> => {
      const bytes = zipOf([
        { name: 'word/document.xml', content: `<w:document><w:body>${body}</w:body></w:document>` },
        ...Object.entries(parts).map(([name, content]) => ({ name: `word/${name}`, content })),
      ])
      return (await read(bytes, { mediaType: docx })).text
    }
    const kept = paragraph(run('', 'Kept.'))
    const gone = paragraph(run(white, 'White words.'))

    test('are left out', async () => {
      const body = [
        paragraph(run('', 'Kept.') + run(white, ' Gone.') + run('<w:color w:val="000000"/>', ' Black.')),
        paragraph(run('<w:color w:val="FEFEFE" w:themeColor="background1"/>', 'Gone, too.')),
        paragraph(run('<w:sz w:val="2"/>', 'Gone in a point.') + run('<w:sz w:val="3"/>', 'Small.')),
      ]
      expect(await readBody(body.join(''))).toBe('Kept. Black.\n\nSmall.')
    })

    test.each([
      ['on a shaded run', paragraph(run(`${white}<w:shd w:val="clear" w:fill="1F3864"/>`, 'White words.'))],
      ['highlighted', paragraph(run(`${white}<w:highlight w:val="black"/>`, 'White words.'))],
      [
        'in a shaded paragraph',
        paragraph(run(white, 'White words.'), '<w:shd w:val="clear" w:fill="1F3864"/>'),
      ],
      ['in a shaded style', paragraph(run(white, 'White words.'), '<w:pStyle w:val="Band"/>')],
      ['with an outline', paragraph(run(`${white}<w14:textOutline w14:w="9525"/>`, 'White words.'))],
      ['in a table', `<w:tbl><w:tr><w:tc>${gone}</w:tc></w:tr></w:tbl>`],
      [
        'beside a picture that is no part of a line',
        gone + paragraph('<w:r><w:drawing><wp:anchor behindDoc="1"/></w:drawing></w:r>'),
      ],
      [
        'before they were changed to black',
        paragraph(
          run(`<w:color w:val="000000"/><w:rPrChange><w:rPr>${white}</w:rPr></w:rPrChange>`, 'White words.'),
        ),
      ],
      [
        'of a point, in a script whose size is told elsewhere',
        paragraph(run('<w:sz w:val="2"/>', 'كلمات White words.')),
      ],
    ])('stay %s', async (_where, body) => {
      const styles =
        '<w:styles><w:style w:styleId="Band"><w:pPr><w:shd w:fill="1F3864"/></w:pPr></w:style></w:styles>'
      expect(await readBody(kept + body, { 'styles.xml': styles })).toContain('White words.')
    })

    test('stay where a header, or the page, has a colour or a picture of its own', async () => {
      const header = '<w:hdr><w:p><w:r><w:pict><v:rect fillcolor="black"/></w:pict></w:r></w:p></w:hdr>'
      const relationships = '<Relationships><Relationship Id="rId1" Target="header1.xml"/></Relationships>'
      const parts = { '_rels/document.xml.rels': relationships, 'header1.xml': header }
      expect(await readBody(kept + gone, parts)).toContain('White words.')
      expect(await readBody(kept + gone, { ...parts, 'header1.xml': '<w:hdr/>' })).not.toContain(
        'White words.',
      )
      const styles =
        '<w:styles><w:style w:type="paragraph" w:default="1"><w:pPr><w:shd w:fill="000000"/></w:pPr></w:style></w:styles>'
      expect(await readBody(kept + gone, { 'styles.xml': styles })).toContain('White words.')
    })
  })

  test('shapes of a slide, and all that a hidden group holds', async () => {
    const shape = (words: string, mark = '') =>
      `<p:sp><p:nvSpPr><p:cNvPr id="2" ${mark}/></p:nvSpPr><p:txBody><a:p><a:r><a:t>${words}</a:t></a:r></a:p></p:txBody></p:sp>`
    const picture = '<p:pic><p:nvPicPr><p:cNvPr id="3" hidden="1"/></p:nvPicPr></p:pic>'
    const group = `<p:grpSp><p:nvGrpSpPr><p:cNvPr id="4" hidden="1"/></p:nvGrpSpPr>${shape('Gone in a group.')}</p:grpSp>`
    const slide = `<p:sld><p:spTree><p:nvGrpSpPr><p:cNvPr id="1"/></p:nvGrpSpPr>${shape('Kept.')}${shape('Gone.', 'hidden="1"')}${group}${picture}${shape('Kept, too.')}</p:spTree></p:sld>`
    const bytes = zipOf([
      { name: 'ppt/presentation.xml', content: '<p:presentation><p:sldId r:id="r1"/></p:presentation>' },
      {
        name: 'ppt/_rels/presentation.xml.rels',
        content: '<Relationships><Relationship Id="r1" Target="slides/slide1.xml"/></Relationships>',
      },
      { name: 'ppt/slides/slide1.xml', content: slide },
    ])
    expect((await read(bytes, { mediaType: pptx })).text).toBe('Kept.\n\nKept, too.')
  })

  test('sections and paragraphs of an OpenDocument text', async () => {
    const section = (display: string, words: string) =>
      `<text:section ${display}><text:p>${words}</text:p></text:section>`
    const hiding = (isHidden: boolean) =>
      `<text:hidden-paragraph text:condition="x" text:is-hidden="${String(isHidden)}">x</text:hidden-paragraph>`
    const body = [
      '<text:p>Kept.</text:p>',
      section('text:display="none"', 'Gone.'),
      section('text:display="condition" text:is-hidden="true"', 'Gone by a condition.'),
      section('text:display="condition" text:condition="x"', 'Kept by a condition.'),
      `<text:p>${hiding(true)}Gone with its paragraph.</text:p>`,
      `<text:p>${hiding(false)}Kept, too.</text:p>`,
    ]
    const bytes = zipOf([
      { name: 'mimetype', content: odt, isStored: true },
      {
        name: 'content.xml',
        content: `<office:document-content><office:text>${body.join('')}</office:text></office:document-content>`,
      },
    ])
    expect((await read(bytes, { mediaType: odt })).text).toBe('Kept.\n\nKept by a condition.\n\nKept, too.')
  })
})

test('a slide says what its diagrams say, point under point', async () => {
  const point = (id: number, words: string, type = 'node') =>
    `<dgm:pt modelId="${id}" type="${type}"><dgm:t><a:p><a:r><a:t>${words}</a:t></a:r></a:p></dgm:t></dgm:pt>`
  const under = (source: number, id: number, order: number, type = 'parOf') =>
    `<dgm:cxn srcId="${source}" destId="${id}" srcOrd="${order}" type="${type}"/>`
  const points = [
    '<dgm:pt modelId="0" type="doc"/>',
    point(3, 'Oil it'),
    point(2, 'Light it'),
    point(1, 'The lamp'),
    point(9, 'Places others', 'pres'),
  ]
  const connections = [
    under(0, 1, 0),
    under(1, 2, 1),
    under(1, 3, 0),
    under(3, 9, 0, 'presOf'),
    under(2, 1, 0),
  ]
  const frame = (mark: string, id: string) =>
    `<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="4" ${mark}/></p:nvGraphicFramePr><a:graphic><a:graphicData><dgm:relIds r:dm="${id}"/></a:graphicData></a:graphic></p:graphicFrame>`
  const relation = '<Relationship Id="r5" Target="../diagrams/data1.xml"/>'
  const slide = `<p:sld><p:spTree>${frame('', 'r5')}${frame('hidden="1"', 'r5')}${frame('', 'r6')}</p:spTree></p:sld>`
  const bytes = zipOf([
    {
      name: '_rels/.rels',
      content: '<Relationships><Relationship Id="r1" Target="ppt/presentation2.xml"/></Relationships>',
    },
    { name: 'ppt/presentation2.xml', content: '<p:presentation><p:sldId r:id="r1"/></p:presentation>' },
    {
      name: 'ppt/_rels/presentation2.xml.rels',
      content: '<Relationships><Relationship Id="r1" Target="slides/slide1.xml"/></Relationships>',
    },
    { name: 'ppt/slides/slide1.xml', content: slide },
    { name: 'ppt/slides/_rels/slide1.xml.rels', content: `<Relationships>${relation}</Relationships>` },
    {
      name: 'ppt/diagrams/data1.xml',
      content: `<dgm:dataModel><dgm:ptLst>${points.join('')}</dgm:ptLst><dgm:cxnLst>${connections.join('')}</dgm:cxnLst></dgm:dataModel>`,
    },
  ])
  expect((await read(bytes, { mediaType: pptx })).text).toBe('The lamp\nOil it\nLight it')
})

test('a slide is read without a diagram that is damaged', async () => {
  const frame =
    '<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="4"/></p:nvGraphicFramePr><a:graphic><a:graphicData><dgm:relIds r:dm="r5"/></a:graphicData></a:graphic></p:graphicFrame>'
  const words = '<p:sp><p:txBody><a:p><a:r><a:t>The lamp is lit</a:t></a:r></a:p></p:txBody></p:sp>'
  const relation = (id: string, target: string) =>
    `<Relationships><Relationship Id="${id}" Target="${target}"/></Relationships>`
  const bytes = zipOf([
    { name: 'ppt/presentation.xml', content: '<p:presentation><p:sldId r:id="r1"/></p:presentation>' },
    { name: 'ppt/_rels/presentation.xml.rels', content: relation('r1', 'slides/slide1.xml') },
    { name: 'ppt/slides/slide1.xml', content: `<p:sld><p:spTree>${words}${frame}</p:spTree></p:sld>` },
    { name: 'ppt/slides/_rels/slide1.xml.rels', content: relation('r5', '../diagrams/data1.xml') },
    { name: 'ppt/diagrams/data1.xml', content: '<dgm:dataModel/>', claimedBytes: 3 },
  ])
  expect((await read(bytes, { mediaType: pptx })).text).toBe('The lamp is lit')
})

test('columns that a workbook hides are not read, however far out they stand', async () => {
  const cell = (place: string, text: string) => `<c r="${place}" t="inlineStr"><is><t>${text}</t></is></c>`
  const row = (number: number, words: string[]) =>
    `<row r="${number}">${['A', 'B', 'C', 'XB'].map((letters, at) => cell(`${letters}${number}`, words[at] ?? '')).join('')}</row>`
  const sheet = `<worksheet><cols><col min="2" max="2" hidden="1"/><col min="600" max="700" hidden="true"/></cols><sheetData>${row(1, ['Keeper', 'Wage', 'Hour', 'Note'])}${row(2, ['Ida', 'secret', 'seven', 'hidden'])}</sheetData></worksheet>`
  const relation = '<Relationship Id="r1" Target="worksheets/sheet1.xml"/>'
  const bytes = zipOf([
    { name: 'xl/workbook.xml', content: '<workbook><sheets><sheet name="A" r:id="r1"/></sheets></workbook>' },
    { name: 'xl/_rels/workbook.xml.rels', content: `<Relationships>${relation}</Relationships>` },
    { name: 'xl/worksheets/sheet1.xml', content: sheet },
  ])
  expect((await read(bytes, { mediaType: xlsx })).text).toBe('Keeper\tHour\nIda\tseven')
})

describe('CSV', () => {
  const csv = (content: string) =>
    read(content, { mediaType: 'text/csv', url: 'https://a.example/prices%20now.csv' })

  test('fields are read, whatever parts them, with line breaks and signs inside their quotes', async () => {
    const page = await csv('Name;Price\r\n"Oak; ""solid""\nboard";"1,50"\r\nPine;2,00\r\n')
    expect(page.text).toBe('Name\tPrice\nOak; "solid" board\t1,50\nPine\t2,00')
    expect(page.blocks[1]?.headings).toEqual(['Name · Price'])
    expect(page.title).toBe('prices now.csv')
  })

  test('a file that is longer than is read keeps its records where the limit falls inside quotes', async () => {
    const record = `Pine,"${'soft\n'.repeat(4_000)}"\n`
    const page = await csv(`Name,Notes\n${record.repeat(60)}`)
    expect(page.isCut).toBe(true)
    expect(page.text).toMatch(/^Name\tNotes\nPine\tsoft soft /u)
  })

  test('a quote that nothing closes is a sign like any other, and costs no record', async () => {
    const page = await csv('Name,Size\n"Öak, red","5"\nPéar,"6 inch\nElm,7\nYew,8')
    expect(page.text).toBe('Name\tSize\nÖak, red\t5\nPéar\t"6 inch\nElm\t7\nYew\t8')
    const rest = 'Pine,"tall and green"\n'.repeat(6_000)
    const long = await csv(`Name,Size\nYew,"5 inch\n${'Fir,8\n'.repeat(20_000)}${rest}`)
    expect(long.text).toMatch(/^Name\tSize\nYew\t"5 inch\nFir\t8\n/u)
    expect((await csv('a,b\n"never closed,1\n2,3')).text).toBe('a\tb\n"never closed\t1\n2\t3')
  })

  test('a first line that tells Excel what parts the fields is obeyed, and is no record', async () => {
    const page = await csv('sep=;\r\nName;Price, net\r\nOak, solid;1,50\r\n')
    expect(page.text).toBe('Name\tPrice, net\nOak, solid\t1,50')
  })

  test('a field as long as the outline of a country costs no other', async () => {
    const outline = `"POLYGON ((${'12.345 56.789, '.repeat(20_000)}))"`
    const page = await csv(`Name,Shape,Capital\nFrance,${outline},Paris\nMalta,x,Valletta\n`)
    expect(page.text).toMatch(
      /^Name\tShape\tCapital\nFrance\tPOLYGON [^\t\n]{200000,}\tParis\nMalta\tx\tValletta$/u,
    )
    expect((await csv(`a,b\n"${'x'.repeat(300_000)}`)).text).toMatch(/^a\tb\n"x{300000}$/u)
  })
})
