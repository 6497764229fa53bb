import fc from 'fast-check'
import { Parser } from 'htmlparser2'
import { describe, expect, test } from 'vitest'
import { createMarkupFilter } from '../../../src/pages/fetch/markup-filter.ts'

/** `html` in pieces of these lengths, the last one as long as it takes. */
function filtered(html: string, ration = 0, lengths: readonly number[] = []): string {
  const bytes = Buffer.from(html, 'utf8')
  const filter = createMarkupFilter({ script: ration, style: ration })
  const parts: Buffer[] = []
  let at = 0
  for (const length of [...lengths, bytes.length]) {
    parts.push(filter.push(bytes.subarray(at, at + length)))
    at += length
  }
  return Buffer.concat([...parts, filter.end()]).toString('utf8')
}

describe('of a page is kept', () => {
  test.each([
    [
      'all but the text of scripts and styles',
      '<style>p {}</style><p>a</p><script src="x">var y = "<p>"</script><p>é</p>',
      '<style></style><p>a</p><script src="x"></script><p>é</p>',
    ],
    [
      'data for machines',
      '<script type="application/ld+json">{"a":1}</script>',
      '<script type="application/ld+json">{"a":1}</script>',
    ],
    [
      'what looks like a script inside a comment',
      '<!-- <script> --><p>seen</p>',
      '<!-- <script> --><p>seen</p>',
    ],
    ['what follows an empty comment', '<!--><script>x</script>seen', '<!--><script></script>seen'],
    ['what looks like a script inside a style', '<style>/*<script>*/</style>seen', '<style></style>seen'],
    [
      'a tag with ">" in a value',
      '<SCRIPT data-a="a>b">x</SCRIPT >seen',
      '<SCRIPT data-a="a>b"></SCRIPT >seen',
    ],
    ['an element that is called alike', '<scripts>seen</scripts>', '<scripts>seen</scripts>'],
    ['what stands before a script that never ends', '<p>seen</p><script>x', '<p>seen</p><script>'],
  ])('%s', (_, html, expected) => {
    expect(filtered(html)).toBe(expected)
  })

  test('so much of the scripts, and of the styles, as was asked for', () => {
    expect(filtered('<script>123456</script><script>789</script>seen', 4)).toBe(
      '<script>1234</script><script></script>seen',
    )
    expect(filtered('<style>12</style><script>345</script><style>678</style>seen', 4)).toBe(
      '<style>12</style><script>345</script><style>67</style>seen',
    )
  })
})

const markup = fc
  .array(
    fc.constantFrom(
      '<script>',
      '<script type="application/json">',
      '</script>',
      '</SCRIPT >',
      '<style>',
      '</style>',
      '<!--',
      '-->',
      '<textarea>',
      '</textarea>',
      '<title>',
      '</title>',
      '<p class="a>b">',
      '</p>',
      'words',
      ' é 漢 ',
      '<',
      '"',
      '<scr',
      'ipt>',
      '<!',
      '<a ',
      ' b="',
      " c='",
      '</sty',
      '</',
      '/',
      '>',
      '-',
    ),
    { maxLength: 30 },
  )
  .map((parts) => parts.join(''))

test('however a page is cut into pieces, the same is kept', () => {
  fc.assert(
    fc.property(
      markup,
      fc.nat(40),
      fc.array(fc.integer({ min: 1, max: 12 }), { maxLength: 30 }),
      (html, left, lengths) => {
        expect(filtered(html, left, lengths)).toBe(filtered(html, left))
      },
    ),
  )
})

/** What a parser tells of a page, without the text of styles and of scripts that are no data. */
function parsed(html: string): string[] {
  const told: string[] = []
  let isRationed = false
  const parser = new Parser({
    onopentag: (name, attributes) => {
      isRationed = name === 'style' || (name === 'script' && attributes['type'] === undefined)
      told.push(`<${name} ${JSON.stringify(attributes)}>`)
    },
    ontext: (text) => {
      if (!isRationed) told.push(text)
    },
    onclosetag: (name) => {
      isRationed = false
      told.push(`</${name}>`)
    },
  })
  parser.end(html)
  return [told.join('')]
}

test('what is kept of any page reads as the whole does', () => {
  fc.assert(
    fc.property(markup, (html) => {
      expect(parsed(filtered(html))).toEqual(parsed(html))
    }),
    { numRuns: 500 },
  )
})
