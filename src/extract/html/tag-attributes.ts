// The attributes that reading a page needs, gathered tag by tag in one object that every tag fills anew.
import { decodeHTMLAttribute } from 'entities'

type Value = string | undefined
const ABSENT = undefined as Value

/** Written out, so that every tag's attributes have one shape: looking one up is then next to free. */
const noAttributes = () => ({
  class: ABSENT,
  id: ABSENT,
  'data-testid': ABSENT,
  role: ABSENT,
  itemprop: ABSENT,
  hidden: ABSENT,
  'aria-hidden': ABSENT,
  'aria-controls': ABSENT,
  'aria-expanded': ABSENT,
  'aria-haspopup': ABSENT,
  'aria-labelledby': ABSENT,
  'aria-level': ABSENT,
  'aria-modal': ABSENT,
  'data-target': ABSENT,
  'data-bs-target': ABSENT,
  href: ABSENT,
  start: ABSENT,
  reversed: ABSENT,
  value: ABSENT,
  colspan: ABSENT,
  rowspan: ABSENT,
  'aria-colspan': ABSENT,
  'aria-rowspan': ABSENT,
  scope: ABSENT,
  itemtype: ABSENT,
  'data-lang': ABSENT,
  'data-language': ABSENT,
  'data-enlighter-language': ABSENT,
  language: ABSENT,
  style: ABSENT,
  open: ABSENT,
  popover: ABSENT,
  shadowrootmode: ABSENT,
  type: ABSENT,
  data: ABSENT,
  lang: ABSENT,
  'xml:lang': ABSENT,
  property: ABSENT,
  name: ABSENT,
  'http-equiv': ABSENT,
  content: ABSENT,
  datetime: ABSENT,
  pubdate: ABSENT,
  title: ABSENT,
  'data-datetime': ABSENT,
  'data-date': ABSENT,
  'data-published': ABSENT,
  'data-published-date': ABSENT,
  'data-timestamp': ABSENT,
  'data-page': ABSENT,
})

type AttributeName = keyof ReturnType<typeof noAttributes>

/** The attributes of one tag; `undefined` for those that it has not. */
export type TagAttributes = Readonly<ReturnType<typeof noAttributes>>

const NONE = noAttributes()
const isRead = (name: string): name is AttributeName => Object.hasOwn(NONE, name)
const READ_NAMES = new Map<string, AttributeName>(
  Object.keys(NONE)
    .filter(isRead)
    .map((name) => [name, name]),
)

/** Gathers the attributes of one tag at a time: what must outlive the tag is to be copied. */
export function createAttributeReader() {
  const attributes = noAttributes()
  const given: AttributeName[] = []

  return {
    attributes: attributes as TagAttributes,

    /**
     * Takes note of an attribute as it stands in the markup. Of two with one name the first counts (HTML standard,
     * §13.2.5.33).
     */
    add(name: string, value: string): void {
      const known = READ_NAMES.get(name)
      if (known === undefined || attributes[known] !== undefined) return
      attributes[known] = value.includes('&') ? decodeHTMLAttribute(value) : value
      given.push(known)
    },

    /** Forgets the tag that was read. */
    clear(): void {
      for (const name of given) attributes[name] = undefined
      given.length = 0
    },
  }
}

/** As HTML reads integers, as far as a reader needs them: of at most nine digits. */
export function wholeNumber(value: string | undefined): number | null {
  const digits = value === undefined ? null : /^\s*([+-]?\d{1,9})/u.exec(value)
  return digits === null ? null : Number(digits[1])
}
