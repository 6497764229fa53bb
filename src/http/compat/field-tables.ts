// Every table of foreign fields with the routes it belongs to: for the documentation, and for the tests that hold each
// row to its word.
import { contentFields, exaHighlightFields, exaTextFields } from './exa/content-options.ts'
import { exaContentsFields } from './exa/contents.ts'
import { exaSearchFields } from './exa/search.ts'
import { firecrawlScrapeFields } from './firecrawl/scrape.ts'
import { firecrawlResultFields, firecrawlSearchFields } from './firecrawl/search.ts'
import type { ForeignFields } from './foreign-fields.ts'
import { jinaReaderFields } from './jina-reader.ts'
import { openWebUiLoaderFields } from './open-webui/loader.ts'
import { openWebUiSearchFields } from './open-webui/search.ts'
import { perplexityFields } from './perplexity.ts'
import { cohereRerankFields } from './rerank/cohere.ts'
import { jinaRerankFields } from './rerank/jina.ts'
import { teiRerankFields } from './rerank/tei.ts'
import { searxngFields } from './searxng/search.ts'
import { tavilyExtractFields } from './tavily/extract.ts'
import { tavilySearchFields } from './tavily/search.ts'

export interface FieldTable {
  name: string
  /** Below `/compat`. */
  paths: readonly string[]
  fields: ForeignFields
  /** Where in the body the object with these fields stands; left out for the body itself. */
  within?: readonly string[]
  /** Whether they are headers of the request. */
  areHeaders?: boolean
}

const EXA_SEARCH = { name: 'Exa search', paths: ['/exa/search'] } as const
const EXA_CONTENTS = { name: 'Exa contents', paths: ['/exa/contents'] } as const
const FIRECRAWL_SEARCH = {
  name: 'Firecrawl search',
  paths: ['/firecrawl/v2/search', '/firecrawl/v1/search'],
} as const

export const FIELD_TABLES: readonly FieldTable[] = [
  { name: 'SearXNG', paths: ['/searxng/search'], fields: searxngFields },
  { name: 'Tavily search', paths: ['/tavily/search'], fields: tavilySearchFields },
  { name: 'Tavily extract', paths: ['/tavily/extract'], fields: tavilyExtractFields },
  { ...FIRECRAWL_SEARCH, fields: firecrawlSearchFields },
  { ...FIRECRAWL_SEARCH, fields: firecrawlResultFields, within: ['scrapeOptions'] },
  {
    name: 'Firecrawl scrape',
    paths: ['/firecrawl/v2/scrape', '/firecrawl/v1/scrape'],
    fields: firecrawlScrapeFields,
  },
  { ...EXA_SEARCH, fields: exaSearchFields },
  { ...EXA_SEARCH, fields: contentFields, within: ['contents'] },
  { ...EXA_SEARCH, fields: exaTextFields, within: ['contents', 'text'] },
  { ...EXA_SEARCH, fields: exaHighlightFields, within: ['contents', 'highlights'] },
  { ...EXA_CONTENTS, fields: exaContentsFields },
  { ...EXA_CONTENTS, fields: exaTextFields, within: ['text'] },
  { ...EXA_CONTENTS, fields: exaHighlightFields, within: ['highlights'] },
  { name: 'Perplexity search', paths: ['/perplexity/search'], fields: perplexityFields },
  { name: 'Jina reader', paths: ['/jina/r/*address'], fields: jinaReaderFields, areHeaders: true },
  { name: 'Jina rerank', paths: ['/jina/v1/rerank'], fields: jinaRerankFields },
  { name: 'Cohere rerank', paths: ['/cohere/v2/rerank', '/cohere/v1/rerank'], fields: cohereRerankFields },
  { name: 'TEI rerank', paths: ['/tei/rerank'], fields: teiRerankFields },
  { name: 'Open WebUI search', paths: ['/open-webui/search'], fields: openWebUiSearchFields },
  { name: 'Open WebUI loader', paths: ['/open-webui/loader'], fields: openWebUiLoaderFields },
]
