import { expect, it } from 'vitest'
import type { Capture } from '../../../src/pages/capture.ts'
import { answeredLanguage, isOtherAnswer } from '../../../src/pages/cache/answered-language.ts'

const captureOf = (content: Capture['content'], contentLanguage: string | null = null): Capture => ({
  id: '1',
  requestedUrl: 'https://example.org/',
  url: 'https://example.org/',
  mediaType: 'text/html',
  content,
  lastModified: null,
  contentLanguage,
  fetchedAt: '2026-11-28T00:00:00.000Z',
  readBy: 'static',
  warning: null,
})

it.each([
  ['<!doctype html><html lang="de-AT"><p>x', null, 'de', 'de'],
  ['<HTML class=a LANG=de>', null, 'de-CH', 'de'],
  ['<html xmlns="x" xml:lang=\'de\'>', null, 'de', 'de'],
  ['<html lang="en">', null, undefined, 'en'],
  ['<html>', 'de, en', 'de', null],
  ['<html>', 'de', 'de', 'de'],
  ['<html lang="en">', 'de', 'de', null],
  ['<html data-lang="de">', null, 'de', null],
  ['<html><p lang="de">', null, 'de', null],
  [new Uint8Array(4), 'de', 'de', 'de'],
] as const)('%s sent as %s to one who asks for %s answers in %s', (content, header, asked, answered) => {
  expect(answeredLanguage(captureOf(content, header), asked)).toBe(answered)
})

it('an answer in a language is another one for those who ask for another, and for nobody else', () => {
  const cases = [
    ['de', 'fr'],
    ['de', 'de-AT'],
    ['de', undefined],
    [null, 'fr'],
  ] as const
  expect(cases.map(([answered, asked]) => isOtherAnswer(answered, asked))).toEqual([
    true,
    false,
    false,
    false,
  ])
})
