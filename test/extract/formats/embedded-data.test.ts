import { describe, expect, test } from 'vitest'
import { read, readFixture, textOf } from '../fixtures.ts'

const ld = (data: unknown) => `<script type="application/ld+json">${JSON.stringify(data)}</script>`
const ARTICLE = {
  '@type': 'NewsArticle',
  headline: 'The bridge opens',
  articleBody: 'After nine years of work the bridge over the sound opens on Monday. '.repeat(6),
}

describe('a page that shows nothing without its scripts', () => {
  test('is read from its questions and answers, the accepted one first, and says so', async () => {
    const page = await read(readFixture('questions-in-data/source.html'))
    expect(page.isFromData).toBe(true)
    expect(page.text.split(/\n+/)).toEqual([
      'May I take a bicycle on the ferry?',
      'We are four people with three bicycles and a trailer, and we want to cross on a Saturday in July.',
      'Yes, eight bicycles fit on each crossing, and places cannot be kept.',
      'Come half an hour early on summer weekends & bring a strap to tie them down.',
      'When I asked, they said that trailers count as a second bicycle and pay as one.',
    ])
    expect(page.title).toBe('Ferry with bicycles - Island answers')
  })

  test('is read from the state that scripts build it from, prose alone, under its headings', async () => {
    const page = await read(readFixture('state-in-data/source.html'))
    expect(page.isFromData).toBe(true)
    const last = page.blocks.at(-1)
    expect(last === undefined ? '' : textOf(page, last)).toContain('cairns lead over the moor')
    expect(last?.headings).toEqual(['From the harbour to the pass'])
    expect(page.text).not.toMatch(/machines|https|query/)
  })

  test('is read from a line of script that assigns its state', async () => {
    const state = {
      article: {
        body: 'The path over the moor is marked by cairns that a walker sees from afar. '.repeat(5),
      },
    }
    const page = await read(
      `<div id="app"></div><script>window.__INITIAL_STATE__ = ${JSON.stringify(state)};(function () {})()</script>`,
    )
    expect(page).toMatchObject({ isFromData: true })
    expect(page.text).toMatch(/^The path over the moor/)
  })

  test('is read from the state in an attribute', async () => {
    const props = {
      recipe: {
        steps: ['Peel the celery and cut it into slices as thin as a coin, then wash it. '.repeat(5)],
      },
    }
    const page = JSON.stringify({ component: 'Recipe', props }).replaceAll('"', '&quot;')
    const { text, isFromData } = await read(`<div id="app" data-page="${page}"></div>`)
    expect(isFromData).toBe(true)
    expect(text).toMatch(/^Peel the celery/)
  })

  test('is read from a recipe: what is needed, then each step', async () => {
    const recipe = {
      '@context': 'https://schema.org',
      '@graph': [
        { '@type': 'Organization', name: 'Kitchens of the town', description: 'We cook. '.repeat(40) },
        {
          '@type': ['Recipe'],
          name: 'Lentil soup',
          recipeIngredient: ['200 g lentils', 'One onion, chopped'],
          recipeInstructions: [
            { '@type': 'HowToStep', text: `Fry the onion${' and stir it for a while'.repeat(6)}.` },
            {
              '@type': 'HowToSection',
              name: 'The soup',
              itemListElement: [
                { '@type': 'HowToStep', text: `Add the lentils${' and some more water'.repeat(6)}.` },
              ],
            },
          ],
        },
      ],
    }
    const page = await read(`<div id="root"></div>${ld(recipe)}`)
    expect(page.isFromData).toBe(true)
    expect(page.text).toMatch(
      /^Lentil soup\n+200 g lentils\nOne onion, chopped\nFry the onion.*\nAdd the lentils/,
    )
    expect(page.blocks.map(({ kind }) => kind)).toEqual(['heading', 'list', 'list', 'list', 'list'])
    expect(page.text).not.toContain('We cook')
  })

  test('is read from its description when there is nothing else, under its title', async () => {
    const description =
      'Since nine this morning the bridge over the sound has been closed to lorries. '.repeat(4)
    const page = await read(
      `<title>The bridge</title><meta name="description" content="${description}"><div id="root"></div>`,
    )
    expect(page.isFromData).toBe(true)
    expect(page.text).toMatch(/^The bridge\n+Since nine/)
  })

  test('is one that shows links and a frame, and no text', async () => {
    const menu = `<nav>${'<a href="/a">Somewhere else on this site</a> '.repeat(12)}</nav>`
    expect((await read(ld(ARTICLE) + menu)).isFromData).toBe(true)
  })

  test('is none that lists many pages', async () => {
    const links = '<li><a href="/a">Another page of this site, about bees</a></li>'.repeat(60)
    expect((await read(`${ld(ARTICLE)}<ul>${links}</ul>`)).isFromData).toBe(false)
  })

  test('is read from the body of its article', async () => {
    const page = await read(`<title>x</title>${ld(ARTICLE)}<div id="root"></div>`)
    expect(page.text).toMatch(/^The bridge opens\n+After nine years/)
  })
})

test('data for machines is never read from a page that shows its text', async () => {
  const shown = `<p>${'What a person reads on this page is this sentence. '.repeat(8)}</p>`
  const page = await read(ld(ARTICLE) + shown)
  expect(page.isFromData).toBe(false)
  expect(page.text).not.toContain('bridge')
})

test.each([
  ['that is broken', '<script type="application/ld+json">{"articleBody": "half a</script><p>Loading'],
  [
    'that is nested beyond reason',
    `${ld('x')}<script type="application/ld+json">${'['.repeat(5_000)}${']'.repeat(5_000)}</script><p>Loading`,
  ],
])('data %s leaves the page as it shows', async (_, html) => {
  expect((await read(html)).text).toBe('Loading')
})
