// The OpenAPI 3.1 document, generated from the table of routes and the schemas that judge requests, so that it cannot
// tell another story.
import { z } from 'zod'
import { LIMITS } from '../contract/limits.ts'
import type { NamedSchema, Operation } from './route.ts'

/** What the document needs to know of a route. */
interface DescribedRoute {
  method: 'get' | 'post' | 'put'
  path: string
  bodyBytes?: number
  door: 'key' | 'open'
  operation: Operation | null
}

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

const integerHeader = (description: string) => ({ description, schema: { type: 'integer' } })
const textHeader = (description: string) => ({ description, schema: { type: 'string' } })

const RATE_LIMIT_HEADERS = {
  'RateLimit-Policy': textHeader('The limit: points (q) and seconds of the window (w).'),
  RateLimit: textHeader('What is left: points (r) and seconds until the window ends (t).'),
  'X-RateLimit-Limit': integerHeader('Points of the window.'),
  'X-RateLimit-Remaining': integerHeader('Points left.'),
  'X-RateLimit-Reset': integerHeader('Seconds until the window ends.'),
}

/** What the door itself may refuse, and of bodies. */
const DOOR_REFUSALS = [401, 403, 429, 500, 503]
const BODY_REFUSALS = [413, 415]

const DESCRIPTIONS: Readonly<Record<number, string>> = {
  400: 'The body is no JSON object, or the query is missing or invalid.',
  401: 'The API key is missing, invalid or revoked.',
  403: 'The API key does not have the scope of this address.',
  404: 'No page text with this digest is kept.',
  415: 'The body is not labelled as JSON.',
  422: 'A field other than query has a wrong type or is out of its range.',
  429: 'The rate limit is used up, or the service works at its limit.',
  500: 'Something unexpected went wrong, or no search provider could be reached.',
  503: 'A database of the service does not answer.',
}

/** Those that tell when to try again. */
const WITH_RETRY_AFTER: ReadonlySet<number> = new Set([429, 503])

/** The document as plain JSON. `version` is the service's; `serverUrl` is where this instance answers. */
export function openApiDocument(routes: readonly DescribedRoute[], version: string, serverUrl = '/') {
  const described = routes.flatMap(({ operation, ...route }) =>
    operation === null ? [] : [{ ...route, operation }],
  )
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
    paths: Object.fromEntries(
      described.map((route) => [
        pathTemplate(route.path),
        { [route.method]: describe(route.operation, route) },
      ]),
    ),
    components: {
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'An API key: `Authorization: Bearer vbt_…`.' },
      },
      schemas: {
        ...Object.fromEntries(described.flatMap(({ operation }) => schemasOf(operation))),
        Problem: jsonSchema({ name: 'Problem', schema: problemSchema }, 'output'),
      },
    },
  }
}

function describe(operation: Operation, { path, door, bodyBytes = LIMITS.bodyBytes }: DescribedRoute) {
  const { id, summary, parameters, body, answer, alternative, otherwise = {}, refusals } = operation
  const others =
    alternative === undefined ? null : { body: alternative.body.name, answer: alternative.answer.name }
  const isOpen = door === 'open'
  const byDoor = body === undefined ? DOOR_REFUSALS : [...DOOR_REFUSALS, ...BODY_REFUSALS]
  const refused = [...refusals, ...(isOpen ? [] : byDoor)].toSorted((left, right) => left - right)
  return {
    operationId: id,
    summary,
    ...(isOpen ? { security: [] } : {}),
    ...(parameters === undefined ? {} : { parameters: describeParameters(parameters, path) }),
    ...(body === undefined
      ? {}
      : { requestBody: { required: true, content: jsonContent(body.name, others?.body) } }),
    responses: {
      200: {
        description: answer.description,
        ...(isOpen ? {} : { headers: RATE_LIMIT_HEADERS }),
        content: { ...jsonContent(answer.name, others?.answer), ...streamContent(operation) },
      },
      ...Object.fromEntries(refused.map((status) => [status, describeProblem(status, bodyBytes)])),
      ...Object.fromEntries(
        Object.entries(otherwise).map(([status, description]) => [
          status,
          { description, content: jsonContent(answer.name) },
        ]),
      ),
    },
  }
}

/** `/v1/proofs/:sha256` as OpenAPI writes it: `/v1/proofs/{sha256}`. */
const pathTemplate = (path: string): string => path.replace(/:(\w+)/gu, '{$1}')

/** One parameter for each property of the schema: of the path where the path names it, else of the query. */
function describeParameters(parameters: z.ZodObject, path: string) {
  const template = pathTemplate(path)
  const { properties = {}, required = [] } = z.toJSONSchema(parameters, {
    io: 'input',
    target: 'draft-2020-12',
  })
  return Object.entries(properties).map(([name, property]) => {
    const { description = '', ...schema } = typeof property === 'boolean' ? {} : property
    const isInPath = template.includes(`{${name}}`)
    const place = isInPath ? 'path' : 'query'
    return { name, in: place, required: isInPath || required.includes(name), description, schema }
  })
}

const describeProblem = (status: number, bodyBytes: number) => ({
  description:
    status === 413 ? `The body is larger than ${bodyBytes} bytes.` : (DESCRIPTIONS[status] ?? 'An error.'),
  ...(WITH_RETRY_AFTER.has(status) ? { headers: { 'Retry-After': integerHeader('Seconds to wait.') } } : {}),
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
})

const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` })

/** `other` is a second shape that may stand there. */
const jsonContent = (name: string, other?: string) => ({
  'application/json': {
    schema: other === undefined ? reference(name) : { oneOf: [reference(name), reference(other)] },
  },
})

const streamContent = ({ streams = {} }: Operation) =>
  Object.fromEntries(
    Object.entries(streams).map(([mediaType, description]) => [
      mediaType,
      { schema: { type: 'string', description } },
    ]),
  )

const schemasOf = ({
  body,
  answer,
  alternative,
}: Pick<Operation, 'body' | 'alternative'> & { answer: NamedSchema }): [name: string, schema: object][] => [
  ...(body === undefined ? [] : [[body.name, jsonSchema(body, 'input')] as [string, object]]),
  [answer.name, jsonSchema(answer, 'output')],
  ...(alternative === undefined ? [] : schemasOf(alternative)),
]

function jsonSchema({ schema, constraints = {} }: NamedSchema, io: 'input' | 'output') {
  const { $schema: _dialect, ...document } = z.toJSONSchema(schema, { io, target: 'draft-2020-12' })
  return { ...document, ...constraints }
}
