import { describe, expect, test } from 'vitest'
import { pageKey, repeats } from '../../src/search/result-address.ts'
import { readCanonicalLink } from '../../src/search/reading/canonical-link.ts'

describe('two pages are one', () => {
  const key = 'example.com/story'
  test.each([
    ['https://example.com/story', null],
    ['http://www.example.com/story/?utm_source=news#part', null],
    ['https://m.example.com/s/1', 'https://www.example.com/story'],
    ['https://example.com/story?print=1', 'https://example.com/story'],
  ])('%s, canonical %s', (url, canonical) => {
    expect(pageKey(url, canonical)).toBe(key)
  })
})

describe('a canonical link is not believed', () => {
  test.each([
    ['about another domain', 'https://thief.example/copy', 'https://example.com/story'],
    ['about a domain whose name ends alike', 'https://badexample.com/copy', 'https://example.com/story'],
    ['when every page names the start page', 'https://example.com/story', 'https://example.com/'],
    ['when it is no web address', 'https://example.com/story', 'javascript:alert(1)'],
  ])('%s', (_what, url, canonical) => {
    expect(pageKey(url, canonical)).toBe(pageKey(url, null))
  })
})

describe('the canonical link of a page', () => {
  test.each<[string, string | null]>([
    ['<head><link rel="stylesheet canonical" href="/a?b=1&amp;c"></head>', 'https://example.com/a?b=1&c'],
    ['<link rel=alternate href=/b><LINK REL=Canonical HREF=/a>', 'https://example.com/a'],
    ['<link rel=canonical href=/a><link rel=canonical href=/b>', 'https://example.com/a'],
    ['<body><link rel=canonical href=/a>', null],
    ['<!-- <link rel=canonical href=/a> -->', null],
    ['<script>"<link rel=canonical href=/a>"</script>', null],
    ['<link rel=canonical href="http://[">', null],
  ])('%s', (html, expected) => {
    expect(readCanonicalLink(html, 'https://example.com/page')).toBe(expected)
  })
})

describe('a page with another address repeats one that was read before', () => {
  const page = (name: string, canonical: string | null) => ({
    url: `https://example.com/${name}`,
    canonicalUrl: canonical === null ? null : `https://example.com/${canonical}`,
  })
  test.each([
    ['when both name one address and say the same', page('a', 'c'), page('b', 'c'), true],
    ['when it names the other and says the same', page('a', 'b'), page('b', null), true],
    ['when the other names it and says the same', page('a', null), page('b', 'a'), true],
    ['when it names the other, which calls itself so', page('a', 'b'), page('b', 'b'), false],
  ])('%s', (_when, later, before, isSame) => {
    expect(repeats(later, before, () => isSame)).toBe(true)
  })
  test.each([
    ['because they name each other', page('a', 'b'), page('b', 'a'), false],
    ['because both name one address', page('a', 'c'), page('b', 'c'), false],
    ['because it names one that calls itself nothing', page('a', 'b'), page('b', null), false],
    ['because the other named it, whatever it calls itself', page('a', 'a'), page('b', 'a'), false],
    ['because it says the same', page('a', null), page('b', null), true],
  ])('but not %s', (_why, later, before, isSame) => {
    expect(repeats(later, before, () => isSame)).toBe(false)
  })
})
