import { afterEach, describe, expect, it, vi } from 'vitest'
import { PageError } from '../../../src/pages/capture.ts'
import { createHostLimiter, type HostLimiterLimits } from '../../../src/pages/robots/host-limiter.ts'

const never = new AbortController().signal
const at = (host: string, path = '/') => new URL(`http://${host}${path}`)

/** Work that ends when it is told to, and a count of what is under way. */
function controlled(limits: Partial<HostLimiterLimits> = {}) {
  const hostLimiter = createHostLimiter(limits)
  const started: string[] = []
  const ends = new Map<string, () => void>()
  const visit = (host: string, name: string, signal = never) =>
    hostLimiter.run(at(host), signal, () => {
      started.push(name)
      return new Promise<string>((resolve) => ends.set(name, () => resolve(name)))
    })
  return { hostLimiter, started, visit, end: (name: string) => ends.get(name)?.() }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))
const refused = (code: string) => expect.objectContaining({ warning: { code, message: expect.any(String) } })

describe('one host', () => {
  it('is asked for two pages at a time, the others wait their turn in order', async () => {
    const { visit, started, end } = controlled({ stalledAfterMs: 60_000 })
    const visits = ['a', 'b', 'c', 'd'].map((name) => visit('site.example', name))
    await settled()
    expect(started).toEqual(['a', 'b'])
    end('b')
    await settled()
    expect(started).toEqual(['a', 'b', 'c'])
    for (const name of ['a', 'c']) end(name)
    await settled()
    end('d')
    expect(await Promise.all(visits)).toEqual(['a', 'b', 'c', 'd'])
  })

  it('does not hold up another one, nor another port', async () => {
    const { visit, started } = controlled({ stalledAfterMs: 60_000 })
    for (const [host, name] of [
      ['one.example', 'a'],
      ['one.example', 'b'],
      ['two.example', 'c'],
      ['one.example:8080', 'd'],
    ] as const) {
      void visit(host, name)
    }
    await settled()
    expect(started).toEqual(['a', 'b', 'c', 'd'])
  })

  it('is asked for more when pages hang, up to a limit', async () => {
    const { visit, started, end } = controlled({ stalledAfterMs: 300, openPerHost: 3 })
    for (const name of ['hangs', 'hangs too', 'good', 'last']) void visit('site.example', name)
    await settled()
    expect(started).toEqual(['hangs', 'hangs too'])
    await expect.poll(() => started).toContain('good')
    expect(started).not.toContain('last')
    end('good')
    await expect.poll(() => started).toContain('last')
  })

  it('gets the next page when work fails', async () => {
    const { hostLimiter } = controlled({ activePerHost: 1, stalledAfterMs: 60_000 })
    const failing = hostLimiter.run(at('site.example'), never, () => Promise.reject(new Error('broken')))
    await expect(failing).rejects.toThrow('broken')
    expect(await hostLimiter.run(at('site.example'), never, async () => 'next')).toBe('next')
  })

  it('is not kept waiting for by a caller who has left', async () => {
    const { visit, started, end } = controlled({ activePerHost: 1, stalledAfterMs: 60_000 })
    const leaving = new AbortController()
    void visit('site.example', 'a')
    const left = visit('site.example', 'left', leaving.signal).catch((error: unknown) => error)
    void visit('site.example', 'c')
    const reason = new Error('gone')
    leaving.abort(reason)
    expect(await left).toBe(reason)
    end('a')
    await settled()
    expect(started).toEqual(['a', 'c'])
  })

  it('has a queue with an end', async () => {
    const { visit } = controlled({ activePerHost: 1, waitingPerHost: 1, stalledAfterMs: 60_000 })
    void visit('site.example', 'a')
    void visit('site.example', 'b')
    await expect(visit('site.example', 'c')).rejects.toEqual(refused('busy'))
  })
})

describe('Retry-After', () => {
  afterEach(() => void vi.useRealTimers())
  const tomorrow = new Date(Date.now() + 86_400_000).toUTCString()
  it.each([
    [429, '120'],
    [503, '1'],
    [429, tomorrow],
    [429, '999999999'],
  ])('after %i with %j the host is left alone', async (status, retryAfter) => {
    const { hostLimiter } = controlled()
    hostLimiter.heed(at('site.example'), status, retryAfter)
    await expect(hostLimiter.run(at('site.example'), never, async () => 'x')).rejects.toEqual(
      refused('site_busy'),
    )
    expect(await hostLimiter.run(at('other.example'), never, async () => 'x')).toBe('x')
  })

  it.each([
    [200, '120'],
    [404, '120'],
    [429, null],
    [503, null],
    [429, 'soon'],
    [429, '0'],
    [429, '-5'],
    [503, 'Wed, 21 Oct 2015 07:28:00 GMT'],
  ])('after %i with %j it is not', async (status, retryAfter) => {
    const { hostLimiter } = controlled()
    hostLimiter.heed(at('site.example'), status, retryAfter)
    expect(await hostLimiter.run(at('site.example'), never, async () => 'x')).toBe('x')
  })

  it('lasts no longer because the clock of the system is set back', async () => {
    const { hostLimiter } = controlled({ pauseMaxMs: 30 })
    vi.useFakeTimers({ toFake: ['Date'] })
    hostLimiter.heed(at('site.example'), 429, '86400')
    vi.setSystemTime(Date.now() - 7_200_000)
    const visit = () =>
      hostLimiter.run(at('site.example'), never, async () => 'x').catch((error: PageError) => error)
    await expect.poll(visit).toBe('x')
  })

  it('ends by itself', async () => {
    const { hostLimiter } = controlled({ pauseMaxMs: 30 })
    hostLimiter.heed(at('site.example'), 429, '86400')
    const visit = () =>
      hostLimiter.run(at('site.example'), never, async () => 'x').catch((error: PageError) => error)
    expect(await visit()).toBeInstanceOf(PageError)
    await expect.poll(visit).toBe('x')
  })
})
