import { renderToString } from 'preact-render-to-string'
import { expect, test } from 'vitest'
import { RequestTable } from '../../../src/dashboard/requests/request-table.tsx'
import { REQUEST } from '../remembered.ts'

test.each([
  [{ snippets: 2 }, '200, 2 passages'],
  [{ snippets: 0 }, '200, no passage'],
  [{ route: '/v1/verify', snippets: 0, depth: null }, '200'],
  [{ status: 499, code: null }, '499, the client left'],
])('a row tells what a request ended with: %o', (own, told) => {
  const html = renderToString(<RequestTable requests={[{ ...REQUEST, ...own }]} keyNames={new Map()} />)
  expect(/data-label="Ended">([^<]*)</u.exec(html)?.[1]).toBe(told)
})
