// What the client makes of an answer for others, given to the real AI SDK.
import {
  createUIMessageStream,
  generateText,
  readUIMessageStream,
  type SourceUrlUIPart,
  type UIMessage,
} from 'ai'
import { MockLanguageModelV3 } from 'ai/test'
import { describe, expect, test } from 'vitest'
import {
  toSearchResultBlocks,
  toSourceParts,
  toSources,
  type SearchResponse,
} from '../../packages/client/src/index.ts'

const page = (url: string, title: string, ...texts: string[]): SearchResponse['results'][number] => ({
  rank: 1,
  url,
  title,
  snippets: texts.map((text) => ({ text, relevance_score: 0.75 })),
  warning: null,
  publish_date: '2026-01-05',
  last_updated: null,
})
const ANSWER: SearchResponse = {
  query: 'q',
  results: [
    page('https://example.com/a', 'A page', 'One passage.', 'Another passage.'),
    page('https://example.com/empty', 'No passage'),
    page('https://example.com/b', '', 'A third passage.'),
  ],
  total_latency_ms: 1,
}
const PASSAGES = [
  { text: 'One passage.', relevance_score: 0.75 },
  { text: 'Another passage.', relevance_score: 0.75 },
]

test('Anthropic gets a block for each page with passages, and in it a text for each passage', () => {
  expect(toSearchResultBlocks(ANSWER)).toEqual([
    {
      type: 'search_result',
      source: 'https://example.com/a',
      title: 'A page',
      content: [
        { type: 'text', text: 'One passage.' },
        { type: 'text', text: 'Another passage.' },
      ],
      citations: { enabled: true },
    },
    {
      type: 'search_result',
      source: 'https://example.com/b',
      title: 'https://example.com/b',
      content: [{ type: 'text', text: 'A third passage.' }],
      citations: { enabled: true },
    },
  ])
})

describe('the AI SDK', () => {
  test('gets a source for each page with passages, which come out of generateText as they went in', async () => {
    const content = toSources(ANSWER)
    const usage = {
      inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: 1, text: 1, reasoning: 0 },
    }
    const model = new MockLanguageModelV3({
      doGenerate: [{ content, finishReason: { unified: 'stop', raw: undefined }, usage, warnings: [] }],
    })
    const { sources } = await generateText({ model, prompt: 'q' })
    expect(sources).toEqual(content)
    expect(sources.map(({ id }) => id)).toEqual(['https://example.com/a', 'https://example.com/b'])
    expect(sources[0]?.providerMetadata).toEqual({
      verbatim: { publish_date: '2026-01-05', passages: PASSAGES },
    })
  })

  test('shows them on the screen as parts of a message', async () => {
    const parts: SourceUrlUIPart[] = toSourceParts(ANSWER)
    const stream = createUIMessageStream({
      execute: ({ writer }) => {
        for (const part of toSourceParts(ANSWER)) writer.write(part)
      },
    })
    let last: UIMessage | null = null
    for await (const message of readUIMessageStream({ stream })) last = message
    expect(last?.parts).toEqual(parts)
    expect(parts[0]).toMatchObject({
      title: 'A page',
      providerMetadata: { verbatim: { passages: PASSAGES } },
    })
  })
})
