import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { PageError, type PageWarning } from '../../../src/pages/capture.ts'
import { openEgress, type Egress } from '../../../src/pages/egress/egress.ts'
import { createHostLimiter } from '../../../src/pages/robots/host-limiter.ts'
import { createRobots, type Robots, type RobotsLimits } from '../../../src/pages/robots/robots.ts'
import { decodeLongPage } from '../../../src/pages/fetch/decode-page.ts'
import { createStaticLoader } from '../../../src/pages/static-loader.ts'
import {
  cutOff,
  drip,
  gzipped,
  hang,
  page,
  redirect,
  reply,
  startPageServer,
  type PageServer,
  type Route,
} from '../../support/page-server.ts'

const never = new AbortController().signal
/** A page's whole time where it plays a part. */
const PAGE_MS = 600
let egress: Egress
const servers: PageServer[] = []

beforeEach(() => {
  egress = openEgress({ allow: ['127.0.0.1', '127.0.0.2'] })
})
afterEach(async () => {
  await egress.close()
  for (const server of servers.splice(0)) await server.close()
})

async function serve(
  robots: Route,
  routes: Record<string, Route> = {},
  host = '127.0.0.1',
): Promise<PageServer> {
  const server = await startPageServer({ '/robots.txt': robots, ...routes }, { host })
  servers.push(server)
  return server
}

const robotsWith = (limits: Partial<RobotsLimits> = {}) =>
  createRobots({ egress, userAgent: 'Verbatim/0.1 (+https://verbatim.example)', product: 'Verbatim', limits })

async function verdict(robots: Robots, url: string, ms = 20_000): Promise<PageWarning | 'open'> {
  try {
    await robots.admit(new URL(url), Date.now() + ms, never)
    return 'open'
  } catch (error) {
    if (error instanceof PageError) return error.warning
    throw error
  }
}

const text = (body: string): Route => reply(200, 'text/plain', body)
const disallowed = expect.objectContaining({ code: 'robots_disallowed' })

describe('rules are obeyed', () => {
  it.each([
    ['User-agent: *\nDisallow: /', '/', false],
    ['User-agent: *\nDisallow:', '/', true],
    ['User-agent: *\nDisallow: /private', '/private/x', false],
    ['User-agent: *\nDisallow: /private', '/public', true],
    ['User-agent: Verbatim\nDisallow: /a\n\nUser-agent: *\nDisallow: /', '/b', true],
    ['User-agent: Verbatim\nDisallow: /a\n\nUser-agent: *\nDisallow:', '/a', false],
    ['user-agent: verbatim\ndisallow: /a', '/a', false],
    ['User-agent: Googlebot\nDisallow: /', '/', true],
    ['User-agent: *\nDisallow: /\nAllow: /open', '/open/x', true],
    ['User-agent: *\nDisallow: /*.pdf$', '/x.pdf', false],
    ['User-agent: *\nDisallow: /*.pdf$', '/x.pdf?y', true],
    ['User-agent: *\nDisallow: /*?session=', '/x?session=1', false],
    ['\u{FEFF}User-agent: *\r\nDisallow: /bom\r\n', '/bom', false],
    ['User-agent: *\rDisallow: /mac', '/mac', false],
    ['# nothing here', '/', true],
    ['<!doctype html><p>Our own page for every address</p>', '/', true],
    ['Disallow: /', '/', true],
    ['', '/', true],
    [`User-agent: *\nDisallow: /%C3%BC`, '/ü', false],
  ])('%j at %s: may be opened %s', async (rules, path, open) => {
    const site = await serve(text(rules))
    expect(await verdict(robotsWith(), site.url(path))).toEqual(open ? 'open' : disallowed)
  })

  it('the page is not asked for, and its result says why', async () => {
    const site = await serve(text('User-agent: *\nDisallow: /no'), {
      '/no': page('No', 'no'),
      '/yes': redirect('/no'),
    })
    const loader = createStaticLoader({
      egress,
      robots: robotsWith(),
      hostLimiter: createHostLimiter(),
      userAgent: 'x',
      decodeLong: decodeLongPage,
    })
    const load = (path: string) =>
      loader.load(site.url(path), { deadlineMs: Date.now() + 9_000, fresh: false }, never)
    await expect(load('/no')).rejects.toMatchObject({
      warning: { code: 'robots_disallowed', message: "The site's robots.txt asks not to open this page." },
    })
    await expect(load('/yes')).rejects.toMatchObject({
      url: site.url('/no'),
      warning: { code: 'robots_disallowed' },
    })
    expect(site.paths()).toEqual(['/robots.txt', '/yes'])
  })

  it('the rules of every host on the way of a redirect are asked', async () => {
    const closedSite = await serve(text('User-agent: *\nDisallow: /'), { '/': page('No', 'no') }, '127.0.0.2')
    const site = await serve(text(''), { '/': redirect(closedSite.url('/')) })
    const loader = createStaticLoader({
      egress,
      robots: robotsWith(),
      hostLimiter: createHostLimiter(),
      userAgent: 'x',
      decodeLong: decodeLongPage,
    })
    const load = loader.load(site.url('/'), { deadlineMs: Date.now() + 9_000, fresh: false }, never)
    await expect(load).rejects.toMatchObject({ warning: { code: 'robots_disallowed' } })
    expect(closedSite.paths()).toEqual(['/robots.txt'])
  })

  it('compressed rules are read', async () => {
    const site = await serve(gzipped('User-agent: *\nDisallow: /a'))
    expect(await verdict(robotsWith(), site.url('/a'))).toEqual(disallowed)
  })

  it('only the beginning of rules without end is read', async () => {
    const rules = `User-agent: *\nDisallow: /early\n${'# filler\n'.repeat(5_000)}Disallow: /late\n`
    const site = await serve(text(rules))
    const robots = robotsWith({ bytesMax: 20_000 })
    expect(await verdict(robots, site.url('/early'))).toEqual(disallowed)
    expect(await verdict(robots, site.url('/late'))).toBe('open')
  })

  it('rules made of wildcards do not hold up the service', async () => {
    const rules = `User-agent: *\n${`Disallow: /*${'a'.repeat(500)}*b\n`.repeat(960)}Disallow: /plain\n`
    const site = await serve(text(rules))
    const robots = robotsWith()
    await verdict(robots, site.url('/'))
    const costOf = async (characters: number): Promise<number> => {
      const before = process.cpuUsage()
      await verdict(robots, site.url(`/${'a'.repeat(characters)}`))
      return process.cpuUsage(before).user
    }
    // Without bounds four times the path costs sixteen times the work, and 8,000 characters take 38 s. A neighbour on the
    // machine costs a measurement, and one that is quiet is enough.
    const growths: number[] = []
    while (growths.length < 6 && !growths.some((growth) => growth <= 6))
      growths.push((await costOf(8_000)) / Math.max(1_000, await costOf(2_000)))
    expect(Math.min(...growths)).toBeLessThanOrEqual(6)
    expect(await verdict(robots, site.url('/plain'))).toEqual(disallowed)
  })
})

describe('sites without readable rules (RFC 9309 §2.3.1)', () => {
  it.each([400, 401, 403, 404, 410, 429])('status %i opens everything', async (status) => {
    const site = await serve(reply(status, 'text/plain', 'User-agent: *\nDisallow: /'))
    expect(await verdict(robotsWith(), site.url('/'))).toBe('open')
  })

  it.each([500, 502, 503, 599])('status %i closes everything', async (status) => {
    const site = await serve(reply(status, 'text/plain', ''))
    const warning = await verdict(robotsWith(), site.url('/'))
    expect(warning).toEqual({
      code: 'robots_disallowed',
      message: expect.stringContaining(`status ${status}`),
    })
  })

  it('a redirect is followed, over five or to a forbidden address is no rules', async () => {
    const moved = await serve(redirect('/rules'), { '/rules': text('User-agent: *\nDisallow: /a') })
    expect(await verdict(robotsWith(), moved.url('/a'))).toEqual(disallowed)
    const loop = await serve(redirect('/robots.txt'))
    expect(await verdict(robotsWith(), loop.url('/a'))).toBe('open')
    expect(loop.requests).toHaveLength(6)
    const inside = await serve(redirect('http://169.254.169.254/robots.txt'))
    expect(await verdict(robotsWith(), inside.url('/a'))).toBe('open')
  })

  it('a site that cannot be reached is unreachable, not forbidden', async () => {
    const site = await startPageServer({})
    await site.close()
    expect(await verdict(robotsWith(), site.url('/'))).toEqual(
      expect.objectContaining({ code: 'unreachable' }),
    )
  })

  it('rules that are cut off count as far as they came', async () => {
    const site = await serve(cutOff('User-agent: *\nDisallow: /a\n'))
    expect(await verdict(robotsWith(), site.url('/a'))).toEqual(disallowed)
  })

  it('rules that hang take a part of the page’s time, and the page is not opened', async () => {
    const site = await serve(hang())
    const pageTime = sleep(PAGE_MS, 'the page’s time is over' as const)
    const asked = verdict(robotsWith({ fetchMs: 30_000 }), site.url('/'), PAGE_MS)
    expect(await Promise.race([asked, pageTime])).toEqual(expect.objectContaining({ code: 'timeout' }))
  })

  it('rules that drip count as far as they came when their time is over', async () => {
    const site = await serve(drip('User-agent: *\nDisallow: /a\n', '# more\n', 20))
    const robots = robotsWith({ fetchMs: 200 })
    expect(await verdict(robots, site.url('/a'))).toEqual(disallowed)
    expect(await verdict(robots, site.url('/b'))).toBe('open')
  })
})

describe('rules are fetched once', () => {
  it('for all pages of a site, also at the same time', async () => {
    const site = await serve(text('User-agent: *\nDisallow: /a'))
    const robots = robotsWith()
    await Promise.all(['/x', '/y', '/z'].map((path) => verdict(robots, site.url(path))))
    expect(await verdict(robots, site.url('/a'))).toEqual(disallowed)
    expect(site.requests).toHaveLength(1)
  })

  it('and again when they are too old, a failure sooner', async () => {
    const site = await serve(text(''))
    const broken = await serve(reply(500, null, ''))
    const robots = robotsWith({ keepMs: 40, keepFailureMs: 1 })
    for (const server of [site, broken]) {
      await expect.poll(() => verdict(robots, server.url('/')).then(() => server.requests.length)).toBe(2)
    }
  })

  it('with our name and a contact', async () => {
    const site = await serve(text(''))
    await verdict(robotsWith(), site.url('/'))
    expect(site.requests[0]?.headers['user-agent']).toBe('Verbatim/0.1 (+https://verbatim.example)')
  })
})
