import { describe, expect, test } from 'vitest'
import { read } from '../fixtures.ts'

const XHTML = { mediaType: 'application/xhtml+xml' }
const page = (body: string, type = 'html'): string =>
  `<?xml version="1.0"?>\n<!DOCTYPE ${type}>\n` +
  `<html xmlns="http://www.w3.org/1999/xhtml"><head><title>Otters</title></head><body>${body}</body></html>`

describe('a page in XHTML', () => {
  test('a CDATA section is text, its tags are words, and what follows it is read', async () => {
    const { text } = await read(
      page('<p>Before. <![CDATA[Otters <float> & sleep.]]></p><p>They hold hands.</p>'),
      XHTML,
    )
    expect(text).toBe('Before. Otters <float> & sleep.\n\nThey hold hands.')
  })

  test('of a script it stays in the script', async () => {
    const { text } = await read(
      page('<script>//<![CDATA[\nif (a < b) alert("no")\n//]]></script><p>They float.</p>'),
      XHTML,
    )
    expect(text).toBe('They float.')
  })

  test('the declarations within its document type are no text', async () => {
    const { text, title } = await read(
      page('<p>They float.</p>', 'html [<!ENTITY otter "Lutra">\n<!ENTITY nbsp "&#160;">]'),
      XHTML,
    )
    expect({ text, title }).toEqual({ text: 'They float.', title: 'Otters' })
  })

  test('in HTML both are what HTML says that they are', async () => {
    const { text } = await read('<p>Before. <![CDATA[Otters float.]]></p><p>They hold hands.</p>')
    expect(text).toBe('Before.\n\nThey hold hands.')
  })
})
