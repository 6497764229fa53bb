// A memory of what was made of texts: bounded, and never another answer than making it anew.
import { describe, expect, it } from 'vitest'
import { rememberByText } from '../../../src/score/lexical/text-cache.ts'

function counted(maxBytes: number) {
  const made: string[] = []
  const make = (text: string) => {
    made.push(text)
    return { upper: text.toUpperCase() }
  }
  return { made, recall: rememberByText(make, { maxBytes, bytesOf: ({ upper }) => upper.length * 2 }) }
}

describe('a memory of texts', () => {
  it('makes a text once', () => {
    const { made, recall } = counted(10_000)
    expect(recall('a')).toBe(recall('a'))
    expect(recall('b')).toEqual({ upper: 'B' })
    expect(made).toEqual(['a', 'b'])
  })

  it('makes a text anew in another language, and keeps the two apart', () => {
    const recall = rememberByText((text, language) => ({ both: `${text} in ${language}` }), {
      maxBytes: 10_000,
      bytesOf: () => 0,
    })
    expect(recall('gift', 'en').both).toBe('gift in en')
    expect(recall('gift', 'de').both).toBe('gift in de')
    expect(recall('gift', 'en')).toBe(recall('gift', 'en'))
    expect(recall('en\ngift').both).toBe('en\ngift in ')
  })

  it('forgets the least recently used when it is full', () => {
    const { made, recall } = counted(1_000)
    for (const text of ['a', 'b', 'c', 'd', 'a', 'e', 'a', 'b']) recall(text)
    expect(made).toEqual(['a', 'b', 'c', 'd', 'e', 'b'])
  })

  it('keeps no text that is larger than itself, and nothing at all without bytes', () => {
    for (const maxBytes of [1_000, 0]) {
      const { made, recall } = counted(maxBytes)
      const text = 'x'.repeat(1_000)
      expect(recall(text)).toEqual(recall(text))
      expect(made).toHaveLength(2)
    }
  })
})
