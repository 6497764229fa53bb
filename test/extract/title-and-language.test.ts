import { describe, expect, test } from 'vitest'
import { read } from './fixtures.ts'

const titleOf = async (html: string) => (await read(html)).title

describe('the title', () => {
  test.each([
    ['the <title> as it stands', '<title>All about <b>bees</title><p>x', 'All about <b>bees'],
    [
      'without the site’s name when the heading shows where it begins',
      '<title>Bees – The Hive</title><h1>Bees</h1>',
      'Bees',
    ],
    [
      'without the site’s name before it',
      '<title>The Hive: Bees at night</title><h1>Bees at night</h1>',
      'Bees at night',
    ],
    [
      'by Open Graph when there is no heading',
      '<title>Bees | Hive</title><meta property="og:title" content="Bees">',
      'Bees',
    ],
    [
      'whole when nothing shows where the site’s name begins',
      '<title>Bees | Hive</title><p>x',
      'Bees | Hive',
    ],
    [
      'whole when the heading merely begins alike',
      '<title>Beeswax candles</title><h1>Bees</h1>',
      'Beeswax candles',
    ],
    ['white space as one space', '<title>\n  Bees\n  at night </title>', 'Bees at night'],
    [
      'Open Graph without a <title>',
      '<meta property="og:title" content="Bees &amp; wasps"><p>x',
      'Bees & wasps',
    ],
    ['the first heading without either', '<h1>Bees <em>at night</em></h1><p>x', 'Bees at night'],
    ['not the title of a picture', '<svg><title>icon</title></svg><h1>Bees</h1>', 'Bees'],
  ])('%s', async (_, html, title) => {
    expect(await titleOf(html)).toBe(title)
  })

  test('is null when the page has none', async () => {
    expect(await titleOf('<p>text</p>')).toBeNull()
  })
})

const GERMAN =
  'Der Ausschuss hat gestern beschlossen, die Brücke über den Fluss im kommenden Jahr vollständig zu erneuern. Die Kosten ' +
  'trägt zur Hälfte das Land. Während der Bauzeit wird der Verkehr über die alte Straße geleitet, die dafür verbreitert wird.'

describe('the language', () => {
  test('is the primary sub-tag of lang', async () => {
    expect((await read('<html lang="fr-CA"><p>Bonjour</p>')).language).toEqual({
      code: 'fr',
      source: 'attribute',
    })
  })

  test('is the header’s when the markup is silent', async () => {
    const { language } = await read('<p>ok</p>', { contentLanguage: 'pt-BR, en' })
    expect(language).toEqual({ code: 'pt', source: 'header' })
  })

  test('is the text’s when nobody declares it', async () => {
    expect((await read(`<p>${GERMAN}</p>`)).language).toEqual({ code: 'de', source: 'text' })
  })

  test('is the text’s when a template declares another', async () => {
    expect((await read(`<html lang="en"><p>${GERMAN}</p>`)).language).toEqual({ code: 'de', source: 'text' })
  })

  test('a few words do not contradict the markup', async () => {
    expect((await read('<html lang="en"><p>Der Ausschuss</p>')).language?.code).toBe('en')
  })

  test('nonsense in lang is no language', async () => {
    expect((await read('<html lang="<?php echo $lang ?>"><p>x</p>')).language).toBeNull()
  })
})
