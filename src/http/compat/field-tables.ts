// Every table of foreign fields with the routes it belongs to: for the documentation, and for the tests that hold each
// row to its word.
import { exaContentsFields } from './exa/contents.ts'
import { exaSearchFields } from './exa/search.ts'
import { firecrawlScrapeFields } from './firecrawl/scrape.ts'
import { firecrawlSearchFields } from './firecrawl/search.ts'
import type { ForeignFields } from './foreign-fields.ts'
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
}

export const FIELD_TABLES: readonly FieldTable[] = [
  { name: 'SearXNG', paths: ['/searxng/search'], fields: searxngFields },
  { name: 'Tavily search', paths: ['/tavily/search'], fields: tavilySearchFields },
  { name: 'Tavily extract', paths: ['/tavily/extract'], fields: tavilyExtractFields },
  {
    name: 'Firecrawl search',
    paths: ['/firecrawl/v2/search', '/firecrawl/v1/search'],
    fields: firecrawlSearchFields,
  },
  {
    name: 'Firecrawl scrape',
    paths: ['/firecrawl/v2/scrape', '/firecrawl/v1/scrape'],
    fields: firecrawlScrapeFields,
  },
  { name: 'Exa search', paths: ['/exa/search'], fields: exaSearchFields },
  { name: 'Exa contents', paths: ['/exa/contents'], fields: exaContentsFields },
  { name: 'Perplexity search', paths: ['/perplexity/search'], fields: perplexityFields },
  { name: 'Jina rerank', paths: ['/jina/v1/rerank'], fields: jinaRerankFields },
  { name: 'Cohere rerank', paths: ['/cohere/v2/rerank', '/cohere/v1/rerank'], fields: cohereRerankFields },
  { name: 'TEI rerank', paths: ['/tei/rerank'], fields: teiRerankFields },
  { name: 'Open WebUI search', paths: ['/open-webui/search'], fields: openWebUiSearchFields },
  { name: 'Open WebUI loader', paths: ['/open-webui/loader'], fields: openWebUiLoaderFields },
]
