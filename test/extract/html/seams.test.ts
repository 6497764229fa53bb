import { describe, expect, test } from 'vitest'
import { readText } from '../fixtures.ts'

describe('boxes beside one another are words of their own', () => {
  test.each([
    ['a name and its value', '<div><span>Windproof</span><span>6/6</span></div>', 'Windproof 6/6'],
    ['a value behind a name', '<div>Waterproof<span class="bar">5/6</span></div>', 'Waterproof 5/6'],
    [
      'a step and its number',
      '<div><span class="number">2</span>Peel the apples.</div>',
      '2 Peel the apples.',
    ],
    ['an amount and what it is of', '<li><span>1½</span><span>cups of flour</span></li>', '1½ cups of flour'],
    [
      'two names in lower case that the page tells apart',
      '<div><span class="unit">tablespoon</span><span class="what">cream</span></div>',
      'tablespoon cream',
    ],
    ['two prices', '<div><span>$12.95</span><span>Was $15.00</span></div>', '$12.95 Was $15.00'],
    ['a price behind a word', '<p><span>was</span><s>€540</s></p>', 'was €540'],
    [
      'two tags',
      '<div><a href="/a">Developer Tools</a><a href="/b">Mobile</a></div>',
      'Developer Tools Mobile',
    ],
    [
      'parts of a date',
      '<time><span>November</span><span>02</span><span>2023</span></time>',
      'November 02 2023',
    ],
    [
      'words in what a framework of styles names a line of boxes',
      '<h1 class="md:mt-2 flex flex-wrap"><span>smoked</span><span>paprika</span></h1>',
      'smoked paprika',
    ],
    ['tags in capitals', '<div><a href="/a">FAQ</a><a href="/b">HOME</a></div>', 'FAQ HOME'],
  ])('%s', async (_, html, text) => {
    expect(await readText(html)).toBe(text)
  })
})

describe('what is written together stays together', () => {
  test.each([
    [
      'a word of which a part is set off',
      '<p>un<b>believ</b>able and <em>Disclaime</em>r',
      'unbelievable and Disclaimer',
    ],
    ['a name in two colours of letters', '<p><b>Git</b><i>Hub</i>', 'GitHub'],
    [
      'a number and its unit in capitals',
      '<p><span>145</span><span>IU</span> and <b>8</b><span>GB</span>',
      '145IU and 8GB',
    ],
    [
      'letters in a line of boxes',
      '<h1 class="d-flex"><span>p</span><span>i</span><span>e</span></h1>',
      'pie',
    ],
    [
      'letters that move one by one',
      '<h1><span>B</span><span>E</span><span>E</span><span>S</span></h1>',
      'BEES',
    ],
    ['a number and its unit', '<li><span class="amount">250</span><span class="unit">g</span></li>', '250g'],
    [
      'a word of two pieces alike',
      '<p><span class="t">includin</span><span class="t">g</span></p>',
      'including',
    ],
    [
      'a drop cap in boxes',
      '<p><span class="upper">u</span><span class="lower">ltimatum</span></p>',
      'ultimatum',
    ],
    ['a drop cap', '<p><span class="drop">W</span>hile bees sleep', 'While bees sleep'],
    ['the mark of a footnote', '<p>as was shown<sup><a href="#1">1</a></sup> before', 'as was shown1 before'],
    ['a formula', '<p>H<sub>2</sub>O', 'H2O'],
    ['code', '<p><code><span>fill</span><span>Rect</span></code>', 'fillRect'],
    ['a plural behind a link', '<p><a href="/b">bee</a>s', 'bees'],
    ['a mark behind a link', '<p><a href="/b">Bees</a>, wasps', 'Bees, wasps'],
    ['Chinese', '<p><span>第</span><span>3</span><span>章</span>', '第3章'],
  ])('%s', async (_, html, text) => {
    expect(await readText(html)).toBe(text)
  })
})
