// A service over a small web, for the tests of foreign shapes.
import { article, startSearchSite } from '../../support/search-site.ts'
import { startService } from '../../support/service.ts'

export const ANSWER =
  'A key can be revoked at any time in the dashboard. The revocation takes effect within one second on every replica, and every later request with the revoked key is refused.'
export const QUESTION = 'How do I revoke a key?'
/** When the page that answers was published, YYYY-MM-DD: within the last year, whenever the tests run. */
export const PUBLISHED = new Date(Date.now() - 100 * 86_400_000).toISOString().slice(0, 10)

const dated = (day: string): string => `<meta property="article:published_time" content="${day}">`

export type CompatService = Awaited<ReturnType<typeof startCompatService>>

/**
 * Pages: /keys answers (of the day PUBLISHED), /old answers too (1 March 2019), /other says nothing of it, /moved leads to
 * /keys, /gone is gone.
 */
export async function startCompatService() {
  const site = await startSearchSite({
    '/keys': { html: article('Managing keys', [ANSWER], dated(PUBLISHED)) },
    '/old': { html: article('Old ways', [`In former times: ${ANSWER}`], dated('2019-03-01')) },
    '/other': { html: article('Other', ['The harbour lies between two hills and was built long ago.']) },
    '/moved': { answer: (_, response) => response.writeHead(302, { Location: '/keys' }).end() },
    '/gone': { answer: (_, response) => response.writeHead(410).end() },
  })
  const service = await startService({ SEARCH_PROVIDERS: 'searxng', SEARXNG_URL: site.engineUrl })
  const headers = { Authorization: `Bearer ${service.key}`, 'Content-Type': 'application/json' }
  return {
    site,
    service,
    url: `${service.url}/compat`,
    /** Posts to a path below /compat with the first key. */
    post: (path: string, body: unknown): Promise<Response> =>
      fetch(`${service.url}/compat${path}`, { method: 'POST', headers, body: JSON.stringify(body) }),
    get: (path: string, more: Record<string, string> = {}): Promise<Response> =>
      fetch(`${service.url}/compat${path}`, { headers: { Authorization: headers.Authorization, ...more } }),
    async close(): Promise<void> {
      await service.close()
      await site.close()
    },
  }
}
