// A real searx from Debian's package on loopback, asking an upstream engine of ours. It answers as SearXNG does.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { endServer } from '../../support/loopback.ts'
import { endProgram, findProgram, freePort, startProgram, waitUntil } from '../../support/programs.ts'

/** The program, installed where it may be; null when its tests cannot run. */
export const findSearx = (): string | null => findProgram('searx-run', () => ['/usr/bin'], 'searx')

// Spelled out in full: the package brings its defaults only as an example among its documentation, which slim images lack.
const settings = (port: number, upstream: string): string => `
general: { debug: false, instance_name: searx, contact_url: false, enable_stats: false }
brand: { git_url: '', git_branch: '', issue_url: '', docs_url: '', public_instances: '', wiki_url: '', twitter_url: '' }
search: { safe_search: 0, autocomplete: '', default_lang: '', ban_time_on_fail: 0, max_ban_time_on_fail: 0, prefer_configured_language: false }
server: { port: ${port}, bind_address: 127.0.0.1, secret_key: only-for-tests, base_url: false, image_proxy: false, http_protocol_version: '1.0', method: GET, default_http_headers: {} }
ui: { autofocus: true, archive_today: false, static_path: /usr/share/python3-searx/static, templates_path: /usr/share/python3-searx/templates, default_theme: oscar, default_locale: '', theme_args: { oscar_style: logicodev } }
outgoing: { request_timeout: 1.0, useragent_suffix: '', pool_connections: 10, pool_maxsize: 10 }
checker: { off_when_debug: true }
locales: { en: English }
doi_resolvers: { doi.org: 'https://doi.org/' }
default_doi_resolver: doi.org
engines:
${engine('loopback', 'general', `${upstream}/search`)}
${engine('limited', 'it', `${upstream}/limited`)}
${engine('hanging', 'news', `${upstream}/hanging`)}
`

const engine = (name: string, category: string, url: string): string => `  - name: ${name}
    engine: json_engine
    shortcut: ${name}
    categories: ${category}
    paging: True
    enable_http: True
    search_url: ${url}?q={query}&page={pageno}
    results_query: results
    url_query: link
    title_query: name
    content_query: text`

/** Three pages of eight hits for every query but "zzzz"; `/limited` says 429 and `/hanging` says nothing. */
async function openUpstream() {
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://upstream')
    if (url.pathname === '/hanging') return
    if (url.pathname === '/limited') {
      response.writeHead(429, { 'retry-after': '30' }).end('{}')
      return
    }
    const page = Number(url.searchParams.get('page'))
    const text = url.searchParams.get('q') ?? ''
    const count = text === 'zzzz' || page > 3 ? 0 : 8
    const results = Array.from({ length: count }, (_, index) => ({
      link: `https://site-${index}.example.org/page-${page}?utm_source=upstream`,
      name: `Result ${index} of page ${page} for ${text}`,
      text: `About ${text} &amp; more`,
    }))
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ results }))
  })
  const port = await freePort()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return { origin: `http://127.0.0.1:${port}`, close: () => endServer(server) }
}

export async function openSearx(program: string) {
  const folder = mkdtempSync(join(tmpdir(), 'verbatim-searx-'))
  const upstream = await openUpstream()
  const port = await freePort()
  const settingsPath = join(folder, 'settings.yml')
  writeFileSync(settingsPath, settings(port, upstream.origin))
  const env = { ...process.env, SEARX_SETTINGS_PATH: settingsPath }
  // Debian's own Python has searx's modules; another one that comes first on the path would not.
  const searx = startProgram('/usr/bin/python3', [program], { env })
  const baseUrl = `http://127.0.0.1:${port}`
  const close = async (): Promise<void> => {
    await Promise.all([endProgram(searx, 'SIGKILL'), upstream.close()])
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    await waitUntil(async () => {
      const answer = await fetch(`${baseUrl}/healthz`)
      if (!answer.ok) throw new Error(`searx is not ready: ${answer.status}`)
    }, 60_000)
  } catch (error) {
    await close()
    throw error
  }
  return { baseUrl, close }
}
