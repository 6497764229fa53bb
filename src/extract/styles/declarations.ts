// The declarations of a CSS block, as far as they can hide text or end a line.

/** What is read of a style: shorthands and directions are folded into one name where the difference does not matter. */
const PROPERTIES = [
  'display',
  'visibility',
  'content-visibility',
  'opacity',
  'filter',
  'font-size',
  'color',
  'background',
  'background-clip',
  'position',
  'left',
  'top',
  'right',
  'bottom',
  'margin-left',
  'margin-top',
  'text-indent',
  'clip',
  'clip-path',
  'width',
  'height',
  'max-width',
  'max-height',
  'least-size',
  'overflow',
  'transform',
  'scale',
  'motion',
  'white-space',
] as const

export type StyleProperty = (typeof PROPERTIES)[number]

/** Values in lower case, without `!important`. */
export type Style = Partial<Record<StyleProperty, string>>

export interface Declaration {
  readonly property: StyleProperty
  readonly value: string
  readonly important: boolean
}

/** A `display` of which is only known that it is not `none`. */
export const SOME_DISPLAY = 'some'

const FOLDED: ReadonlyMap<string, StyleProperty> = new Map<string, StyleProperty>([
  ...PROPERTIES.map((name) => [name, name] as const),
  ['font', 'font-size'],
  ['white-space-collapse', 'white-space'],
  ['background-color', 'background'],
  ['-webkit-background-clip', 'background-clip'],
  ['min-width', 'least-size'],
  ['min-height', 'least-size'],
  ['flex', 'least-size'],
  ['flex-grow', 'least-size'],
  ['flex-basis', 'least-size'],
  ['inline-size', 'width'],
  ['block-size', 'height'],
  ['max-inline-size', 'max-width'],
  ['max-block-size', 'max-height'],
  ['overflow-x', 'overflow'],
  ['overflow-y', 'overflow'],
  ['inset-inline-start', 'left'],
  ['-webkit-clip-path', 'clip-path'],
  ['-webkit-transform', 'transform'],
  ['animation', 'motion'],
  ['animation-name', 'motion'],
  ['-webkit-animation', 'motion'],
  ['transition', 'motion'],
  ['transition-property', 'motion'],
])

const LONGEST_BLOCK = 20_000
const LONGEST_VALUE = 300
const COMMENT = /\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\//g
const IMPORTANT = /\s*!\s*important$/

/** The declarations of a block or a `style` attribute, in order. */
export function parseDeclarations(block: string): Declaration[] {
  const text = block.length > LONGEST_BLOCK ? block.slice(0, LONGEST_BLOCK) : block
  const plain = text.includes('/*') ? text.replace(COMMENT, ' ') : text
  const declarations: Declaration[] = []
  let colon = plain.indexOf(':')
  for (let from = 0; from < plain.length && colon !== -1;) {
    const semicolon = plain.indexOf(';', from)
    const end = semicolon === -1 ? plain.length : semicolon
    if (colon < from) colon = plain.indexOf(':', from)
    if (colon !== -1 && colon < end) {
      const name = nameIn(plain, from, colon)
      const property = FOLDED.get(name) ?? FOLDED.get(name.toLowerCase())
      const declaration =
        property === undefined ? null : declarationOf(name, property, plain.slice(colon + 1, end))
      if (declaration !== null) declarations.push(declaration)
    }
    from = end + 1
  }
  return declarations
}

/** Without white space at its ends; most blocks have hundreds of names, few of which are looked for. */
function nameIn(text: string, from: number, to: number): string {
  let start = from
  let end = to
  while (start < end && text.charCodeAt(start) <= 32) start++
  while (end > start && text.charCodeAt(end - 1) <= 32) end--
  return text.slice(start, end)
}

function declarationOf(name: string, property: StyleProperty, raw: string): Declaration | null {
  const trimmed = raw.trim().toLowerCase()
  if (trimmed === '' || trimmed.length > LONGEST_VALUE) return null
  const important = trimmed.includes('!') && IMPORTANT.test(trimmed)
  const value = important ? trimmed.replace(IMPORTANT, '') : trimmed
  if (name.toLowerCase() !== 'font') return { property, value, important }
  const size = sizeInFont(value)
  return size === null ? null : { property, value: size, important }
}

/** `italic 0/0 a` → `0`: the size stands before the slash, or before the family. */
function sizeInFont(value: string): string | null {
  const size = /(?:^|\s)([\d.]+(?:[a-z%]{1,4})?)\s*(?:\/|\s)/.exec(`${value} `)
  return size?.[1] !== undefined && !/^[1-9]00$/.test(size[1]) ? size[1] : null
}
