// Answers as the sources of the Vercel AI SDK: those a model's answer carries, and those a user interface shows.
import type { SearchResponse } from './api.ts'

/** What of a page a source carries along, as `providerMetadata`; no interface, because the SDK wants it to be indexable. */
type VerbatimMetadata = {
  verbatim: { publish_date: string | null; passages: { text: string; relevance_score: number }[] }
}

/** A part of a model's content: `LanguageModelV3Source` of `@ai-sdk/provider`. */
export interface Source {
  type: 'source'
  sourceType: 'url'
  id: string
  url: string
  title: string
  providerMetadata: VerbatimMetadata
}

/** A part of a message on the screen, and what `writer.write` of a UI message stream takes: `SourceUrlUIPart`. */
export interface SourcePart {
  type: 'source-url'
  sourceId: string
  url: string
  title: string
  providerMetadata: VerbatimMetadata
}

/** One source for each page with passages, known by its address, so that a page found twice is one source. */
export const toSources = (answer: SearchResponse): Source[] =>
  pagesOf(answer).map(({ url, title, providerMetadata }) => ({
    type: 'source',
    sourceType: 'url',
    id: url,
    url,
    title,
    providerMetadata,
  }))

/** The same as parts of a message on the screen. */
export const toSourceParts = (answer: SearchResponse): SourcePart[] =>
  pagesOf(answer).map(({ url, title, providerMetadata }) => ({
    type: 'source-url',
    sourceId: url,
    url,
    title,
    providerMetadata,
  }))

const pagesOf = ({ results }: SearchResponse) =>
  results
    .filter(({ snippets }) => snippets.length > 0)
    .map(({ url, title, publish_date, snippets }) => ({
      url,
      title,
      providerMetadata: {
        verbatim: {
          publish_date,
          passages: snippets.map(({ text, relevance_score }) => ({ text, relevance_score })),
        },
      },
    }))
