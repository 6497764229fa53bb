import { expect, test } from 'vitest'
import { createDocumentationSearch } from '../../src/compose/search-documentation.ts'
import type { ReadPage } from '../../src/search/given/read-pages.ts'
import { startService } from '../support/service.ts'

const QUOTA = 5

test('the documentation is searched word for word by the service itself, and strangers together within one quota', async () => {
  // With another engine in use the documentation is not in the library; it is found all the same.
  const service = await startService({ SEARXNG_URL: 'http://127.0.0.1:9', RATE_LIMIT_POINTS: String(QUOTA) })
  const statuses: number[] = []
  const ask = async (query: string): Promise<Response> => {
    const answer = await fetch(`${service.url}/docs/search?q=${encodeURIComponent(query)}`, {
      headers: { Accept: 'text/html' },
    })
    statuses.push(answer.status)
    return answer
  }
  try {
    // Whoever is first opens every page, which on a busy machine takes longer than one search is given.
    let answer = await ask('How do I revoke an API key?')
    while (answer.status === 429 && statuses.length < QUOTA - 1)
      answer = await ask('How do I revoke an API key?')
    expect(answer.status).toBe(200)
    const html = await answer.text()
    const [first] = html.matchAll(/<ol class="found">.*?href="\/docs\/([\w-]+)"/gsu)
    expect(first?.[1]).toBe('api-keys')
    expect(html).toContain('delete it: sign in to the dashboard')
    expect(html).not.toContain('key?#')
    while (statuses.length < QUOTA) expect((await ask('How are scores calibrated?')).status).toBe(200)
    const refused = await ask('anything')
    expect(refused.status).toBe(429)
    expect(refused.headers.get('Retry-After')).toMatch(/^\d+$/u)
    expect((await fetch(`${service.url}/docs/search`)).status).toBe(200)
  } finally {
    await service.close()
  }
})

test('that nothing answers is said of passages that are unlikely to, and only of documentation that was read', async () => {
  const page: ReadPage = {
    askedUrl: 'http://127.0.0.1/docs/errors',
    url: 'http://127.0.0.1/docs/errors',
    title: 'Errors',
    snippets: [],
    content: '',
    isCut: false,
    source: null,
    mediaType: 'text/html',
    publishDate: null,
    lastUpdated: null,
    language: 'en',
    fetchedAt: null,
    warning: null,
    warningCode: null,
    failure: null,
    contentSha256: null,
    bundle: null,
  }
  const documentation = [
    {
      slug: 'errors',
      title: 'Errors',
      description: '',
      question: null,
      group: '',
      html: '',
      tables: [],
      sections: [],
    },
  ]
  const ask = (read: ReadPage) =>
    createDocumentationSearch(() => Promise.resolve([read]), documentation, 'http://127.0.0.1')(
      'anything',
      { arrivedAtMs: 0, callerId: 'a', fresh: false },
      AbortSignal.timeout(60_000),
    )
  expect(await ask(page)).toEqual([])
  const of = (relevance: number): ReadPage => ({
    ...page,
    snippets: [
      {
        start: 0,
        end: 9,
        text: 'A passage',
        headings: [],
        opensSection: false,
        relevance,
        scoredBy: 'first',
        parts: null,
        place: null,
      },
    ],
  })
  expect(await ask(of(0.05))).toEqual([])
  expect(await ask(of(0.6))).toMatchObject([{ slug: 'errors', passages: [{ text: 'A passage' }] }])
  const failure = { code: 'out_of_time' as const, message: 'There was no time.', isRetryable: true }
  await expect(ask({ ...page, failure })).rejects.toMatchObject({ code: 'overloaded', status: 429 })
})
