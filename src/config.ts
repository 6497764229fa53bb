// Environment -> one frozen Config. The only reader of process.env, so that every setting has one name, one default
// and one sentence that says what is allowed.
import { isAbsolute, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'

/** Where package.json lies; models/ and docs/ are found from here, compiled or not. */
export const PACKAGE_ROOT = fileURLToPath(new URL('..', import.meta.url))

const port = z.coerce.number().int().min(0).max(65_535)
const positive = z.coerce.number().int().min(1)
const httpUrl = z.url({ protocol: /^https?$/u }).transform((text) => text.replace(/(?<!\/)\/+$/u, ''))
const flag = z
  .enum(['on', 'off', 'true', 'false', '1', '0'])
  .transform((text) => ['on', 'true', '1'].includes(text))
const list = z.string().transform((text) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== ''),
)

const environmentSchema = z.object({
  PORT: port.default(3000),
  HOST: z.string().default('127.0.0.1'),
  PUBLIC_URL: httpUrl.optional(),
  TRUST_PROXY: flag.default(false),
  DATA_DIR: z.string().default('./data'),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/u }).optional(),
  REDIS_URL: z.string().optional(),
  REPLICAS: positive.default(1),
  OIDC_ISSUER: httpUrl.optional(),
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_CLIENT_SECRET: z.string().optional(),
  OIDC_LABEL: z.string().default('single sign-on'),
  RATE_LIMIT_POINTS: positive.default(600),
  RATE_LIMIT_DURATION_SECONDS: positive.default(60),
  SEARCH_CONCURRENCY: positive.default(8),
  SEARCH_QUEUE: z.coerce.number().int().min(0).default(128),
  SEARCH_PROVIDERS: list.default(['auto']),
  SEARCH_FUSION: flag.default(false),
  SEARXNG_URL: httpUrl.optional(),
  BRAVE_API_KEY: z.string().optional(),
  BRAVE_URL: httpUrl.optional(),
  KAGI_API_KEY: z.string().optional(),
  KAGI_URL: httpUrl.optional(),
  EXA_API_KEY: z.string().optional(),
  EXA_URL: httpUrl.optional(),
  TAVILY_API_KEY: z.string().optional(),
  TAVILY_URL: httpUrl.optional(),
  SERPER_API_KEY: z.string().optional(),
  SERPER_URL: httpUrl.optional(),
  MOJEEK_API_KEY: z.string().optional(),
  MOJEEK_URL: httpUrl.optional(),
  MARGINALIA_API_KEY: z.string().optional(),
  MARGINALIA_URL: httpUrl.optional(),
  MEDIAWIKI_URL: httpUrl.optional(),
  DUCKDUCKGO_URL: httpUrl.optional(),
  OPENSEARCH_URL: httpUrl.optional(),
  OPENSEARCH_INDEX: z.string().optional(),
  OPENSEARCH_API_KEY: z.string().optional(),
  OPENSEARCH_FIELDS: list.optional(),
  USER_AGENT_CONTACT: z.string().optional(),
  ROBOTS: flag.default(true),
  EGRESS_ALLOW: list.default([]),
  PAGE_CACHE_MB: positive.default(64),
  BROWSER: z
    .string()
    .regex(/^(auto|off|wss?:\/\/.+|https?:\/\/.+)$/u)
    .default('auto'),
  BROWSER_CONTEXTS: positive.default(3),
  CHROMIUM_PATH: z.string().optional(),
  MODEL_DIR: z.string().optional(),
  HF_ENDPOINT: httpUrl.default('https://huggingface.co'),
  HF_HUB_OFFLINE: flag.default(false),
  HTTP_PROXY: z.string().optional(),
  HTTPS_PROXY: z.string().optional(),
  NO_PROXY: z.string().optional(),
  EMBEDDING_DEVICE: z.enum(['cpu', 'cuda']).default('cpu'),
  EMBEDDING_THREADS: positive.optional(),
  METRICS_TOKEN: z.string().min(16).optional(),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
})

const ALLOWED: Readonly<Partial<Record<string, string>>> = {
  PORT: 'a port number from 0 to 65535',
  PUBLIC_URL: 'an http:// or https:// address',
  DATABASE_URL: 'a postgres:// address',
  BROWSER: '"auto", "off" or the ws:// address of a remote browser',
  EMBEDDING_DEVICE: '"cpu" or "cuda"',
  METRICS_TOKEN: 'a secret of at least 16 characters',
  LOG_LEVEL: '"fatal", "error", "warn", "info", "debug", "trace" or "silent"',
}

export type Config = ReturnType<typeof loadConfig>

/** The settings make no sense. `message` is for the operator: one line per variable. */
export class ConfigError extends Error {}

/**
 * Reads the settings. Empty variables count as unset; `~` is not expanded; relative paths count from `directory`.
 * @throws {ConfigError} naming every variable that makes no sense and what is allowed.
 */
export function loadConfig(environment: NodeJS.ProcessEnv = process.env, directory: string = process.cwd()) {
  const set = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''),
  )
  const parsed = environmentSchema.safeParse(set)
  if (!parsed.success) throw new ConfigError(explain(parsed.error))
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
    },
    redisUrl: env.REDIS_URL ?? null,
    oidc: oidcSettings(env),
    admission: { concurrency: env.SEARCH_CONCURRENCY, queue: env.SEARCH_QUEUE },
    providers: {
      order: env.SEARCH_PROVIDERS,
      fusion: env.SEARCH_FUSION,
      settings: engineSettings(env),
    },
    pages: {
      contact: env.USER_AGENT_CONTACT ?? null,
      robots: env.ROBOTS,
      egressAllow: env.EGRESS_ALLOW,
      cacheBytes: env.PAGE_CACHE_MB * 1024 * 1024,
    },
    browser: { mode: env.BROWSER, contexts: env.BROWSER_CONTEXTS, chromiumPath: env.CHROMIUM_PATH ?? null },
    models: {
      catalogPath: join(PACKAGE_ROOT, 'models', 'catalog.json'),
      bundledDirectory: join(PACKAGE_ROOT, 'models', 'bundled'),
      modelDirectory: path(env.MODEL_DIR ?? join(dataDir, 'models')),
      hub: {
        endpoint: env.HF_ENDPOINT,
        offline: env.HF_HUB_OFFLINE,
        httpProxy: env.HTTP_PROXY,
        httpsProxy: env.HTTPS_PROXY,
        noProxy: env.NO_PROXY,
      },
      device: env.EMBEDDING_DEVICE,
      threads: env.EMBEDDING_THREADS ?? null,
    },
    metricsToken: env.METRICS_TOKEN ?? null,
    logLevel: env.LOG_LEVEL,
  })
}

/** Null unless an issuer is named; then the client's id and secret belong to it. */
function oidcSettings(env: z.output<typeof environmentSchema>) {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = env
  if (issuer === undefined) return null
  if (clientId === undefined || clientSecret === undefined) {
    throw new ConfigError('OIDC_ISSUER needs OIDC_CLIENT_ID and OIDC_CLIENT_SECRET beside it.')
  }
  return { issuer, clientId, clientSecret, label: env.OIDC_LABEL }
}

/** Settings of the engines that are set up; an engine without any is left out. */
function engineSettings(env: z.output<typeof environmentSchema>) {
  return {
    searxng: env.SEARXNG_URL === undefined ? undefined : { baseUrl: env.SEARXNG_URL },
    brave: keyed(env.BRAVE_API_KEY, env.BRAVE_URL),
    kagi: keyed(env.KAGI_API_KEY, env.KAGI_URL),
    exa: keyed(env.EXA_API_KEY, env.EXA_URL),
    tavily: keyed(env.TAVILY_API_KEY, env.TAVILY_URL),
    serper: keyed(env.SERPER_API_KEY, env.SERPER_URL),
    mojeek: keyed(env.MOJEEK_API_KEY, env.MOJEEK_URL),
    marginalia: keyed(env.MARGINALIA_API_KEY, env.MARGINALIA_URL),
    opensearch: opensearchSettings(env),
    mediawiki: env.MEDIAWIKI_URL === undefined ? undefined : { apiUrl: env.MEDIAWIKI_URL },
    duckduckgo: env.DUCKDUCKGO_URL === undefined ? {} : { baseUrl: env.DUCKDUCKGO_URL },
  }
}

function keyed(apiKey: string | undefined, baseUrl: string | undefined) {
  return apiKey === undefined ? undefined : { apiKey, ...(baseUrl === undefined ? {} : { baseUrl }) }
}

function opensearchSettings(env: z.output<typeof environmentSchema>) {
  if (env.OPENSEARCH_URL === undefined || env.OPENSEARCH_INDEX === undefined) return undefined
  const fields = Object.fromEntries(
    (env.OPENSEARCH_FIELDS ?? []).map((pair) => {
      const [name = '', field = ''] = pair.split('=', 2)
      return [name, field === '' ? null : field]
    }),
  )
  return {
    baseUrl: env.OPENSEARCH_URL,
    index: env.OPENSEARCH_INDEX,
    apiKey: env.OPENSEARCH_API_KEY ?? null,
    fields,
  }
}

function explain(error: z.ZodError): string {
  const lines = error.issues.map((issue) => {
    const name = String(issue.path[0])
    return `${name} must be ${ALLOWED[name] ?? `valid: ${issue.message}`}.`
  })
  return [...new Set(lines)].join('\n')
}
