import { expect, test } from 'vitest'
import { startService } from '../support/service.ts'

test('the documentation is searched word for word by the service itself, and strangers together within one quota', async () => {
  // With another engine in use the documentation is not in the library; it is found all the same.
  const service = await startService({ SEARXNG_URL: 'http://127.0.0.1:9', RATE_LIMIT_POINTS: '2' })
  const ask = (query: string): Promise<Response> =>
    fetch(`${service.url}/docs/search?q=${encodeURIComponent(query)}`, { headers: { Accept: 'text/html' } })
  try {
    const answer = await ask('How do I revoke an API key?')
    expect(answer.status).toBe(200)
    const html = await answer.text()
    const [first] = html.matchAll(/<ol class="found">.*?href="\/docs\/([\w-]+)"/gsu)
    expect(first?.[1]).toBe('api-keys')
    expect(html).toContain('delete it: sign in to the dashboard')
    expect(html).not.toContain('key?#')
    expect((await ask('How are scores calibrated?')).status).toBe(200)
    const refused = await ask('anything')
    expect(refused.status).toBe(429)
    expect(refused.headers.get('Retry-After')).toMatch(/^\d+$/u)
    expect((await fetch(`${service.url}/docs/search`)).status).toBe(200)
  } finally {
    await service.close()
  }
})
