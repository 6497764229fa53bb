import { afterEach, expect, test } from 'vitest'
import { openDashboardSite, type DashboardSite } from '../../../dashboard/dashboard-site.ts'

let site: DashboardSite
afterEach(() => site.close())

test('the headers of a batch tell what is left of the limit after all of its calls', async () => {
  site = await openDashboardSite()
  const { key } = await site.accounts.keys.create({ name: 'five', ownerId: null, rateLimitPoints: 5 })
  const post = (calls: number): Promise<Response> =>
    fetch(`${site.url}/mcp`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${key}`,
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify(
        Array.from({ length: calls }, (_, id) => ({
          jsonrpc: '2.0',
          id,
          method: 'tools/call',
          params: { name: 'search', arguments: { query: 'anything' } },
        })),
      ),
    })
  const told = ({ status, headers }: Response) => [
    status,
    headers.get('X-RateLimit-Remaining'),
    headers.get('RateLimit')?.split(';')[1],
  ]
  expect(told(await post(3))).toEqual([200, '2', 'r=2'])
  expect(told(await post(4))).toEqual([429, '0', 'r=0'])
})
