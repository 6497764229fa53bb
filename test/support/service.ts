// A whole service in this process, compiled: real store in a temporary folder, real model, real pages over loopback.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadBuiltService } from './built.ts'
import { keepLog, registerSecrets, registerSettings } from './suite-secrets.ts'

export type TestService = Awaited<ReturnType<typeof startService>>

/** Starts a service on a random loopback port that may read loopback pages; `environment` overrides any setting. */
export async function startService(environment: NodeJS.ProcessEnv = {}) {
  const { openService, loadConfig, createLogger } = await loadBuiltService()
  const dataDir = mkdtempSync(join(tmpdir(), 'verbatim-service-'))
  const logged: string[] = []
  registerSettings(environment)
  const config = loadConfig({
    PORT: '0',
    DATA_DIR: dataDir,
    EGRESS_ALLOW: '127.0.0.1',
    BROWSER: 'off',
    EMBEDDING_THREADS: process.env['EMBEDDING_THREADS'],
    RATE_LIMIT_POINTS: '100000',
    ...environment,
  })
  const log = createLogger('debug', {
    write: (line) => {
      logged.push(line)
      keepLog(line)
    },
  })
  const service = await openService(config, { log })
  const key = service.firstRun?.key ?? ''
  await service.firstRun?.confirmShown()
  registerSecrets(key)
  const post = (body: BodyInit | undefined, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${service.url}/v1/search`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body }),
    })
  return {
    url: service.url,
    service,
    key,
    dataDir,
    /** Every line logged so far. */
    logged,
    post,
    /** Posts a search with the first key. */
    search: (body: unknown, headers: Record<string, string> = {}) => post(JSON.stringify(body), headers),
    async close(): Promise<void> {
      await service.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
