// Nothing that a page can do in the browser reaches an address that policy refuses, and no name is asked of DNS.
// A canary listens on every way in; each kind of request is made towards it and must never arrive.
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { openTestBrowser } from '../../support/browser.ts'
import {
  page,
  redirect,
  reply,
  startPageServer,
  type PageServer,
  type Route,
} from '../../support/page-server.ts'
import { describeInBrowser } from '../../support/describe-in-browser.ts'

const PROSE = 'Passages are cut on sentence borders and answered word for word. '.repeat(10)

/** What a page holds that makes one kind of request to `target` (host:port). */
const KINDS: Record<string, (target: string) => string> = {
  image: (target) => `<img src="http://${target}/image.png">`,
  script: (target) => `<script src="http://${target}/script.js"></script>`,
  style: (target) => `<link rel="stylesheet" href="http://${target}/style.css">`,
  font: (target) =>
    `<style>@font-face { font-family: f; src: url(http://${target}/font.woff2) } p { font-family: f }</style>`,
  iframe: (target) => `<iframe src="http://${target}/frame"></iframe>`,
  fetch: (target) => `<script>fetch('http://${target}/fetch', { mode: 'no-cors' }).catch(() => {})</script>`,
  XHR: (target) =>
    `<script>const x = new XMLHttpRequest(); x.open('GET', 'http://${target}/xhr'); x.send()</script>`,
  WebSocket: (target) => `<script>new WebSocket('ws://${target}/socket')</script>`,
  EventSource: (target) => `<script>new EventSource('http://${target}/events')</script>`,
  beacon: (target) => `<script>navigator.sendBeacon('http://${target}/beacon', 'x')</script>`,
  ping: (target) => `<a id="a" href="#x" ping="http://${target}/ping">x</a><script>a.click()</script>`,
  prefetch: (target) => `<link rel="prefetch" href="http://${target}/prefetch">`,
  preload: (target) => `<link rel="preload" as="fetch" href="http://${target}/preload">`,
  prerender: (target) =>
    `<script type="speculationrules">{"prerender":[{"urls":["http://${target}/prerender"]}],"prefetch":[{"urls":["http://${target}/speculated"]}]}</script>`,
  preconnect: (target) =>
    `<link rel="preconnect" href="http://${target}"><link rel="dns-prefetch" href="//${target}">`,
  worker: (target) =>
    `<script>new Worker(URL.createObjectURL(new Blob(["importScripts('http://${target}/worker.js')"])))</script>`,
  'shared worker': (target) =>
    `<script>new SharedWorker(URL.createObjectURL(new Blob(["fetch('http://${target}/shared')"])))</script>`,
  'module import': (target) =>
    `<script type="module">import('http://${target}/module.js').catch(() => {})</script>`,
  'CSS import': (target) => `<style>@import url(http://${target}/import.css);</style>`,
  form: (target) =>
    `<form id="f" method="post" action="http://${target}/form"></form><script>f.submit()</script>`,
  redirect: (target) => `<script>fetch('/redirect?${target}', { mode: 'no-cors' }).catch(() => {})</script>`,
  'meta refresh': (target) => `<meta http-equiv="refresh" content="0; url=http://${target}/refresh">`,
  navigation: (target) => `<script>location.href = 'http://${target}/navigation'</script>`,
  'pop-up': (target) => `<script>open('http://${target}/popup')</script>`,
  object: (target) => `<object data="http://${target}/object"></object><embed src="http://${target}/embed">`,
  audio: (target) =>
    `<audio autoplay src="http://${target}/audio.mp3"></audio><video autoplay src="http://${target}/video.mp4"></video>`,
  manifest: (target) => `<link rel="manifest" href="http://${target}/manifest.json">`,
  icon: (target) => `<link rel="icon" href="http://${target}/icon.ico">`,
  'tls image': (target) =>
    `<img src="https://${target}/image.png"><script src="https://${target}/script.js"></script>`,
  WebTransport: (target) =>
    `<script>try { new WebTransport('https://${target}/transport') } catch {}</script>`,
  WebRTC: (target) =>
    `<script>const c = new RTCPeerConnection({ iceServers: [{ urls: ['stun:${target}', 'turn:${target}?transport=tcp', 'turn:${target}?transport=udp'], username: 'u', credential: 'c' }] })
     c.createDataChannel('d'); c.createOffer().then((offer) => c.setLocalDescription(offer))</script>`,
}

/**
 * What is really sent, so that its absence means something. The rest never leaves this browser whatever the policy:
 * images and icons (switched off), prerendering, WebTransport, manifests.
 */
const ARRIVE_WHERE_ALLOWED = (
  '/script.js /style.css /font.woff2 /frame /fetch /xhr /socket /events /beacon /ping /prefetch /preload /worker.js ' +
  '/shared /module.js /import.css /form /redirected /refresh /navigation /popup /object /embed /audio.mp3 /video.mp4'
).split(' ')

/** Addresses of the canary that policy refuses: another loopback address, this host by name, IPv6, and one by number. */
const spellings = (port: number) => [
  `127.0.0.2:${port}`,
  `localhost:${port}`,
  `[::1]:${port}`,
  `2130706434:${port}`,
]

let site: PageServer
let canary: PageServer
let canary6: PageServer | null
let datagrams: Socket
let arrived = 0
let browser: Awaited<ReturnType<typeof openTestBrowser>>

beforeAll(async () => {
  const route: Route = (request, response) => {
    const url = new URL(request.url ?? '/', 'http://site')
    const target = url.search.slice(1)
    if (url.pathname === '/redirect') return redirect(`http://${target}/redirected`)(request, response)
    const kind = KINDS[decodeURIComponent(url.pathname.slice(1))]
    if (!kind) return reply(404, 'text/plain', '')(request, response)
    return page('Vector', `<p>A page that reaches out. ${PROSE}</p>${kind(target)}`)(request, response)
  }
  site = await startPageServer({ '*': route })
  canary = await startPageServer(
    { '*': reply(200, 'text/html', '<p>inner secret</p>') },
    { host: '127.0.0.2' },
  )
  canary6 = await startPageServer({ '*': reply(200, 'text/html', 'inner secret') }, { host: '::1' }).catch(
    () => null,
  )
  datagrams = createSocket('udp4').on('message', () => (arrived += 1))
  datagrams.bind(canary.port, '127.0.0.2')
  await once(datagrams, 'listening')
  browser = await openTestBrowser({ egress: { allow: [`127.0.0.1:${site.port}`] } })
})
beforeEach(() => {
  arrived = 0
})
afterAll(async () => {
  await browser.close()
  datagrams.close()
  await canary6?.close()
  await canary.close()
  await site.close()
})

const connections = () => canary.connections() + (canary6?.connections() ?? 0) + arrived

describeInBrowser('a page in the browser reaches no refused address', () => {
  it.each(Object.keys(KINDS))('by %s', async (kind) => {
    const before = connections()
    const path = `/${encodeURIComponent(kind)}`
    const targets = [`127.0.0.2:${canary.port}`, `localhost:${canary.port}`, `127.0.0.1:${canary.port}`]
    await Promise.all(targets.map((target) => browser.outcome(site.url(`${path}?${target}`))))
    // What goes out late (a beacon, a datagram) is given a moment.
    await sleep(50)
    expect(connections()).toBe(before)
  })

  it.each(spellings(0).map((spelling) => spelling.replace(/:0$/u, '')))(
    'when it is asked for itself at %s',
    async (host) => {
      const before = connections()
      expect(await browser.outcome(`http://${host}:${canary.port}/`)).toBe('address_refused')
      expect(await browser.outcome(`https://${host}:${canary.port}/`)).toBe('address_refused')
      expect(connections()).toBe(before)
    },
  )

  it('although every one of these requests arrives where it is allowed', async () => {
    const open = await openTestBrowser({ egress: { allow: ['127.0.0.0/8'] }, limits: { waiting: 100 } })
    const urls = Object.keys(KINDS).map((kind) =>
      site.url(`/${encodeURIComponent(kind)}?127.0.0.2:${canary.port}`),
    )
    await Promise.all(urls.map((url) => open.outcome(url, { withinMs: 40_000 })))
    await open.close()
    const arrivedPaths = canary.paths()
    for (const path of ARRIVE_WHERE_ALLOWED) expect(arrivedPaths).toContain(path)
  })
})

describeInBrowser('names', () => {
  it('are asked of our resolver alone, and an inner answer is refused', async () => {
    const asked: string[] = []
    const resolve = async (name: string) => {
      asked.push(name)
      return ['127.0.0.2']
    }
    const before = connections()
    const guarded = await openTestBrowser({ egress: { allow: [`127.0.0.1:${site.port}`], resolve } })
    await guarded.outcome(site.url(`/image?rebound.example:8080`))
    await guarded.outcome(site.url(`/fetch?rebound.example:8080`))
    expect(await guarded.outcome('http://rebound.example:8080/')).toBe('address_refused')
    await guarded.close()
    expect(asked).toContain('rebound.example')
    expect(connections()).toBe(before)
  })

  it.each(['preconnect', 'WebRTC', 'WebSocket'])(
    'are never asked of DNS by the browser itself: %s',
    async (kind) => {
      // Chromium's own resolver would read the system's hosts file and find this name at once.
      const before = connections()
      await browser.outcome(site.url(`/${kind}?localhost:${canary.port}`))
      await sleep(100)
      expect(connections()).toBe(before)
    },
  )
})

describeInBrowser('schemes', () => {
  it.each([
    'file:///etc/hostname',
    'view-source:http://127.0.0.1/',
    'chrome://version',
    'ftp://127.0.0.1/',
    'data:text/html,<p>data</p>',
  ])('a page cannot lead to %s', async (address) => {
    const leading = await startPageServer({
      '*': page(
        'Leads',
        `<p>Outside. ${PROSE}</p><iframe src="${address}"></iframe><script>location.href = ${JSON.stringify(address)}</script>`,
      ),
    })
    const guarded = await openTestBrowser()
    const text = await guarded.read(leading.url('/')).then(
      (shown) => shown.text,
      () => '',
    )
    expect(text.replace(/Outside\..*/u, '').trim()).toBe('')
    await guarded.close()
    await leading.close()
  })
})
