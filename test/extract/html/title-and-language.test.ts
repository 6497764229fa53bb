import { describe, expect, test } from 'vitest'
import { read } from '../fixtures.ts'

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
    [
      'without the site’s name before it, whatever parts the two',
      '<title>The Hive - Bees at night</title><h1>Bees at night</h1>',
      'Bees at night',
    ],
    [
      'without the site’s name, told by its host',
      '<title>Bees at night | Example</title><p>x',
      'Bees at night',
    ],
    [
      'without the site’s name, told by the page',
      '<meta property="og:site_name" content="The Hive"><title>The Hive - Bees at night - The Hive</title><p>x',
      'Bees at night',
    ],
    [
      'its own and not the site’s, which Open Graph gives for every page',
      '<title>Example — bees at night</title><meta property="og:title" content="Example"><h1>bees at night</h1>',
      'bees at night',
    ],
    [
      'its own and not the site’s, which stands below it as a heading',
      '<title>Example — bees at night</title><h1>bees at night</h1><h2>Example</h2>',
      'bees at night',
    ],
    [
      'without a site’s name that stands above each of its pages as a heading',
      '<title>Bees at night - The Bee Keeper’s Book</title><h1>The Bee Keeper’s Book</h1><h2>Bees at night</h2>',
      'Bees at night',
    ],
    [
      'as the heading words it when that says most of the same',
      '<title>How bees sleep at night: a guide</title><h1>How Bees Sleep at Night</h1>',
      'How Bees Sleep at Night',
    ],
    [
      'without what its heading says first to those who are read to',
      '<title>Oak bee house | Hive Shop</title><meta property="og:title" content="Oak bee house">' +
        '<h1><span>Details about </span>Oak bee house</h1>',
      'Oak bee house',
    ],
    [
      'without the number that stands in its heading',
      '<title>Oak bee house at a good price</title><meta property="og:title" content="Oak bee house">' +
        '<h1><span>Oak bee house</span> <span>Code: 73556</span></h1>',
      'Oak bee house',
    ],
    [
      'without the name of the section that stands in its heading',
      '<title>Bees are back — Hive</title><meta property="og:title" content="Bees are back">' +
        '<h1><span>Garden : </span>Bees are back</h1>',
      'Bees are back',
    ],
    [
      'with the subtitle that only its heading has',
      '<title>Bees in winter | Hive</title><meta property="og:title" content="Bees in winter">' +
        '<h1>Bees in winter: what a hive needs</h1>',
      'Bees in winter: what a hive needs',
    ],
    [
      'with what is quoted before it in its heading',
      '<title>A hive is saved at night | Hive</title><meta property="og:title" content="A hive is saved at night">' +
        '<h1>“All is well”: a hive is saved at night</h1>',
      '“All is well”: a hive is saved at night',
    ],
    [
      'whole when its heading and the <title> say more than Open Graph',
      '<title>Guide Bees at night | Hive</title><meta property="og:title" content="Bees at night">' +
        '<h1>Guide Bees at night</h1>',
      'Guide Bees at night',
    ],
    [
      'not a heading that says something else',
      '<title>How bees sleep at night</title><h1>Welcome to our garden</h1>',
      'How bees sleep at night',
    ],
    [
      'not the first of the headings but the one that says what Open Graph says',
      '<title>Bees - x</title><meta property="og:title" content="Do bees sleep?"><h1>Honey letters</h1><h1>Do bees sleep?</h1>',
      'Do bees sleep?',
    ],
    [
      'not the site’s heading when Open Graph shows which part is the page’s',
      '<title>The Hive: Bees at night</title><meta property="og:title" content="Bees at night"><h1>The Hive</h1>',
      'Bees at night',
    ],
    [
      'the heading that says what Open Graph says before one that says what the <title> says',
      '<title>News - Hive</title><meta property="og:title" content="Do bees sleep?"><h1>News</h1><h1>Do bees sleep?</h1>',
      'Do bees sleep?',
    ],
    [
      'without a tail that begins with the site’s host',
      '<title>Bees at night - Example Garden Report</title><p>x',
      'Bees at night',
    ],
    [
      'whole when what begins with the host stands behind a colon',
      '<title>Bees: Example of a sleeping insect</title><p>x',
      'Bees: Example of a sleeping insect',
    ],
    [
      'an article’s headline, whatever is written for search engines',
      '<title>Bee sleep guide 2025</title><meta property="og:type" content="article"><h1>How we found out where bees sleep: a guide</h1>',
      'How we found out where bees sleep: a guide',
    ],
    [
      'no headline on a page that is no article',
      '<title>Bee sleep guide 2025</title><h1>How we found out where bees sleep: a guide</h1>',
      'Bee sleep guide 2025',
    ],
    ['the site’s name on its front page', '<title>Home | The Hive</title><p>x', 'The Hive'],
    [
      'a heading without the mark that links to it',
      '<title>Bees</title><h1>Bees<a href="#b">¶</a></h1>',
      'Bees',
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

  test.each([
    [
      'es',
      'pt',
      'A câmara municipal decidiu ontem que as obras da ponte não começam antes do outono, porque o rio leva ainda muita água e os engenheiros querem esperar. Os moradores receberam a notícia com alívio, mas pedem que a travessia por barco continue durante todo o verão.',
    ],
    [
      'de',
      'nl',
      'De gemeenteraad besloot gisteren dat het werk aan de brug niet voor de herfst begint, omdat de rivier nog te hoog staat en de ingenieurs liever wachten. De bewoners zijn opgelucht, maar vragen dat het veer de hele zomer blijft varen, ook in het weekend en op feestdagen.',
    ],
    [
      'fr',
      'es',
      'El ayuntamiento decidió ayer que las obras del puente no empezarán antes del otoño, porque el río lleva todavía mucha agua y los ingenieros quieren esperar. Los vecinos recibieron la noticia con alivio, pero piden que la barca siga cruzando durante todo el verano.',
    ],
    [
      'en',
      'fr',
      "Le conseil municipal a décidé hier que les travaux du pont ne commenceront pas avant l'automne, parce que la rivière est encore haute et que les ingénieurs veulent attendre. Les habitants sont soulagés, mais ils demandent que le bac continue pendant tout l'été.",
    ],
  ])('a page labelled %s whose text is %s is the latter', async (label, real, text) => {
    const { language } = await read(`<html lang="${label}"><p>${text}</p>`)
    expect(language).toEqual({ code: real, source: 'text' })
  })

  test('a few words do not contradict the markup', async () => {
    expect((await read('<html lang="en"><p>Der Ausschuss</p>')).language?.code).toBe('en')
  })

  test('nonsense in lang is no language', async () => {
    expect((await read('<html lang="<?php echo $lang ?>"><p>x</p>')).language).toBeNull()
  })
})
