// What every place for read pages must do. Run over memory and Redis.
import { describe, expect, it } from 'vitest'
import type { CachedPage, CacheStore } from '../../../src/pages/cache/memory-store.ts'

export function cachedPage(content: string | Uint8Array, url = 'https://site.example/'): CachedPage {
  return {
    capture: {
      id: url,
      requestedUrl: url,
      url,
      mediaType: typeof content === 'string' ? 'text/html' : 'application/pdf',
      content,
      lastModified: '2015-10-21T07:28:00.000Z',
      contentLanguage: null,
      fetchedAt: '2026-11-01T00:00:00.000Z',
      readBy: 'static',
      warning: null,
    },
    validators: { url, etag: '"v1"', lastModified: null },
    freshUntilMs: 1_800_000_000_000,
    answeredLanguage: 'de',
  }
}

/** `entryBytesMax` is a size that the store of `create` refuses for one page. */
export function describeCacheStore(name: string, create: () => CacheStore, entryBytesMax: number): void {
  const noise = (bytes: number) =>
    Uint8Array.from({ length: bytes }, (_, index) => (index * 2_654_435_761) >>> (index % 24))

  describe(`${name} as a store of pages`, () => {
    it('gives back exactly what was kept', async () => {
      const store = create()
      const page = cachedPage('<p>Grüße, 日本語, 👩‍👩‍👧, \u0000, \r\n</p>')
      await store.set('text', page, 60_000)
      expect(await store.get('text')).toEqual(page)
    })

    it('keeps bytes as bytes', async () => {
      const store = create()
      const page = cachedPage(new Uint8Array([0x25, 0x50, 0x44, 0x46, 0, 10, 255, 254]))
      await store.set('bytes', page, 60_000)
      expect(await store.get('bytes')).toEqual(page)
    })

    it('keeps an empty page, and one that cannot be asked for conditionally', async () => {
      const store = create()
      const page = { ...cachedPage(''), validators: null }
      await store.set('empty', page, 60_000)
      expect(await store.get('empty')).toEqual(page)
    })

    it('knows nothing of a key that was never kept', async () => {
      expect(await create().get('never')).toBeNull()
    })

    it('forgets a page when its time is over', async () => {
      const store = create()
      await store.set('short', cachedPage('x'), 20)
      await expect.poll(() => store.get('short')).toBeNull()
    })

    it('replaces a page that is kept again', async () => {
      const store = create()
      await store.set('again', cachedPage('one'), 60_000)
      await store.set('again', cachedPage('two'), 60_000)
      expect((await store.get('again'))?.capture.content).toBe('two')
    })

    it('does not keep a page that is too large for it', async () => {
      const store = create()
      await store.set('large', cachedPage(noise(entryBytesMax)), 60_000)
      expect(await store.get('large')).toBeNull()
    })
  })
}
