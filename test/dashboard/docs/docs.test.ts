import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { PACKAGE_ROOT } from '../../../src/config.ts'
import { readText } from '../../extract/fixtures.ts'
import { ownSettings, settingNames } from '../../support/settings.ts'
import { LIMITS } from '../../../src/contract/limits.ts'
import { readChanges, readDocumentation } from '../../../src/dashboard/docs/docs-folder.ts'
import type { Documentation, DocumentationPage } from '../../../src/dashboard/docs/docs-view.tsx'

const read = (...path: string[]): Promise<string> => readFile(join(PACKAGE_ROOT, ...path), 'utf8')

let pages: Documentation
beforeAll(async () => {
  pages = [
    ...(await readDocumentation(join(PACKAGE_ROOT, 'docs'))),
    await readChanges(join(PACKAGE_ROOT, 'CHANGELOG.md')),
  ]
})
const pageOf = (slug: string): DocumentationPage => {
  const page = pages.find((one) => one.slug === slug)
  if (page === undefined) throw new Error(`docs/${slug}.md is missing`)
  return page
}

describe('the documentation', () => {
  test('begins with the quick start, and every page has a title and a description', () => {
    expect(pages[0]?.slug).toBe('quick-start')
    for (const { slug, title, description } of pages) {
      expect([slug, title === slug, slug === 'architecture' || description !== '']).toEqual([
        slug,
        false,
        true,
      ])
    }
  })

  test('headings name what their section is about and ask nothing; what it answers is not shown', () => {
    for (const { slug, html, sections } of pages) {
      expect([slug, sections.filter(({ title }) => title.endsWith('?'))]).toEqual([slug, []])
      expect([slug, html.includes('<!--') || html.includes('&lt;!--')]).toEqual([slug, false])
    }
  })

  test('what is quoted of it holds no word of a button', async () => {
    const { html } = pageOf('client-dify')
    expect(html).toContain('>Copy</button>')
    expect((await readText(html)).split('\n')).not.toContain('Copy')
  })

  test('every link to another page or section leads somewhere', () => {
    const dead = pages.flatMap(({ slug, html }) =>
      [...html.matchAll(/href="(?:\/docs\/([\w-]+))?(?:#([^"]+))?"/gu)]
        .filter(([, path = slug, id]) => id !== undefined && !pageOf(path).html.includes(`id="${id}"`))
        .map(([link]) => `${slug}: ${link}`),
    )
    expect(dead).toEqual([])
  })

  test('every error code of the service has its line, and a section or the summary it is sent to', async () => {
    const codes = [...(await read('src', 'errors.ts')).matchAll(/code: '(\w+)'/gu)].map(([, code]) => code)
    const { html } = pageOf('errors')
    expect(codes.length).toBeGreaterThan(8)
    const named = html.replaceAll('<wbr>', '')
    for (const code of codes) expect([code, named.includes(`<code>${code}</code>`)]).toEqual([code, true])
    for (const code of [
      'invalid_request',
      'unauthorized',
      'validation_failed',
      'rate_limited',
      'internal_error',
    ]) {
      expect(html).toContain(`<h2 id="${code}">`)
    }
  })

  test('every setting of the service is documented, with its default, and no other', async () => {
    const { html } = pageOf('configuration')
    const documented = [...html.matchAll(/<td>((?:<code>[A-Z0-9_]+<\/code>(?:, )?)+)<\/td>/gu)].flatMap(
      ([, cell]) => [...(cell ?? '').matchAll(/<code>([A-Z]\w+)<\/code>/gu)].map(([, name]) => name),
    )
    expect(new Set(documented)).toEqual(settingNames())
    for (const [, name, value] of ownSettings().matchAll(
      /^ {2}([A-Z0-9_]+): (?:port|flag|wholeNumber\([^)]*\))\.default\((\w+)\)/gmu,
    )) {
      const shown = { true: 'on', false: 'off' }[value ?? ''] ?? value
      const row = html.split('<tr>').find((line) => line.includes(`<code>${name}</code>`)) ?? ''
      expect([name, row.includes(`<td><code>${shown}</code></td>`)]).toEqual([name, true])
    }
  })

  test('every limit of the contract stands in the API reference', () => {
    const { html } = pageOf('api')
    for (const limit of [
      `1 to ${LIMITS.resultsMax}`,
      `1 to ${LIMITS.snippetsMax}`,
      '1 to 2 000 characters',
      '64 KiB',
      `up to ${LIMITS.domains} bare domain names`,
      `up to ${LIMITS.quotes} `,
    ]) {
      expect([limit, html.includes(limit)]).toEqual([limit, true])
    }
    expect([LIMITS.queryCharacters, LIMITS.bodyBytes]).toEqual([2_000, 64 * 1024])
  })

  test('a paragraph is 200 to 600 characters long, so that it can be found and quoted whole', async () => {
    for (const { slug } of pages.filter(
      ({ slug: one, group }) => group === 'Use the API' && !['scores', 'compatible-fields'].includes(one),
    )) {
      const source = (await read('docs', `${slug}.md`))
        .replace(/^---[\s\S]*?---\n/u, '')
        .replace(/```[\s\S]*?```/gu, '')
        .replace(/<!-- .* -->/gu, '')
      for (const block of source.split('\n\n').map((text) => text.trim())) {
        if (block === '' || /^[#|!]/u.test(block)) continue
        expect([slug, block.slice(0, 40), block.length >= 200 && block.length <= 600]).toEqual([
          slug,
          block.slice(0, 40),
          true,
        ])
      }
    }
  })
})
