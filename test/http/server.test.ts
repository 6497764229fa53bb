import { expect, test } from 'vitest'
import { openServer } from '../../src/http/server.ts'

test('until the service is there people have a page that asks again by itself, and programs the error that says when', async () => {
  const server = await openServer({ host: '127.0.0.1', port: 0, limits: {} })
  try {
    const url = `http://127.0.0.1:${server.port}/keys`
    const page = await fetch(url, { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } })
    expect([page.status, page.headers.get('content-type')]).toEqual([503, 'text/html; charset=utf-8'])
    const html = await page.text()
    expect(html).toContain('Verbatim is starting')
    expect(html).toContain('http-equiv="refresh"')
    const error = await fetch(url)
    expect([error.status, error.headers.get('retry-after')]).toEqual([503, '1'])
    expect(await error.json()).toMatchObject({ status: 503, detail: 'The service is starting.' })
  } finally {
    await server.close(1_000)
  }
})
