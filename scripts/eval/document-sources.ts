// Documents with known text, as flat OpenDocument XML (OASIS ODF 1.3 Part 3), which LibreOffice turns into files of all formats:
// written documents, workbooks and presentations, from the documentation and from sentences in nine languages.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { encodeXML } from 'entities'
import { lexer, type Token, type Tokens } from 'marked'

export interface DocumentSource {
  name: string
  kind: 'text' | 'sheet' | 'slides'
  /** Flat OpenDocument XML. */
  xml: string
  /** What is shown, in reading order. */
  truth: readonly string[]
  /** The same for a format that holds the first sheet alone. */
  firstTruth?: readonly string[]
}

/** A piece of a source: its XML and what of it is shown. */
interface Piece {
  xml: string
  truth: readonly string[]
}

const NAMESPACES = ['office', 'style', 'text', 'table', 'presentation', 'meta', 'drawing', 'datastyle']
  .map(
    (name) =>
      `xmlns:${name === 'drawing' ? 'draw' : name === 'datastyle' ? 'number' : name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`,
  )
  .join(' ')
const COMPATIBLE = `xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0" xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:of="urn:oasis:names:tc:opendocument:xmlns:of:1.2"`

const LANGUAGES = [
  'The tender brings coal, oil and letters on the first Monday of each quarter, weather permitting.',
  'Der Wärter löscht die Lampe erst, wenn über den Dünen die Sonne steht; Größe und Farbe schreibt er auf.',
  'À la tombée du jour, le gardien vérifie l’huile, les mèches et l’heure qu’indique l’horloge.',
  'El farero anotó la niebla, el viento del noroeste y los quince barcos que pasaron antes del alba.',
  'Смотритель записывает туман, ветер и число судов, прошедших мимо маяка до рассвета.',
  'يسجل الحارس الضباب والريح وعدد السفن التي مرت قبل الفجر.',
  '灯台守は夜明け前に通った船の数と、霧と風の向きを日誌に書きます。',
  '守灯人在日出之前记下雾、风向和经过的船只数目。',
  'Ο φαροφύλακας σημειώνει την ομίχλη, τον άνεμο και τα πλοία που πέρασαν πριν από την αυγή.',
] as const

const escaped = (text: string): string => encodeXML(text).replaceAll('\n', '<text:line-break/>')
const paragraph = (text: string, style = 'Standard'): string =>
  `<text:p text:style-name="${style}">${escaped(text)}</text:p>`

const shown = (text: string, style?: string): Piece => ({ xml: paragraph(text, style), truth: [text] })
const unshown = (xml: string): Piece => ({ xml, truth: [] })
const heading = (level: number, text: string): Piece => ({
  xml: `<text:h text:style-name="Heading_20_${level}" text:outline-level="${level}">${escaped(text)}</text:h>`,
  truth: [text],
})
const list = (items: readonly Piece[]): Piece => ({
  xml: `<text:list>${items.map(({ xml }) => `<text:list-item>${xml}</text:list-item>`).join('')}</text:list>`,
  truth: items.flatMap(({ truth }) => truth),
})

/** `spans[row][column]`: over how many columns and rows a cell reaches; the cells it covers must be ''. */
function table(
  rows: readonly (readonly string[])[],
  spans: Readonly<Record<string, readonly [number, number]>> = {},
): Piece {
  const width = Math.max(...rows.map((row) => row.length))
  const covered = new Set<string>()
  const xml = rows.map((row, at) => {
    const cells = row.map((text, column) => {
      if (covered.has(`${at}.${column}`)) return '<table:covered-table-cell/>'
      const [columns, down] = spans[`${at}.${column}`] ?? [1, 1]
      for (let y = at; y < at + down; y++)
        for (let x = column; x < column + columns; x++) covered.add(`${y}.${x}`)
      return `<table:table-cell office:value-type="string" table:number-columns-spanned="${columns}" table:number-rows-spanned="${down}">${paragraph(text)}</table:table-cell>`
    })
    return `<table:table-row>${cells.join('')}</table:table-row>`
  })
  return {
    xml: `<table:table><table:table-column table:number-columns-repeated="${width}"/>${xml.join('')}</table:table>`,
    truth: rows.flat().filter((text) => text !== ''),
  }
}

function noted(before: string, note: string, after: string): Piece {
  const xml = `<text:note text:note-class="footnote"><text:note-citation>1</text:note-citation><text:note-body>${paragraph(note)}</text:note-body></text:note>`
  return {
    xml: `<text:p text:style-name="Standard">${escaped(before)}${xml}${escaped(after)}</text:p>`,
    truth: [`${before}${after}`, note],
  }
}

/** A box beside the text, which is read where it is anchored. */
const boxed = (text: string): Piece => ({
  xml: `<text:p text:style-name="Standard"><draw:frame text:anchor-type="paragraph" svg:width="6cm" svg:height="3cm"><draw:text-box>${paragraph(text)}</draw:text-box></draw:frame></text:p>`,
  truth: [text],
})

const documented = (parts: string, body: string, kind: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?><office:document ${NAMESPACES} ${COMPATIBLE} office:version="1.3" office:mimetype="application/vnd.oasis.opendocument.${kind}"><office:meta><dc:title>Made by the eval</dc:title></office:meta>${parts}<office:body>${body}</office:body></office:document>`

const HIDDEN = 'Nobody shows this sentence, which was made hidden.'
const RUNNING = ['Head of every page', 'Foot of every page'] as const
const TEXT_STYLES = `<office:styles><style:style style:name="Standard" style:family="paragraph"/>${[1, 2, 3, 4].map((level) => `<style:style style:name="Heading_20_${level}" style:display-name="Heading ${level}" style:family="paragraph" style:default-outline-level="${level}"/>`).join('')}</office:styles>
<office:automatic-styles><style:style style:name="Hidden" style:family="text"><style:text-properties text:display="none"/></style:style>
<style:style style:name="Break" style:family="paragraph" style:parent-style-name="Standard"><style:paragraph-properties fo:break-before="page"/></style:style>
<style:style style:name="Columns" style:family="section"><style:section-properties><style:columns fo:column-count="2"/></style:section-properties></style:style>
<style:page-layout style:name="Page"><style:page-layout-properties/><style:header-style/><style:footer-style/></style:page-layout></office:automatic-styles>
<office:master-styles><style:master-page style:name="Standard" style:page-layout-name="Page"><style:header>${paragraph(RUNNING[0])}</style:header><style:footer>${paragraph(RUNNING[1])}</style:footer></style:master-page></office:master-styles>`

function textDocument(name: string, pieces: readonly Piece[]): DocumentSource {
  const body = `<office:text>${pieces.map(({ xml }) => xml).join('\n')}</office:text>`
  const truth = pieces.flatMap((piece) => piece.truth)
  return { name, kind: 'text', xml: documented(TEXT_STYLES, body, 'text'), truth }
}

/** The words of Markdown without its signs. */
function plain(tokens: readonly Token[] | undefined, text: string): string {
  if (tokens === undefined) return text
  return tokens
    .map((token) =>
      plain('tokens' in token ? token.tokens : undefined, 'text' in token ? String(token.text) : ' '),
    )
    .join('')
}

function pieceOf(token: Token): Piece[] {
  const written = token as Tokens.Generic
  if (token.type === 'heading')
    return [heading(Math.min(4, Number(written['depth'])), plain(token.tokens, ''))]
  if (token.type === 'paragraph') return [shown(plain(token.tokens, ''))]
  if (token.type === 'code') return [shown(String(token.text))]
  if (token.type === 'list') {
    const items = (written['items'] as Tokens.ListItem[]).map((item) => shown(plain(item.tokens, item.text)))
    return [list(items)]
  }
  if (token.type !== 'table') return []
  const { header, rows } = token as Tokens.Table
  return [table([header, ...rows].map((row) => row.map((cell) => plain(cell.tokens, cell.text))))]
}

/** The first parts of a page of the documentation. */
function documentationPieces(folder: string, name: string): Piece[] {
  const markdown = readFileSync(join(folder, name), 'utf8').replace(/^---[\s\S]*?---/u, '')
  return lexer(markdown).flatMap(pieceOf).slice(0, PIECES_MAX)
}

const PIECES_MAX = 40

const sentence = (at: number): string => LANGUAGES[at % LANGUAGES.length] ?? ''

function writtenDocuments(folder: string): DocumentSource[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.md'))
  const pages = [0, 4, 9, 14].map((at) => {
    const name = names[at % names.length] ?? ''
    return textDocument(`page-${name.replace('.md', '')}`, documentationPieces(folder, name))
  })
  const nested = list([
    shown('Outer first'),
    { ...list([shown('Inner first'), shown('Inner second')]) },
    shown('Outer second'),
  ])
  return [
    ...pages,
    textDocument('languages', [
      heading(1, 'Nine languages'),
      ...LANGUAGES.map((text) => shown(text)),
      nested,
    ]),
    textDocument(
      'notes',
      LANGUAGES.map((text, at) => noted(`${text} Told`, ` Note ${at}: ${sentence(at + 3)}`, ' twice.')),
    ),
    textDocument('merged-cells', [
      heading(1, 'Watches'),
      table(
        [
          ['Watch', 'Hours', ''],
          ['', 'from', 'until'],
          ['First', '18', '24'],
          ['Second', '24', '6'],
        ],
        { '0.0': [1, 2], '0.1': [2, 1] },
      ),
      shown(sentence(0)),
      table([
        ['Harbour', 'Ships'],
        ['Anholt', '41'],
        ['Brightwater', '7'],
      ]),
    ]),
    textDocument('columns-and-boxes', [
      heading(1, 'Two columns'),
      unshown('<text:section text:style-name="Columns" text:name="Columns">'),
      ...LANGUAGES.slice(0, 6).map((text) => shown(text)),
      unshown('</text:section>'),
      boxed('A box beside the text says when the lamp was lit.'),
      shown(sentence(1)),
    ]),
    textDocument('breaks-and-hidden', [
      heading(1, 'Kept and hidden'),
      shown(sentence(0)),
      unshown(`<text:p><text:span text:style-name="Hidden">${HIDDEN}</text:span></text:p>`),
      ...[2, 3, 4].flatMap((at) => [
        shown(`Page ${at}. ${sentence(at)}`, 'Break'),
        heading(2, `Part ${at}`),
        shown(sentence(at + 1)),
      ]),
    ]),
  ]
}

/** A cell: what is kept in it, and what is shown. */
interface Cell {
  attributes: string
  shown: string
}

const textCell = (text: string): Cell => ({ attributes: 'office:value-type="string"', shown: text })
const styled = (style: string, type: string, value: string, text: string): Cell => ({
  attributes: `table:style-name="${style}" office:value-type="${type}" office:${type === 'date' ? 'date-value' : 'value'}="${value}"`,
  shown: text,
})
const NOTHING: Cell = { attributes: '', shown: '' }
const SHEET_STYLES = `<office:automatic-styles>
<number:number-style style:name="N1"><number:number number:decimal-places="2" number:min-decimal-places="2" number:min-integer-digits="1" number:grouping="true"/></number:number-style>
<number:percentage-style style:name="N2"><number:number number:decimal-places="1" number:min-decimal-places="1" number:min-integer-digits="1"/><number:text>%</number:text></number:percentage-style>
<number:date-style style:name="N3"><number:year number:style="long"/><number:text>-</number:text><number:month number:style="long"/><number:text>-</number:text><number:day number:style="long"/></number:date-style>
${[1, 2, 3].map((at) => `<style:style style:name="C${at}" style:family="table-cell" style:data-style-name="N${at}"/>`).join('')}</office:automatic-styles>`

function sheet(name: string, rows: readonly (readonly Cell[])[]): Piece {
  const xml = rows.map((row) => {
    const cells = row.map(({ attributes, shown: text }) =>
      text === ''
        ? '<table:table-cell/>'
        : `<table:table-cell ${attributes}>${text
            .split('\n')
            .map((line) => `<text:p>${escaped(line)}</text:p>`)
            .join('')}</table:table-cell>`,
    )
    return `<table:table-row>${cells.join('')}</table:table-row>`
  })
  return {
    xml: `<table:table table:name="${name}">${xml.join('')}</table:table>`,
    truth: rows.flat().flatMap(({ shown: text }) => (text === '' ? [] : [text])),
  }
}

/** The name of each sheet stands above it where there are several. */
function workbook(name: string, sheets: readonly (readonly [string, Piece])[]): DocumentSource {
  const body = `<office:spreadsheet>${sheets.map(([, { xml }]) => xml).join('')}</office:spreadsheet>`
  const truth = sheets.flatMap(([title, piece]) =>
    sheets.length > 1 ? [title, ...piece.truth] : piece.truth,
  )
  const firstTruth = sheets[0]?.[1].truth ?? []
  return { name, kind: 'sheet', xml: documented(SHEET_STYLES, body, 'spreadsheet'), truth, firstTruth }
}

const named = (name: string, rows: readonly (readonly Cell[])[]): readonly [string, Piece] => [
  name,
  sheet(name, rows),
]

function workbooks(): DocumentSource[] {
  const head = ['Station', 'Measured', 'Height', 'Share'].map(textCell)
  const row = (at: number): Cell[] => [
    textCell(`Station ${at}`),
    styled(
      'C3',
      'date',
      `2024-03-${String(at + 1).padStart(2, '0')}`,
      `2024-03-${String(at + 1).padStart(2, '0')}`,
    ),
    styled(
      'C1',
      'float',
      String(1_234.5 * (at + 1)),
      (1_234.5 * (at + 1)).toLocaleString('en-US', { minimumFractionDigits: 2 }),
    ),
    styled('C2', 'percentage', String(at / 8), `${((at / 8) * 100).toFixed(1)}%`),
  ]
  const rows = (count: number) => Array.from({ length: count }, (_, at) => row(at))
  const gaps = rows(12).map((cells, at) =>
    cells.map((cell, column) => ((at + column) % 3 === 0 ? NOTHING : cell)),
  )
  const prose = LANGUAGES.map((text, at) => [
    textCell(`Entry ${at}`),
    textCell(`${text} “${at}”, said; twice`),
  ])
  const lines = LANGUAGES.map((text, at) => [textCell(`Line ${at}\nand its second`), textCell(text)])
  return [
    workbook('numbers', [named('Tides', [head, ...rows(20)])]),
    workbook('gaps', [named('Gaps', [head, ...gaps])]),
    workbook('prose', [named('Log', [[textCell('Entry'), textCell('Said')], ...prose])]),
    workbook('lines', [named('Lines', [[textCell('Key'), textCell('Value')], ...lines])]),
    workbook('several-sheets', [
      named('First', [head, ...rows(5)]),
      named('Second', prose),
      named('Third', gaps),
    ]),
    workbook('beside', [
      named('Side', [
        [NOTHING, NOTHING, ...head],
        ...rows(6).map((cells) => [NOTHING, NOTHING].concat(cells)),
      ]),
    ]),
    workbook('long', [named('Long', [head, ...Array.from({ length: 300 }, (_, at) => row(at % 28))])]),
  ]
}

const SLIDE_STYLES = `<office:automatic-styles><style:page-layout style:name="Page"><style:page-layout-properties fo:page-width="28cm" fo:page-height="21cm"/></style:page-layout>
<style:style style:name="Unshown" style:family="drawing-page"><style:drawing-page-properties presentation:visibility="hidden"/></style:style>
<style:style style:name="Shown" style:family="drawing-page"><style:drawing-page-properties/></style:style></office:automatic-styles>
<office:master-styles><style:master-page style:name="Default" style:page-layout-name="Page" draw:style-name="Shown"/></office:master-styles>`

const frame = (xml: string, at: number, kind = ''): string =>
  `<draw:frame ${kind === '' ? '' : `presentation:class="${kind}"`} svg:width="24cm" svg:height="3cm" svg:x="2cm" svg:y="${1 + at * 4}cm">${xml}</draw:frame>`
const box = (xml: string): string => `<draw:text-box>${xml}</draw:text-box>`

interface Slide {
  title: string
  pieces: readonly Piece[]
  isHidden?: boolean
}

function slideXml({ title, pieces, isHidden = false }: Slide, number: number): string {
  const body = pieces.map(({ xml }, at) =>
    frame(xml.startsWith('<table') ? xml : box(xml), at + 1, xml.startsWith('<text:list') ? 'outline' : ''),
  )
  return `<draw:page draw:name="page${number}" draw:master-page-name="Default" draw:style-name="${isHidden ? 'Unshown' : 'Shown'}">${frame(box(paragraph(title)), 0, 'title')}${body.join('')}</draw:page>`
}

function presentation(name: string, slides: readonly Slide[]): DocumentSource {
  const body = `<office:presentation>${slides.map(slideXml).join('')}</office:presentation>`
  const seen = slides.filter(({ isHidden = false }) => !isHidden)
  const truth = seen.flatMap(({ title, pieces }) => [title].concat(pieces.flatMap((piece) => piece.truth)))
  return { name, kind: 'slides', xml: documented(SLIDE_STYLES, body, 'presentation'), truth }
}

function presentations(folder: string): DocumentSource[] {
  const points = (from: number): Piece => list([0, 1, 2].map((at) => shown(sentence(from + at))))
  const page = documentationPieces(folder, 'quick-start.md').filter(
    ({ truth }) => truth.join('').length < 600,
  )
  return [
    presentation(
      'points',
      LANGUAGES.map((_, at) => ({ title: `Slide ${at}`, pieces: [points(at)] })),
    ),
    presentation(
      'boxes',
      LANGUAGES.map((text, at) => ({
        title: `Box ${at}`,
        pieces: [shown(text), shown(sentence(at + 1)), shown(sentence(at + 2))],
      })),
    ),
    presentation(
      'tables',
      [2, 3, 4].map((count) => ({
        title: `Rows ${count}`,
        pieces: [
          table([
            ['Harbour', 'Ships'],
            ...Array.from({ length: count }, (_, at) => [`Harbour ${at}`, String(40 + at)]),
          ]),
          shown(sentence(count)),
        ],
      })),
    ),
    presentation(
      'hidden-slide',
      [0, 1, 2, 3].map((at) => ({
        title: `Kept ${at}`,
        pieces: [shown(at === 2 ? HIDDEN : sentence(at))],
        isHidden: at === 2,
      })),
    ),
    presentation(
      'documentation',
      page.slice(0, 12).map((piece, at) => ({ title: `Part ${at}`, pieces: [piece] })),
    ),
    presentation(
      'titles-alone',
      LANGUAGES.map((text) => ({ title: text, pieces: [] })),
    ),
  ]
}

/** Twenty-two sources; `documentation` is a folder of Markdown. */
export const documentSources = (documentation: string): DocumentSource[] => [
  ...writtenDocuments(documentation),
  ...workbooks(),
  ...presentations(documentation),
]
