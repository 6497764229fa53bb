import { renderToString } from 'preact-render-to-string'
import { expect, test } from 'vitest'
import { BreakableAddress } from '../../../src/dashboard/library/breakable-address.tsx'

test('an address breaks behind its slashes: never within a host, and no slash stands alone on a line', () => {
  const html = renderToString(<BreakableAddress url="http://handbook.example/on/call/?a=<b>" />)
  expect(html).toBe('http://<wbr/>handbook.example/<wbr/>on/<wbr/>call/<wbr/>?a=&lt;b>')
  expect(renderToString(<BreakableAddress url="http://handbook.example/" />)).toBe(
    'http://<wbr/>handbook.example/',
  )
})
