import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openEgress, type Egress } from '../../../src/pages/egress/egress.ts'
import { createHostLimiter } from '../../../src/pages/robots/host-limiter.ts'
import { decodeLongPage } from '../../../src/pages/fetch/decode-page.ts'
import { createStaticLoader } from '../../../src/pages/static-loader.ts'
import { createAuthority, hasOpenssl } from '../../support/certificates.ts'
import { page, redirect, startPageServer, type PageServer } from '../../support/page-server.ts'

const opened: (Egress | PageServer)[] = []
afterEach(async () => {
  for (const thing of opened.splice(0).toReversed()) await thing.close()
})

describe.skipIf(!hasOpenssl)('https', () => {
  let authority: ReturnType<typeof createAuthority>
  beforeAll(() => void (authority = createAuthority()))
  afterAll(() => authority.remove())

  async function load(names: string, host: string, trusted: boolean, days?: number) {
    const site = await startPageServer(
      { '/': page('Safe', '<p>safe</p>') },
      { tls: authority.certify(names, days) },
    )
    const front = await startPageServer({ '/': redirect(`https://${host}:${site.port}/`) })
    const egress = openEgress({
      allow: ['127.0.0.1', 'wiki.corp'],
      resolve: async () => ['127.0.0.1'],
      ...(trusted ? { certificateAuthorities: [authority.pem] } : {}),
    })
    opened.push(site, front, egress)
    const loader = createStaticLoader({
      egress,
      robots: null,
      hostLimiter: createHostLimiter(),
      userAgent: 'x',
      decodeLong: decodeLongPage,
    })
    const found = loader.load(
      front.url('/'),
      { deadlineMs: Date.now() + 9_000, fresh: false },
      new AbortController().signal,
    )
    return { found, site }
  }

  it.each([
    ['IP:127.0.0.1', '127.0.0.1'],
    ['DNS:wiki.corp', 'wiki.corp'],
  ])('a page with a certificate for %s is read, after a redirect from http', async (names, host) => {
    const { found, site } = await load(names, host, true)
    expect((await found).capture).toMatchObject({
      url: `https://${host}:${site.port}/`,
      content: expect.stringContaining('safe'),
    })
  })

  it.each([
    ['of an authority that nobody trusts', 'DNS:wiki.corp', 'wiki.corp', false, undefined],
    ['for another name', 'DNS:other.corp', 'wiki.corp', true, undefined],
    ['for a name, at an address', 'DNS:wiki.corp', '127.0.0.1', true, undefined],
    ['that is out of date', 'DNS:wiki.corp', 'wiki.corp', true, -1],
  ])('a certificate %s is refused, and nothing is asked', async (_name, names, host, trusted, days) => {
    const { found, site } = await load(names, host, trusted, days)
    await expect(found).rejects.toMatchObject({
      warning: { code: 'unreachable', message: 'No secure connection to the site could be made.' },
    })
    expect(site.requests).toHaveLength(0)
  })
})
