// Searches with nothing but fetch: one request, one header, one JSON body.
//
//   VERBATIM_URL=http://127.0.0.1:3000 VERBATIM_KEY=vbt_… npx tsx examples/fetch.ts "your question"
import type { SearchResponse } from '../packages/client/src/index.ts'

const { VERBATIM_URL = 'http://127.0.0.1:3000', VERBATIM_KEY = '' } = process.env

const response = await fetch(`${VERBATIM_URL}/v1/search`, {
  method: 'POST',
  headers: { Authorization: `Bearer ${VERBATIM_KEY}`, 'Content-Type': 'application/json' },
  body: JSON.stringify({ query: process.argv[2], search_depth: 'exhaustive' }),
})
if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)

const { results } = (await response.json()) as SearchResponse
for (const { url, snippets } of results)
  for (const { text, relevance_score: score } of snippets)
    console.log(`${score.toFixed(2)} ${url}\n${text}\n`)
