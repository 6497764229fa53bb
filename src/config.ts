// Environment -> one frozen Config. The only reader of process.env, so that every setting has one name, one default
// and one sentence that says what is allowed.
import { isAbsolute, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { OperatorError } from './errors.ts'
import { headerText, httpAddress } from './providers/engine-definition.ts'
import { isEngineVariable, readEngineSettings } from './providers/registry.ts'
import { flag, headerPairs, list, port, postgresUrl, share, wholeNumber } from './config/setting-values.ts'

/** Where package.json lies, one folder above this file in src/ and in the bundle; models/ and docs/ are found from here. */
export const PACKAGE_ROOT = fileURLToPath(new URL('..', import.meta.url))

const environmentSchema = z.object({
  PORT: port.default(3000),
  HOST: z.string().default('127.0.0.1'),
  PUBLIC_URL: httpAddress
    .refine((text) => !/[?#@]/u.test(text), 'an address without user, "?" and "#"')
    .optional(),
  TRUST_PROXY: flag.default(false),
  DATA_DIR: z.string().default('./data'),
  DATABASE_URL: postgresUrl.optional(),
  DATABASE_READ_URL: postgresUrl.optional(),
  REDIS_URL: z.string().optional(),
  REPLICAS: wholeNumber(1, 10_000).default(1),
  OIDC_ISSUER: httpAddress.optional(),
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_CLIENT_SECRET: z.string().optional(),
  OIDC_LABEL: z.string().default('single sign-on'),
  RATE_LIMIT_POINTS: wholeNumber(1, 1_000_000_000).default(600),
  RATE_LIMIT_DURATION_SECONDS: wholeNumber(1, 31_536_000).default(60),
  REQUEST_LOG_QUERIES: flag.default(false),
  SEARCH_CONCURRENCY: wholeNumber(1, 1_000).optional(),
  SEARCH_QUEUE: wholeNumber(0, 100_000).default(128),
  SEARCH_PROVIDERS: list
    .refine((names) => names.length > 0, 'auto, or names of search engines with commas between')
    .default(['auto']),
  SEARCH_FUSION: flag.default(false),
  USER_AGENT_CONTACT: headerText.optional(),
  ROBOTS: flag.default(true),
  EGRESS_ALLOW: list.default([]),
  PAGE_CACHE_MB: wholeNumber(1, 1_000_000).default(64),
  PROOF_KEEP_MINUTES: wholeNumber(0, 525_600, 'a whole number of minutes up to a year, 0 for none').default(
    60,
  ),
  BROWSER: z
    .string()
    .regex(/^(auto|off|wss?:\/\/.+|https?:\/\/.+)$/u, 'auto, off or the ws:// address of a remote browser')
    .default('auto'),
  BROWSER_CONTEXTS: wholeNumber(1, 100).default(3),
  BROWSER_PROXY_HOST: z
    .string()
    .regex(/^(?:[\w.-]+|[\dA-Fa-f:.]+)$/u, 'a host name or an IP address')
    .default('127.0.0.1'),
  BROWSER_PROXY_PORT: port.default(0),
  BROWSER_PROXY_CLIENTS: list.default([]),
  CHROMIUM_PATH: z.string().optional(),
  MODEL_DIR: z.string().optional(),
  HF_ENDPOINT: httpAddress.default('https://huggingface.co'),
  HF_HUB_OFFLINE: flag.default(false),
  HTTP_PROXY: z.string().optional(),
  HTTPS_PROXY: z.string().optional(),
  NO_PROXY: z.string().optional(),
  EMBEDDING_MODEL: z.string().optional(),
  RERANKER_MODEL: z.string().optional(),
  EMBEDDING_DEVICE: z.enum(['cpu', 'cuda'], 'cpu or cuda').default('cpu'),
  EMBEDDING_THREADS: wholeNumber(1, 256).optional(),
  METRICS_TOKEN: z.string().min(16, 'a secret of at least 16 characters').optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: httpAddress.optional(),
  OTEL_EXPORTER_OTLP_HEADERS: headerPairs.default({}),
  OTEL_SERVICE_NAME: z.string().default('verbatim'),
  OTEL_TRACES_SAMPLER_ARG: share.default(1),
  LOG_LEVEL: z
    .enum(
      ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
      'one of fatal, error, warn, info, debug, trace and silent',
    )
    .default('info'),
})

export type Config = ReturnType<typeof loadConfig>

/**
 * Reads the settings. Empty variables count as unset, white space around a value as nothing; `~` is not expanded; relative paths count from `directory`.
 * @throws {OperatorError} naming every variable that makes no sense and what is allowed.
 */
export function loadConfig(environment: NodeJS.ProcessEnv = process.env, directory: string = process.cwd()) {
  const set = Object.fromEntries(
    Object.entries(environment).flatMap(([name, value = '']) =>
      value.trim() === '' ? [] : [[name, value.trim()]],
    ),
  )
  const parsed = environmentSchema.safeParse(set)
  const engines = readEngineSettings(set)
  const issues = [...(parsed.error?.issues ?? []), ...engines.issues]
  if (!parsed.success || issues.length > 0) throw new OperatorError(explain(issues))
  const env = parsed.data
  const path = (text: string): string => (isAbsolute(text) ? text : resolve(directory, text))
  const dataDir = path(env.DATA_DIR)
  return Object.freeze({
    http: { host: env.HOST, port: env.PORT, publicUrl: env.PUBLIC_URL ?? null, trustProxy: env.TRUST_PROXY },
    dataDir,
    accounts: {
      store: env.DATABASE_URL === undefined ? { dataDir } : { databaseUrl: env.DATABASE_URL },
      rateLimit: { points: env.RATE_LIMIT_POINTS, durationSeconds: env.RATE_LIMIT_DURATION_SECONDS },
      replicas: env.REPLICAS,
      keepsQueries: env.REQUEST_LOG_QUERIES,
    },
    databaseReadUrl: databaseReadUrl(env),
    redisUrl: env.REDIS_URL ?? null,
    oidc: oidcSettings(env),
    admission: { concurrency: env.SEARCH_CONCURRENCY ?? null, queue: env.SEARCH_QUEUE },
    providers: {
      order: env.SEARCH_PROVIDERS,
      fusion: env.SEARCH_FUSION,
      settings: engines.settings,
    },
    pages: {
      contact: env.USER_AGENT_CONTACT ?? null,
      robots: env.ROBOTS,
      egressAllow: env.EGRESS_ALLOW,
      cacheBytes: env.PAGE_CACHE_MB * 1024 * 1024,
      /** How long texts are kept that proofs refer to by their digest; 0 for not at all. */
      proofKeepMs: env.PROOF_KEEP_MINUTES * 60_000,
    },
    browser: {
      mode: env.BROWSER,
      contexts: env.BROWSER_CONTEXTS,
      proxy: {
        host: env.BROWSER_PROXY_HOST,
        port: env.BROWSER_PROXY_PORT,
        clients: env.BROWSER_PROXY_CLIENTS,
      },
      chromiumPath: env.CHROMIUM_PATH ?? null,
    },
    models: modelSettings(env, dataDir, path),
    metricsToken: env.METRICS_TOKEN ?? null,
    /** What is set, by variable, as people may read it; null for what nobody may. */
    set: new Map(Object.entries(set).flatMap(([name, value]) => shownSetting(name, value))),
    tracing: tracingSettings(env),
    logLevel: env.LOG_LEVEL,
  })
}

/** Where models lie, come from and run, and which are named. */
function modelSettings(
  env: z.output<typeof environmentSchema>,
  dataDir: string,
  path: (text: string) => string,
) {
  const modelName = (name: string | undefined): string | null =>
    name?.startsWith('.') === true ? path(name) : (name ?? null)
  return {
    catalogPath: join(PACKAGE_ROOT, 'models', 'catalog.json'),
    bundledDirectory: join(PACKAGE_ROOT, 'models', 'bundled'),
    docsDirectory: join(PACKAGE_ROOT, 'docs'),
    modelDirectory: path(env.MODEL_DIR ?? join(dataDir, 'models')),
    hub: {
      endpoint: env.HF_ENDPOINT,
      offline: env.HF_HUB_OFFLINE,
      httpProxy: env.HTTP_PROXY,
      httpsProxy: env.HTTPS_PROXY,
      noProxy: env.NO_PROXY,
    },
    embeddingModel: modelName(env.EMBEDDING_MODEL),
    rerankerModel: modelName(env.RERANKER_MODEL),
    device: env.EMBEDDING_DEVICE,
    threads: env.EMBEDDING_THREADS ?? null,
  }
}

/** Variables of ours whose values are no secret, whatever they hold. */
const PLAIN =
  /^(?:PORT|HOST|TRUST_PROXY|DATA_DIR|REPLICAS|OIDC_LABEL|LOG_LEVEL|ROBOTS|USER_AGENT_CONTACT|EGRESS_ALLOW|PAGE_CACHE_MB|PROOF_KEEP_MINUTES|REQUEST_LOG_QUERIES|MODEL_DIR|HF_HUB_OFFLINE|CHROMIUM_PATH|OTEL_SERVICE_NAME|OTEL_TRACES_SAMPLER_ARG|OPENSEARCH_INDEX|OPENSEARCH_FIELDS|(?:RATE_LIMIT|SEARCH|EMBEDDING|RERANKER|BROWSER)_[A-Z_]+)$/u
const ADDRESS =
  /^(?:BROWSER|OIDC_ISSUER|OTEL_EXPORTER_OTLP_ENDPOINT|HF_ENDPOINT|HTTPS?_PROXY|[A-Z]+(?:_[A-Z]+)*_URL)$/u

/** A variable of ours and what is shown of it: of an address its host alone, for the rest may hold a password. */
function shownSetting(name: string, value: string): [name: string, shown: string | null][] {
  if (!Object.hasOwn(environmentSchema.shape, name) && !isEngineVariable(name)) return []
  if (PLAIN.test(name)) return [[name, value]]
  if (!ADDRESS.test(name)) return [[name, null]]
  if (/^(?:auto|off)$/u.test(value)) return [[name, value]]
  const { protocol, host } = URL.canParse(value) ? new URL(value) : { protocol: '', host: '' }
  return [[name, host === '' ? null : `${protocol}//${host}`]]
}

/** A replica of nothing would hide that the library lies in a file. */
function databaseReadUrl(env: z.output<typeof environmentSchema>): string | null {
  if (env.DATABASE_READ_URL !== undefined && env.DATABASE_URL === undefined)
    throw new OperatorError('DATABASE_READ_URL needs DATABASE_URL beside it.')
  return env.DATABASE_READ_URL ?? null
}

/** Null unless an issuer is named; the client's id and secret belong to it. */
function oidcSettings(env: z.output<typeof environmentSchema>) {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = env
  if (issuer === undefined) {
    if (clientId === undefined && clientSecret === undefined) return null
    throw new OperatorError('OIDC_CLIENT_ID and OIDC_CLIENT_SECRET need OIDC_ISSUER beside them.')
  }
  if (clientId === undefined || clientSecret === undefined) {
    throw new OperatorError('OIDC_ISSUER needs OIDC_CLIENT_ID and OIDC_CLIENT_SECRET beside it.')
  }
  return { issuer, clientId, clientSecret, label: env.OIDC_LABEL }
}

/** Null unless a collector is named. */
function tracingSettings(env: z.output<typeof environmentSchema>) {
  if (env.OTEL_EXPORTER_OTLP_ENDPOINT === undefined) return null
  return {
    endpoint: env.OTEL_EXPORTER_OTLP_ENDPOINT,
    headers: env.OTEL_EXPORTER_OTLP_HEADERS,
    serviceName: env.OTEL_SERVICE_NAME,
    sampleRatio: env.OTEL_TRACES_SAMPLER_ARG,
  }
}

function explain(issues: readonly z.core.$ZodIssue[]): string {
  const lines = issues.map((issue) => `${String(issue.path[0])} must be ${issue.message}.`)
  return [...new Set(lines)].join('\n')
}
