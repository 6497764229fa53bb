import { renderToString } from 'preact-render-to-string'
import { expect, test } from 'vitest'
import { Remedy } from '../../../src/dashboard/status/remedy.tsx'

test.each([
  ['npm run models -- prefetch', '<span><code>npm run models -- prefetch</code></span>'],
  [
    'to ask it once more: npm run -s verbatim -- doctor',
    '<span>to ask it once more: <code>npm run -s verbatim -- doctor</code></span>',
  ],
  ['Check REDIS_URL.', '<span>Check REDIS_URL.</span>'],
])('of what mends something the command stands apart from the words: %s', (remedy, html) => {
  expect(renderToString(<Remedy remedy={remedy} />)).toBe(html)
})
