// The OpenAPI 3.1 document, generated from the same schemas that judge requests, so that it cannot tell another story.
import { z } from 'zod'
import {
  healthResponseSchema,
  LIMITS,
  querySchema,
  searchOptionsSchema,
  searchResponseSchema,
  verifyRequestSchema,
  verifyResponseSchema,
} from '../contract.ts'

const problemSchema = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    code: z.string(),
    request_id: z.string(),
    retryable: z.boolean(),
    errors: z.array(z.object({ pointer: z.string(), message: z.string() })).optional(),
  })
  .describe('RFC 9457 problem details.')

const searchRequestSchema = z.object({ query: querySchema, ...searchOptionsSchema.shape })

const integerHeader = (description: string) => ({ description, schema: { type: 'integer' } })
const textHeader = (description: string) => ({ description, schema: { type: 'string' } })

const RATE_LIMIT_HEADERS = {
  'RateLimit-Policy': textHeader('The limit: points (q) and seconds of the window (w).'),
  RateLimit: textHeader('What is left: points (r) and seconds until the window ends (t).'),
  'X-RateLimit-Limit': integerHeader('Points of the window.'),
  'X-RateLimit-Remaining': integerHeader('Points left.'),
  'X-RateLimit-Reset': integerHeader('Seconds until the window ends.'),
}

/** The document as plain JSON. `version` is the service's; `serverUrl` is where this instance answers. */
export function openApiDocument(version: string, serverUrl = '/') {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Verbatim',
      version,
      description: 'Web search that answers with passages, word for word as they stand on the page.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: serverUrl }],
    security: [{ apiKey: [] }],
    paths: {
      '/v1/search': { post: searchOperation() },
      '/v1/verify': { post: verifyOperation() },
      '/health': { get: healthOperation() },
    },
    components: {
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'An API key: `Authorization: Bearer vbt_…`.' },
      },
      schemas: {
        SearchRequest: jsonSchema(searchRequestSchema, 'input'),
        SearchResponse: jsonSchema(searchResponseSchema, 'output'),
        VerifyRequest: {
          ...jsonSchema(verifyRequestSchema, 'input'),
          oneOf: [{ required: ['url'] }, { required: ['content_sha256'] }],
        },
        VerifyResponse: jsonSchema(verifyResponseSchema, 'output'),
        Health: jsonSchema(healthResponseSchema, 'output'),
        Problem: jsonSchema(problemSchema, 'output'),
      },
    },
  }
}

function searchOperation() {
  const whole = { schema: { $ref: '#/components/schemas/SearchResponse' } }
  const streamed = { schema: { type: 'string', description: 'Events: result, then one summary or error.' } }
  return {
    operationId: 'search',
    summary: 'Search the web; get scored verbatim passages.',
    requestBody: body('SearchRequest'),
    responses: {
      200: {
        description: 'The answer, whole or streamed as the Accept header asks.',
        headers: RATE_LIMIT_HEADERS,
        content: {
          'application/json': whole,
          'application/x-ndjson': streamed,
          'text/event-stream': streamed,
        },
      },
      ...problems(400, 401, 413, 415, 422, 429, 500),
    },
  }
}

function verifyOperation() {
  return {
    operationId: 'verify',
    summary: 'Say of each quote whether and where it stands on a page.',
    requestBody: body('VerifyRequest'),
    responses: {
      200: {
        description: 'One entry per quote.',
        headers: RATE_LIMIT_HEADERS,
        content: { 'application/json': { schema: { $ref: '#/components/schemas/VerifyResponse' } } },
      },
      ...problems(400, 401, 404, 413, 415, 422, 429, 500),
    },
  }
}

function healthOperation() {
  return {
    operationId: 'health',
    summary: 'Tell whether the API is up.',
    security: [],
    responses: {
      200: {
        description: 'It is up.',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Health' } } },
      },
    },
  }
}

const DESCRIPTIONS: Readonly<Record<number, string>> = {
  400: 'The body is no JSON object, or the query is missing or invalid.',
  401: 'The API key is missing, invalid or revoked.',
  404: 'No page text with this digest is kept.',
  413: `The body is larger than ${LIMITS.bodyBytes} bytes.`,
  415: 'The body is not labelled as JSON.',
  422: 'A field other than query has a wrong type or is out of its range.',
  429: 'The rate limit is used up, or the service works at its limit.',
  500: 'Something unexpected went wrong, or no search provider could be reached.',
}

function problems(...statuses: number[]) {
  return Object.fromEntries(
    statuses.map((status) => [
      status,
      {
        description: DESCRIPTIONS[status] ?? 'An error.',
        ...(status === 429 ? { headers: { 'Retry-After': integerHeader('Seconds to wait.') } } : {}),
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    ]),
  )
}

function body(schema: string) {
  return {
    required: true,
    content: { 'application/json': { schema: { $ref: `#/components/schemas/${schema}` } } },
  }
}

function jsonSchema(schema: z.ZodType, io: 'input' | 'output') {
  const { $schema: _dialect, ...document } = z.toJSONSchema(schema, { io, target: 'draft-2020-12' })
  return document
}
