import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { loadConfig } from '../src/config.ts'
import { OperatorError } from '../src/errors.ts'

/** What the operator is told; fails when the settings are accepted. */
function refusalOf(environment: Record<string, string>): string {
  try {
    loadConfig(environment)
  } catch (error) {
    if (error instanceof OperatorError) return error.message
    throw error
  }
  throw new Error('the settings were accepted')
}

describe('settings that make no sense', () => {
  const cases: [name: string, value: string, words: string][] = [
    ['PORT', '70000', 'PORT must be a port number from 0 to 65535.'],
    ['PORT', 'http', 'PORT must be a port number from 0 to 65535.'],
    ['PORT', '80.5', 'PORT must be a port number from 0 to 65535.'],
    ['PORT', '1e3', 'PORT must be a port number from 0 to 65535.'],
    ['RATE_LIMIT_POINTS', '0', 'RATE_LIMIT_POINTS must be a whole number from 1 to 1000000000.'],
    ['SEARCH_QUEUE', '-1', 'SEARCH_QUEUE must be a whole number from 0 to 100000.'],
    ['EMBEDDING_THREADS', '100000', 'EMBEDDING_THREADS must be a whole number from 1 to 256.'],
    ['USER_AGENT_CONTACT', 'Zoë', 'USER_AGENT_CONTACT must be letters, digits and signs of ASCII.'],
    ['BRAVE_API_KEY', 'schlüssel', 'BRAVE_API_KEY must be letters, digits and signs of ASCII.'],
    ['ROBOTS', 'maybe', 'ROBOTS must be on or off.'],
    ['SEARXNG_URL', 'localhost:8080', 'SEARXNG_URL must be an address that begins with http:// or https://.'],
    ['PUBLIC_URL', 'ftp://a', 'PUBLIC_URL must be an address that begins with http:// or https://.'],
    ['PUBLIC_URL', 'https://a/?b', 'PUBLIC_URL must be an address without user, "?" and "#".'],
    ['PUBLIC_URL', 'https://user:word@a', 'PUBLIC_URL must be an address without user, "?" and "#".'],
    ['OIDC_CLIENT_ID', 'a', 'OIDC_CLIENT_ID and OIDC_CLIENT_SECRET need OIDC_ISSUER beside them.'],
    [
      'DATABASE_URL',
      'mysql://a',
      'DATABASE_URL must be an address that begins with postgres://, special signs of its password percent-encoded.',
    ],
    [
      'DATABASE_READ_URL',
      'a',
      'DATABASE_READ_URL must be an address that begins with postgres://, special signs of its password percent-encoded.',
    ],
    ['DATABASE_READ_URL', 'postgres://replica/verbatim', 'DATABASE_READ_URL needs DATABASE_URL beside it.'],
    ['BROWSER', 'firefox', 'BROWSER must be auto, off or the ws:// address of a remote browser.'],
    ['EMBEDDING_DEVICE', 'tpu', 'EMBEDDING_DEVICE must be cpu or cuda.'],
    ['METRICS_TOKEN', 'short', 'METRICS_TOKEN must be a secret of at least 16 characters.'],
    ['OTEL_TRACES_SAMPLER_ARG', '2', 'OTEL_TRACES_SAMPLER_ARG must be a share from 0 to 1.'],
    ['LOG_LEVEL', 'loud', 'LOG_LEVEL must be one of fatal, error, warn, info, debug, trace and silent.'],
  ]
  test.each(cases)('%s=%s is refused with what is allowed', (name, value, words) => {
    expect(refusalOf({ [name]: value })).toBe(words)
  })

  test('every one of them is named, each once', () => {
    expect(refusalOf({ PORT: '0.5', ROBOTS: 'x' }).split('\n')).toEqual([
      'PORT must be a port number from 0 to 65535.',
      'ROBOTS must be on or off.',
    ])
  })

  test('a value is never repeated, for it may be a secret', () => {
    expect(refusalOf({ METRICS_TOKEN: 's3cret', DATABASE_URL: 'mysql://user:s3cret@host' })).not.toContain(
      's3cret',
    )
  })

  test.each([
    [
      { OIDC_ISSUER: 'https://id.example' },
      'OIDC_ISSUER needs OIDC_CLIENT_ID and OIDC_CLIENT_SECRET beside it.',
    ],
    [{ OPENSEARCH_URL: 'https://index.example' }, 'OPENSEARCH_URL needs OPENSEARCH_INDEX beside it.'],
    [
      { OPENSEARCH_URL: 'https://index.example', OPENSEARCH_INDEX: 'pages', OPENSEARCH_FIELDS: 'url' },
      'OPENSEARCH_FIELDS: "url" must be written as name=field.',
    ],
  ])('a part that is half set up is refused: %o', (environment, words) => {
    expect(refusalOf(environment)).toBe(words)
  })
})

describe('settings that are read', () => {
  test('none at all is a configuration', () => {
    const config = loadConfig({}, '/srv/verbatim')
    expect(config.http).toEqual({ host: '127.0.0.1', port: 3000, publicUrl: null, trustProxy: false })
    expect(config.dataDir).toBe(join('/srv/verbatim', 'data'))
    expect(config.redisUrl).toBeNull()
  })

  test('an empty variable counts as unset, as compose files leave them', () => {
    expect(loadConfig({ PORT: '', SEARXNG_URL: '', OIDC_ISSUER: '' }, '/srv')).toEqual(loadConfig({}, '/srv'))
  })

  test('white space around a value counts for nothing, as files with lines of Windows leave it', () => {
    expect(loadConfig({ PORT: ' ', PROOF_KEEP_MINUTES: '\r' }, '/srv')).toEqual(loadConfig({}, '/srv'))
    expect(loadConfig({ PORT: '80\r', SEARXNG_URL: 'http://a \r' }, '/srv')).toEqual(
      loadConfig({ PORT: '80', SEARXNG_URL: 'http://a' }, '/srv'),
    )
  })

  test('a relative path counts from the folder the service was started in, an absolute one stands', () => {
    expect(loadConfig({ DATA_DIR: 'state' }, '/srv').dataDir).toBe('/srv/state')
    expect(loadConfig({ DATA_DIR: '/var/lib/verbatim' }, '/srv').dataDir).toBe('/var/lib/verbatim')
  })

  test('slashes at the end of an address are dropped, so that paths can be put behind it', () => {
    expect(loadConfig({ SEARXNG_URL: 'https://search.example/searx//' }).providers.settings.searxng).toEqual({
      baseUrl: 'https://search.example/searx',
    })
  })

  test('an engine without its key is left out, one with it is set up', () => {
    expect(loadConfig({}).providers.settings.brave).toBeUndefined()
    expect(loadConfig({ BRAVE_API_KEY: 'abc' }).providers.settings.brave).toEqual({ apiKey: 'abc' })
  })

  test('a field that the index does not have is named by nothing behind its sign', () => {
    const settings = { OPENSEARCH_URL: 'https://i.example', OPENSEARCH_INDEX: 'p' }
    expect(
      loadConfig({ ...settings, OPENSEARCH_FIELDS: 'url=page.url, date=' }).providers.settings.opensearch
        ?.fields,
    ).toEqual({ url: 'page.url', date: null })
  })

  test('the configuration cannot be changed once it is read', () => {
    expect(Object.isFrozen(loadConfig({}))).toBe(true)
  })
})

describe('headers for the collector of traces', () => {
  const headersOf = (text: string) =>
    loadConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318', OTEL_EXPORTER_OTLP_HEADERS: text }).tracing
      ?.headers

  test('are pairs, their values percent-encoded', () => {
    expect(headersOf('authorization=Bearer%20x, x-y=1=2')).toEqual({
      authorization: 'Bearer x',
      'x-y': '1=2',
    })
  })

  test.each(['a', 'a=b,', 'a=%zz', 'a=b%0d%0ax: y', '=b', 'a b=c'])(
    'are refused when they are %s',
    (text) => {
      expect(() => headersOf(text)).toThrow('OTEL_EXPORTER_OTLP_HEADERS must be name=value pairs')
    },
  )

  test('are nothing without a collector', () => {
    expect(loadConfig({ OTEL_EXPORTER_OTLP_HEADERS: 'a=b' }).tracing).toBeNull()
  })
})
