import { renderToString } from 'preact-render-to-string'
import { expect, test } from 'vitest'
import { Remedy } from '../../../src/dashboard/status/remedy.tsx'

test.each([
  ['npm run models -- prefetch', '<span><code>npm run models -- prefetch</code></span>'],
  [
    'to ask it once more: npm run -s verbatim -- doctor',
    '<span>to ask it once more: <code>npm run -s verbatim -- doctor</code></span>',
  ],
  [
    'to ask it once more: docker exec CONTAINER node dist/main.js doctor',
    '<span>to ask it once more: <code>docker exec CONTAINER node dist/main.js doctor</code></span>',
  ],
  ['to add pages: verbatim index add URL', '<span>to add pages: <code>verbatim index add URL</code></span>'],
  [
    'Run "npx playwright install", or set CHROMIUM_PATH.',
    '<span>Run &quot;npx playwright install&quot;, or set CHROMIUM_PATH.</span>',
  ],
  ['Check REDIS_URL.', '<span>Check REDIS_URL.</span>'],
])('of what mends something the command stands apart from the words: %s', (remedy, html) => {
  expect(renderToString(<Remedy remedy={remedy} />)).toBe(html)
})
