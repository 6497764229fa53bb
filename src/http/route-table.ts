// Every route of the API, on one page. A new one is a schema in the contract, a file in routes/ and a line here.
import { exaContentsRoute } from './compat/exa/contents.ts'
import { exaErrors, exaSearchRoute } from './compat/exa/search.ts'
import { firecrawlErrors, firecrawlRootErrors, firecrawlScrapeRoutes } from './compat/firecrawl/scrape.ts'
import { firecrawlSearchRoutes } from './compat/firecrawl/search.ts'
import { jinaReaderErrors, jinaReaderRoute } from './compat/jina-reader.ts'
import { openWebUiDocumentRoute } from './compat/open-webui/document.ts'
import { openWebUiLoaderRoute } from './compat/open-webui/loader.ts'
import { openWebUiErrors, openWebUiRoute } from './compat/open-webui/search.ts'
import { perplexityErrors, perplexityRoute } from './compat/perplexity.ts'
import { cohereErrors, cohereRoutes } from './compat/rerank/cohere.ts'
import { jinaErrors, jinaRerankRoute } from './compat/rerank/jina.ts'
import { teiInfoRoute } from './compat/rerank/tei-info.ts'
import { teiErrors, teiRerankRoute } from './compat/rerank/tei.ts'
import { searxngConfigRoute } from './compat/searxng/config.ts'
import { searxngErrors, searxngRoutes } from './compat/searxng/search.ts'
import { tavilyErrors, tavilyExtractRoute } from './compat/tavily/extract.ts'
import { tavilyRoute } from './compat/tavily/search.ts'
import type { ErrorShape } from './route.ts'
import { healthRoute } from './routes/health.ts'
import { mcpRoute } from './routes/mcp/mcp.ts'
import { metricsRoute } from './routes/metrics.ts'
import { openApiRoute } from './routes/openapi.ts'
import { proofsRoute } from './routes/proofs.ts'
import { readRoute } from './routes/read.ts'
import { readyRoute } from './routes/ready.ts'
import { rerankRoute } from './routes/rerank.ts'
import { searchRoute } from './routes/search.ts'
import { signingKeysRoute } from './routes/signing-keys.ts'
import { verifyRoute } from './routes/verify.ts'

export const ROUTES = [
  searchRoute,
  readRoute,
  rerankRoute,
  verifyRoute,
  proofsRoute,
  signingKeysRoute,
  healthRoute,
  readyRoute,
  metricsRoute,
  openApiRoute,
  mcpRoute,
  tavilyRoute,
  tavilyExtractRoute,
  openWebUiRoute,
  openWebUiLoaderRoute,
  openWebUiDocumentRoute,
  ...searxngRoutes,
  searxngConfigRoute,
  jinaRerankRoute,
  ...cohereRoutes,
  teiRerankRoute,
  teiInfoRoute,
  ...firecrawlSearchRoutes,
  ...firecrawlScrapeRoutes,
  exaSearchRoute,
  exaContentsRoute,
  jinaReaderRoute,
  perplexityRoute,
]

/** What the handlers of all routes need together. */
export type RouteParts = typeof ROUTES extends { createHandler: (parts: infer Parts) => unknown }[]
  ? Parts
  : never

export const ERROR_SHAPES: readonly ErrorShape[] = [
  tavilyErrors,
  openWebUiErrors,
  searxngErrors,
  jinaReaderErrors,
  jinaErrors,
  cohereErrors,
  teiErrors,
  firecrawlErrors,
  firecrawlRootErrors,
  exaErrors,
  perplexityErrors,
]
