// Reads docs/*.md into pages, once at start; each is rendered when it is first shown.
import { decodeHTML } from 'entities'
import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Documentation, DocumentationPage } from './docs-view.tsx'
import { renderMarkdown } from './markdown.ts'
import { readTables } from './read-tables.ts'

/** Reading order and headings. Pages that are not named here follow under the last heading, by name. */
const GROUPS: readonly (readonly [group: string, slugs: readonly string[]])[] = [
  [
    'Use the API',
    [
      'quick-start',
      'api',
      'proof',
      'search-depth',
      'scores',
      'errors',
      'rate-limits',
      'streaming',
      'api-keys',
      'clients',
      'faq',
    ],
  ],
  [
    'In your application',
    [
      'client-open-webui',
      'client-librechat',
      'client-vane',
      'client-onyx',
      'client-gpt-researcher',
      'client-khoj',
      'client-anythingllm',
      'client-lobechat',
      'client-dify',
      'client-n8n',
      'client-litellm',
      'client-agno',
      'migration',
      'compatible-fields',
    ],
  ],
  [
    'Run the service',
    ['configuration', 'command-line', 'providers', 'library', 'deployment', 'scaling', 'security', 'runbook'],
  ],
]
const LAST_GROUP = 'How it is built'

/** What has changed, which is read and not searched: it has a word of everything and explains nothing. */
const CHANGES_SLUG = 'changes'
const CHANGES_DESCRIPTION = 'What users, operators and clients notice of each version.'

/** The page made of CHANGELOG.md. @throws when the file cannot be read. */
export async function readChanges(path: string): Promise<DocumentationPage> {
  return toPage(CHANGES_SLUG, await readFile(path, 'utf8'), CHANGES_DESCRIPTION)
}

/**
 * The pages of a folder of Markdown files, in reading order. A file may open with `title:` and `description:`
 * between two `---` lines; without, its first heading and nothing are taken.
 * @throws when the folder cannot be read.
 */
export async function readDocumentation(folder: string): Promise<Documentation> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.md')).toSorted()
  const pages = await Promise.all(
    files.map(async (name) => toPage(basename(name, '.md'), await readFile(join(folder, name), 'utf8'))),
  )
  const order = GROUPS.flatMap(([, slugs]) => slugs)
  const place = (page: DocumentationPage): number =>
    order.includes(page.slug) ? order.indexOf(page.slug) : order.length
  return pages.toSorted((left, right) => place(left) - place(right))
}

function toPage(slug: string, source: string, description = ''): DocumentationPage {
  const { fields, body } = splitFrontMatter(source)
  const html = once(() => renderMarkdown(body))
  const tables = once(() => readTables(body))
  const sections = once(() => sectionsOf(html()))
  return {
    slug,
    title: fields.get('title') ?? /^# (.+)$/mu.exec(body)?.[1] ?? slug,
    description: fields.get('description') ?? description,
    question: /<!-- (.+\?) -->/u.exec(body)?.[1] ?? null,
    group: GROUPS.find(([, slugs]) => slugs.includes(slug))?.[0] ?? LAST_GROUP,
    // All together they take a fifth of a second, which a start need not wait for.
    get html() {
      return html()
    },
    get tables() {
      return tables()
    },
    get sections() {
      return sections()
    },
  }
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | null = null
  return () => (made ??= { value: make() }).value
}

/** As the page's own anchors name them. */
const sectionsOf = (html: string): { id: string; title: string }[] =>
  html
    .split('<h2 id="')
    .slice(1)
    .map((section) => {
      const idEnd = section.indexOf('">')
      const title = section.slice(idEnd + 2, section.indexOf('<a class="anchor"'))
      return { id: section.slice(0, idEnd), title: decodeHTML(title.replace(/<[^<>]*>/gu, '')) }
    })

/** `key: value` lines between two lines of three dashes at the very start; values are taken as they stand. */
function splitFrontMatter(source: string): { fields: Map<string, string>; body: string } {
  const match = /^---\r?\n([\s\S]*?)\r?\n---\r?\n/u.exec(source)
  const fields = new Map<string, string>()
  for (const line of match?.[1]?.split(/\r?\n/u) ?? []) {
    const colon = line.indexOf(':')
    if (colon > 0) fields.set(line.slice(0, colon).trim(), line.slice(colon + 1).trim())
  }
  return { fields, body: match === null ? source : source.slice(match[0].length) }
}
