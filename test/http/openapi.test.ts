import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { get } from 'node:http'
import { json } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { article, startSearchSite, type SearchSite } from '../support/search-site.ts'
import { startService, type TestService } from '../support/service.ts'

type Document = {
  components: { schemas: Record<string, object> }
  paths: Record<string, { post: { responses: Record<string, unknown> } }>
}

let site: SearchSite
let service: TestService
let document: Document
beforeAll(async () => {
  site = await startSearchSite({
    '/a': { html: article('A', ['Some words on a page about keys and their care.']) },
  })
  service = await startService({ SEARCH_PROVIDERS: 'searxng', SEARXNG_URL: site.engineUrl })
  document = (await (await fetch(`${service.url}/openapi.json`)).json()) as Document
})
afterAll(async () => {
  await service.close()
  await site.close()
})

test('the document names the address of the service, whatever the Host header says', async () => {
  const { servers } = await new Promise<{ servers: unknown }>((resolve, reject) => {
    get(`${service.url}/openapi.json`, { headers: { Host: 'attacker.example' } }, (response) => {
      json(response).then((value) => resolve(value as { servers: unknown }), reject)
    }).once('error', reject)
  })
  expect(servers).toEqual([{ url: service.url }])
})

const validatorOf = (name: string) => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  return ajv.compile(document.components.schemas[name] ?? {})
}

/** Mostly valid values, and some of every wrong kind. */
const anyBody = fc.record(
  {
    query: fc.oneof({ arbitrary: fc.string({ minLength: 1, maxLength: 40 }), weight: 6 }, fc.jsonValue()),
    num_results: fc.oneof(fc.integer({ min: -1, max: 12 }), fc.jsonValue()),
    max_snippets_per_result: fc.oneof(fc.integer({ min: 0, max: 6 }), fc.jsonValue()),
    search_depth: fc.oneof(fc.constantFrom('precise', 'balanced', 'exhaustive'), fc.jsonValue()),
    recency: fc.oneof(fc.constantFrom('day', 'week', 'month', 'year', null), fc.jsonValue()),
    language: fc.oneof(fc.constantFrom('en', 'de', 'pt-BR'), fc.jsonValue()),
    include_domains: fc.oneof(fc.array(fc.domain(), { maxLength: 3 }), fc.jsonValue()),
    include: fc.oneof(fc.subarray(['proof', 'explain']), fc.jsonValue()),
  },
  { requiredKeys: ['query'] },
)

describe('the OpenAPI document', () => {
  test('is valid OpenAPI 3.1 by an independent validator', async () => {
    const result = await new Validator().validate(structuredClone(document))
    expect(result.errors ?? []).toEqual([])
    expect(result.valid).toBe(true)
  })

  test('describes every answer the service gives, to any request', async () => {
    const validators = { 200: validatorOf('SearchResponse'), problem: validatorOf('Problem') }
    const declared = Object.keys(document.paths['/v1/search']?.post.responses ?? {})
    await fc.assert(
      fc.asyncProperty(anyBody, async (body) => {
        const response = await service.search(body)
        const answer: unknown = await response.json()
        expect(declared).toContain(String(response.status))
        const isValid = response.status === 200 ? validators[200](answer) : validators.problem(answer)
        expect([body, isValid]).toEqual([body, true])
      }),
      { numRuns: 150 },
    )
  })

  test('accepts the very requests that the service accepts', async () => {
    const validate = validatorOf('SearchRequest')
    await fc.assert(
      fc.asyncProperty(anyBody, async (body) => {
        const { status } = await service.search(body)
        if (status === 200) expect([body, validate(JSON.parse(JSON.stringify(body)))]).toEqual([body, true])
        expect([200, 400, 422]).toContain(status)
      }),
      { numRuns: 60 },
    )
  })
})
