// Which browser is chosen, what is said about it, and that a remote one reads pages under the same guard.
import { spawn, type ChildProcess } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { chromium } from 'playwright'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { detectBrowser, installedBrowsers } from '../../../src/pages/browser/detection.ts'
import { createProxyClients } from '../../../src/pages/egress/browser-proxy-access.ts'
import { openTestBrowser } from '../../support/browser.ts'
import { page, type PageServer, PROSE, startPageServer } from '../../support/page-server.ts'
import { describeInBrowser } from '../../support/describe-in-browser.ts'

const NOBODY = { ranges: [], onStranger: () => undefined }
const folder = mkdtempSync(join(tmpdir(), 'verbatim-browsers-'))
const [installed = ''] = await installedBrowsers()
const stop: (() => Promise<unknown>)[] = []

/** An executable that behaves as a broken browser does. */
function brokenBrowser(name: string, script: string): string {
  const path = join(folder, name)
  writeFileSync(path, `#!/bin/sh\n${script}\n`)
  chmodSync(path, 0o755)
  return path
}

afterEach(async () => {
  for (const undo of stop.splice(0).toReversed()) await undo()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function detect(options: Parameters<typeof detectBrowser>[0]) {
  const detection = await detectBrowser(options)
  if (detection.running) stop.push(() => detection.running.stop())
  return detection
}

describeInBrowser('finding a browser', () => {
  it('takes the first that is installed when nothing is said', async () => {
    const { target, description } = await detect({ mode: 'auto', chromiumPath: null })
    expect(target).toMatchObject({ kind: 'local', executablePath: installed })
    expect(description.found).toBe(true)
    expect(description.summary).toContain(installed)
  })

  it('takes the one that CHROMIUM_PATH names, and no other', async () => {
    const other = join(folder, 'other-chromium')
    symlinkSync(installed, other)
    const { target } = await detect({ mode: 'auto', chromiumPath: other })
    expect(target).toMatchObject({ executablePath: other })
  })

  it.each([
    ['is not there', '/nowhere/chromium'],
    ['ends at once', brokenBrowser('ends', 'echo "cannot open shared object file: not found" >&2; exit 127')],
  ])('says what is wrong and what to do when the named one %s', async (_what, chromiumPath) => {
    const { running, description } = await detect({ mode: 'auto', chromiumPath })
    expect(running).toBeNull()
    expect(description.summary).toContain(chromiumPath)
    expect(description.advice).toMatch(/playwright install|apt-get install/u)
  })

  it('refuses a browser that starts but shows no text', async () => {
    // What a machine without fonts does: the page renders, and innerText is empty.
    const noFonts = join(folder, 'fonts.conf')
    writeFileSync(noFonts, '<?xml version="1.0"?><fontconfig></fontconfig>')
    const blind = brokenBrowser('blind', `FONTCONFIG_FILE=${noFonts} exec ${installed} "$@"`)
    const { running, description } = await detect({ mode: 'auto', chromiumPath: blind })
    expect(running).toBeNull()
    expect(description.summary).toContain('fonts')
  })

  it('looks for none when it is switched off', async () => {
    const { running, description } = await detect({ mode: 'off', chromiumPath: installed })
    expect(running).toBeNull()
    expect(description).toMatchObject({ found: false, advice: null })
  })

  it.skipIf(process.getuid?.() !== 0)(
    'is run by root as another user, its renderers in their sandbox',
    async () => {
      const { running, target } = await detect({ mode: 'auto', chromiumPath: null })
      if (running === null || target.kind === 'remote') throw new Error('a local browser was expected')
      await running.browser.newPage()
      const statuses = (await running.processes(2_000)).map(({ type, pid }) => {
        const status = readFileSync(`/proc/${pid}/status`, 'utf8')
        const read = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'mu').exec(status)?.[1])
        return { type, user: read('Uid'), seccomp: read('Seccomp') }
      })
      expect(statuses.map(({ user }) => user)).not.toContain(0)
      const renderers = statuses.filter(({ type }) => type === 'renderer')
      expect(renderers.length).toBeGreaterThan(0)
      // 2: filtered by seccomp. Where the system refuses user namespaces, there is no sandbox and the description says so.
      expect(renderers.every(({ seccomp }) => seccomp === 2)).toBe(target.sandbox)
    },
  )

  it('says aloud when the browser runs without its sandbox', async () => {
    const { target, description } = await detect({ mode: 'auto', chromiumPath: null })
    const isSandboxed = target?.kind === 'local' && target.sandbox
    expect(description.summary).toContain(isSandboxed ? 'sandboxed' : 'WITHOUT its sandbox')
    expect(description.advice === null).toBe(isSandboxed)
  })
})

describeInBrowser('a remote browser', () => {
  let site: PageServer
  let inner: PageServer
  beforeAll(async () => {
    site = await startPageServer({
      '/': page('Remote', `<p id="o"></p><script>o.textContent = 'Built by script. ' + '${PROSE}'</script>`),
      '/reach/': page(
        'Reach',
        `<p>Reaches in. ${PROSE}</p><script>fetch(location.search.slice(1), { mode: 'no-cors' })</script>`,
      ),
    })
    inner = await startPageServer({ '*': page('Inner', 'secret') }, { host: '127.0.0.2' })
  })
  afterAll(async () => {
    await site.close()
    await inner.close()
  })

  const remotes: Record<string, () => Promise<string>> = {
    'playwright run-server': startRunServer,
    'a CDP endpoint by WebSocket': async () => (await startCdpBrowser()).webSocketDebuggerUrl,
    'a CDP endpoint by HTTP': async () => (await startCdpBrowser()).http,
  }
  for (const [name, start] of Object.entries(remotes)) {
    it(`is used under the same guard: ${name}`, async () => {
      const mode = await start()
      const browser = await openTestBrowser({ mode, egress: { allow: [`127.0.0.1:${site.port}`] } })
      stop.push(() => browser.close())
      expect(browser.browser.describe().summary).toContain('Remote browser')
      expect((await browser.read(site.url('/'))).text).toContain('Built by script.')
      const before = inner.connections()
      expect(await browser.outcome(inner.url('/'))).toBe('address_refused')
      expect(await browser.outcome(site.url(`/reach/?${inner.url('/')}`))).toBe('read')
      expect(inner.connections()).toBe(before)
    })
  }

  it.each([
    ['an address', '127.0.0.2', startRunServer],
    ['a name', 'localhost', startRunServer],
    ['an address, by CDP', '127.0.0.2', async () => (await startCdpBrowser()).webSocketDebuggerUrl],
  ])('finds the proxy beyond our own loopback address: %s', async (_what, host, start) => {
    const proxyPlace = { host, port: 0, admits: createProxyClients({ ...NOBODY, browserHost: '127.0.0.1' }) }
    const egress = { allow: [`127.0.0.1:${site.port}`], proxyPlace }
    const browser = await openTestBrowser({ mode: await start(), proxyHost: host, egress })
    stop.push(() => browser.close())
    expect((await browser.read(site.url('/'))).text).toContain('Built by script.')
    expect(await browser.outcome(inner.url('/'))).toBe('address_refused')
  })

  it('that cannot reach our proxy is not used, for it could open pages only past the guard', async () => {
    const { webSocketDebuggerUrl } = await startCdpBrowser()
    const opened = openTestBrowser({ mode: webSocketDebuggerUrl, proxyUrl: 'http://127.0.0.1:9' })
    await expect(opened).rejects.toThrow('cannot reach the guarded proxy')
  })
})

it('a CHROMIUM_PATH where there is no program is told as that, and not by what starting it in vain ends with', async () => {
  const { running, description } = await detect({ mode: 'auto', chromiumPath: '/nowhere/chrome' })
  expect(running).toBeNull()
  expect(description.summary).toBe(
    'There is no program at /nowhere/chrome, which CHROMIUM_PATH names: static pages only.',
  )
  expect(description.advice).toContain('CHROMIUM_PATH')
})

it('a remote browser that cannot be reached leaves static pages, and why stands in one whole sentence', async () => {
  const { running, description } = await detect({ mode: 'ws://127.0.0.1:9/', chromiumPath: null })
  expect(running).toBeNull()
  expect(description.summary).toBe(
    'The remote browser at 127.0.0.1:9 cannot be used (it answers neither Playwright nor CDP: WebSocket error: connect ECONNREFUSED 127.0.0.1:9): static pages only.',
  )
  expect(description.advice).toContain('BROWSER')
})

/** Playwright's own server uses Playwright's own browser, so ours is put where it looks. */
async function startRunServer(): Promise<string> {
  const cli = join(dirname(createRequire(import.meta.url).resolve('playwright/package.json')), 'cli.js')
  const browsers = mkdtempSync(join(folder, 'playwright-'))
  const [, revision = ''] = /chromium-(\d+)/u.exec(chromium.executablePath()) ?? []
  const [, platform = ''] = /chromium-\d+[\\/](chrome-[^\\/]+)/u.exec(chromium.executablePath()) ?? []
  const shell = join(browsers, `chromium_headless_shell-${revision}`)
  const shellPlatform = platform.replace('chrome-', 'chrome-headless-shell-')
  mkdirSync(join(shell, shellPlatform), { recursive: true })
  symlinkSync(installed, join(shell, shellPlatform, 'chrome-headless-shell'))
  for (const marker of ['INSTALLATION_COMPLETE', 'DEPENDENCIES_VALIDATED'])
    writeFileSync(join(shell, marker), '')
  const server = spawn(process.execPath, [cli, 'run-server', '--port', '0', '--host', '127.0.0.1'], {
    env: {
      ...process.env,
      PLAYWRIGHT_BROWSERS_PATH: browsers,
      PLAYWRIGHT_SKIP_VALIDATE_HOST_REQUIREMENTS: '1',
    },
  })
  stop.push(() => end(server))
  return waitFor(server, /(ws:\/\/\S+)/u)
}

async function startCdpBrowser(): Promise<{ http: string; webSocketDebuggerUrl: string }> {
  const profile = mkdtempSync(join(folder, 'profile-'))
  const browser = spawn(installed, [
    '--headless',
    '--no-sandbox',
    '--remote-debugging-port=0',
    `--user-data-dir=${profile}`,
  ])
  stop.push(() => end(browser))
  const webSocketDebuggerUrl = await waitFor(browser, /(ws:\/\/\S+)/u)
  return { http: `http://${new URL(webSocketDebuggerUrl).host}`, webSocketDebuggerUrl }
}

function waitFor(process: ChildProcess, pattern: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = ''
    const listen = (data: Buffer) => {
      said += data.toString()
      const match = pattern.exec(said)
      if (match) resolve(match[1] ?? '')
    }
    process.stdout?.on('data', listen)
    process.stderr?.on('data', listen)
    process.once('exit', () => reject(new Error(`it ended: ${said}`)))
  })
}

async function end(process: ChildProcess): Promise<void> {
  if (process.exitCode !== null) return
  const ended = once(process, 'exit')
  process.kill('SIGKILL')
  await ended
}
