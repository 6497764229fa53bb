// The README's picture of a proof: the best passage of an answer of a running service, marked on the text of its page.
import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import type { Service } from '../../src/compose/service.ts'
import { proofPicture } from './proof-picture.ts'

interface Found {
  url: string
  content_sha256: string
  snippets: { text: string; relevance_score: number; start: number; end: number }[]
}

/** Draws the answer to `question` into `file`. Throws when the digest of the text is not that of the answer. */
export async function drawProof({ accounts, url }: Service, question: string, file: string): Promise<void> {
  const { key } = await accounts.keys.create({ name: 'Picture', ownerId: null })
  const post = async (path: string, body: object): Promise<unknown> => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`)
    return answer.json()
  }
  const asked = { query: question, search_depth: 'exhaustive', include: ['proof'] }
  const { results } = (await post('/v1/search', asked)) as { results: Found[] }
  const [best] = results
  const [snippet] = best?.snippets ?? []
  if (best === undefined || snippet === undefined) throw new Error('the question has no answer')
  const pages = (await post('/v1/read', { url: best.url, format: 'text' })) as {
    results: { content: string }[]
  }
  const pageText = pages.results[0]?.content ?? ''
  const digest = createHash('sha256').update(pageText).digest('hex')
  if (digest !== best.content_sha256) throw new Error('the page is another than the one that was quoted')
  const { text, relevance_score: relevanceScore, start, end } = snippet
  const picture = { question, url: new URL(best.url).pathname, snippet: text, relevanceScore }
  const proof = { ...picture, pageText, contentSha256: digest, start, end }
  await writeFile(file, proofPicture(proof))
}
