// Every route of the API, on one page. A new one is a schema in the contract, a file in routes/ and a line here.
import { openWebUiRoute } from './compat/open-webui.ts'
import { tavilyErrors, tavilyRoute } from './compat/tavily.ts'
import type { ErrorShape } from './route.ts'
import { healthRoute } from './routes/health.ts'
import { mcpRoute } from './routes/mcp.ts'
import { metricsRoute } from './routes/metrics.ts'
import { openApiRoute } from './routes/openapi.ts'
import { readRoute } from './routes/read.ts'
import { readyRoute } from './routes/ready.ts'
import { rerankRoute } from './routes/rerank.ts'
import { searchRoute } from './routes/search.ts'
import { verifyRoute } from './routes/verify.ts'

export const ROUTES = [
  searchRoute,
  readRoute,
  rerankRoute,
  verifyRoute,
  healthRoute,
  readyRoute,
  metricsRoute,
  openApiRoute,
  mcpRoute,
  tavilyRoute,
  openWebUiRoute,
]

/** What the handlers of all routes need together. */
export type RouteParts = typeof ROUTES extends { createHandler: (parts: infer Parts) => unknown }[]
  ? Parts
  : never

export const ERROR_SHAPES: readonly ErrorShape[] = [tavilyErrors]
