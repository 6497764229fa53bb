import { expect, test } from 'vitest'
import { readPage } from '../../src/extract/read-page.ts'

const languageOf = async (content: string) => {
  const input = { url: 'https://a.example/', mediaType: 'text/plain', content, now: new Date() }
  const page = await readPage(
    { ...input, lastModified: null, contentLanguage: null },
    AbortSignal.timeout(5_000),
  )
  return page.language?.code ?? null
}

test.each(['A heat pump is a machine.', 'Install Node.js 20 or newer.', 'Meeting minutes: Anna, Bob, Carl'])(
  '%j is too short to tell its language, and no language is better than a wrong one',
  async (text) => {
    expect(await languageOf(text)).toBeNull()
  },
)

test('a sentence is long enough', async () => {
  expect(await languageOf('The heat pump takes its warmth from the air outside.')).toBe('en')
})

test.each([
  'To light the lamp, turn the wick up and hold a match to it. Wick: 200 hours',
  'Tire Resources, Maintenance Tips, and Buyer Guides Tire Maintenance Tips, Tires',
  'California · 1d Share PC Magazine website This E-Learning Platform With Courses',
  'Architecture Metadata Security Design and UI styling Guidelines Docker Storage',
])('English without a declaration is not taken for what is never written so: %s', async (text) => {
  expect([null, 'en']).toContain(await languageOf(text))
})

test('a list of things sounds like any language: the sentences after it tell', async () => {
  const meat = '1.6kg chicken thighs, trimmed\n2 tablespoons fresh ginger, grated\n3 teaspoons ground cumin\n'
  const spices = '\n1 teaspoon ground cardamom\n½ teaspoon ground allspice\n50g butter\n2 cloves garlic\n'
  const list = meat + spices
  const words =
    'Melt the butter in a heavy pan over medium heat, and brown the thighs on all sides in two batches. ' +
    'Put them aside, add the spices to what is left in the pan, and stir until you can smell them. ' +
    'Then they go back in with the stock, and what is in the pan is left to itself for an hour.'
  expect(await languageOf(list)).not.toBe('en')
  expect(await languageOf(`${list}\n${list}\n${words}`)).toBe('en')
})

test('where the longest passage is a list of names, the next ones tell', async () => {
  const names = Array.from({ length: 60 }, (_, at) => `Xq${at}corp Zyl${at}tek`).join(', ')
  expect(await languageOf(names)).toBeNull()
  const words =
    'These are the companies that have told us that they are at work on what the law asks of them.'
  expect(await languageOf(`${names}\n\n${words}`)).toBe('en')
})

test.each([
  ['Для входа в систему нажмите кнопку и введите пароль, который вам прислали по почте.', 'ru'],
  ['Um die Lampe anzuzünden, dreht man den Docht hoch und hält ein Streichholz daran.', 'de'],
  ['Aby zapalić lampę, podkręć knot i przyłóż do niego zapaloną zapałkę, a potem załóż szkło.', 'pl'],
  [
    'ランプに火をつけるには、芯を上げてマッチを近づけます。その後、ガラスをかぶせてください。安全に注意してください。',
    'ja',
  ],
])('another language is told from the text alone: %s', async (text, language) => {
  expect(await languageOf(text)).toBe(language)
})
