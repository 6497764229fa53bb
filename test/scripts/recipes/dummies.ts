// What somebody does who follows a recipe of docs/architecture.md, with a dummy for the thing that is added.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { CopiedTree } from './copied-tree.ts'

const ENGINES = 'test/fixtures/providers'
const BOOKS = 'test/fixtures/extract/documents'

/** "exa", and not the beginning of "example" or "exact". */
const engineRenamed = (text: string): string =>
  text
    .replaceAll(/exa(?![mc])/gu, 'dummy')
    .replaceAll(/Exa(?![mc])/gu, 'Dummy')
    .replaceAll(/EXA(?![MC])/gu, 'DUMMY')

const shapeRenamed = (text: string): string =>
  text.replaceAll('perplexity', 'dummy').replaceAll('Perplexity', 'Dummy')

/** As long as the one of a book, so that what is packed around it stays true. */
const DUMMY_TYPE = 'application/dumy+zip'
const bookRenamed = (text: string): string =>
  text.replaceAll('application/epub+zip', DUMMY_TYPE).replaceAll('epub', 'dummy').replaceAll('Epub', 'Dummy')

function addEngine(tree: CopiedTree): void {
  tree.write('src/providers/engines/dummy.ts', engineRenamed(tree.read('src/providers/engines/exa.ts')))
  for (const name of readdirSync(join(import.meta.dirname, '..', '..', 'fixtures/providers/exa')))
    tree.write(`${ENGINES}/dummy/${name}`, engineRenamed(tree.read(`${ENGINES}/exa/${name}`)))
  const registry = 'src/providers/registry.ts'
  tree.insertAfter(registry, /^import \{ duckduckgo \}.*\n/mu, "import { dummy } from './engines/dummy.ts'\n")
  tree.insertAfter(registry, /^ {2}exa,\n/mu, '  dummy,\n')
}

function addRoute(tree: CopiedTree): void {
  tree.write(
    'src/contract/dummy.ts',
    `// The wire of POST /v1/dummy: a word, said again.
import { z } from 'zod'

export const dummyRequestSchema = z.object({ word: z.string({ error: 'word must be a string.' }) })
export const dummyResponseSchema = z.object({ words: z.array(z.string()) })
`,
  )
  tree.write(
    'src/http/routes/dummy.ts',
    `// POST /v1/dummy: says a word again.
import { fieldIssues } from '../../contract/body.ts'
import { dummyRequestSchema, dummyResponseSchema } from '../../contract/dummy.ts'
import { invalidFields } from '../../errors.ts'
import { parseJsonObject } from '../request/json-body.ts'
import type { Route } from '../route.ts'

export const dummyRoute: Route<unknown> = {
  method: 'post',
  path: '/v1/dummy',
  door: 'key',
  scope: 'search',
  operation: {
    id: 'dummy',
    summary: 'Say a word again.',
    body: { name: 'DummyRequest', schema: dummyRequestSchema },
    answer: { name: 'DummyResponse', schema: dummyResponseSchema, description: 'The word, twice.' },
    refusals: [400, 422],
  },
  createHandler: () => (context) => {
    const parsed = dummyRequestSchema.safeParse(parseJsonObject(context))
    if (!parsed.success) throw invalidFields(fieldIssues(parsed.error, []))
    context.body = { words: [parsed.data.word, parsed.data.word] }
  },
}
`,
  )
  const table = 'src/http/route-table.ts'
  tree.insertAfter(
    table,
    /^import type \{ ErrorShape \}.*\n/mu,
    "import { dummyRoute } from './routes/dummy.ts'\n",
  )
  tree.insertAfter(table, /^ {2}rerankRoute,\n/mu, '  dummyRoute,\n')
  tree.write(
    'test/http/routes/dummy.test.ts',
    `import { afterAll, beforeAll, expect, test } from 'vitest'
import { startService, type TestService } from '../../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startService({ RATE_LIMIT_POINTS: '2' })
})
afterAll(() => service.close())

const ask = (body: unknown, headers: Record<string, string> = { Authorization: \`Bearer \${service.key}\` }) =>
  fetch(\`\${service.url}/v1/dummy\`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })

test('the dummy route has its door, its limit and its count', async () => {
  expect((await ask({ word: 'again' }, {})).status).toBe(401)
  const answer = await ask({ word: 'again' })
  expect([answer.status, await answer.json()]).toEqual([200, { words: ['again', 'again'] }])
  expect((await ask({})).status).toBe(422)
  expect((await ask({ word: 'again' })).status).toBe(429)
  const metrics = async () => (await fetch(\`\${service.url}/metrics\`)).text()
  await expect.poll(metrics).toContain('{method="POST",route="/v1/dummy",status="200"} 1')
  expect(service.logged.join('')).toContain('/v1/dummy')
})
`,
  )
}

function addShape(tree: CopiedTree): void {
  tree.write('src/http/compat/dummy.ts', shapeRenamed(tree.read('src/http/compat/perplexity.ts')))
  const [routes, fields] = ['src/http/route-table.ts', 'src/http/compat/field-tables.ts']
  tree.insertAfter(
    routes,
    /^import \{ exaContentsRoute \}.*\n/mu,
    "import { dummyErrors, dummyRoute as dummyShapeRoute } from './compat/dummy.ts'\n",
  )
  tree.insertAfter(routes, /^ {2}perplexityRoute,\n/mu, '  dummyShapeRoute,\n')
  tree.insertAfter(routes, /^ {2}perplexityErrors,\n/mu, '  dummyErrors,\n')
  tree.insertAfter(
    fields,
    /^import type \{ ForeignFields \}.*\n/mu,
    "import { dummyFields } from './dummy.ts'\n",
  )
  const row = "  { name: 'Dummy search', paths: ['/dummy/search'], fields: dummyFields },\n"
  tree.insertAfter(fields, /^.*fields: perplexityFields \},\n/mu, row)
  const probes = 'test/http/compat/honoured-probes.ts'
  const theirs = /^ {2}'Perplexity search': \{\n[^]*?^ {2}\},\n/mu
  tree.insertAfter(probes, theirs, shapeRenamed(theirs.exec(tree.read(probes))?.[0] ?? ''))
}

function addMetric(tree: CopiedTree): void {
  const metrics = 'src/telemetry/metrics.ts'
  tree.insertAfter(
    metrics,
    /^function eventMetrics\(.*\n/mu,
    `  const dummies = new Counter({ name: 'verbatim_dummies_total', help: 'Dummies.', registers })\n`,
  )
  tree.insertAfter(
    metrics,
    /^ {2}return \{\n(?= {4}observeUnhandledRejection)/mu,
    '    observeDummy: (): void => dummies.inc(),\n',
  )
  tree.insertAfter(
    'src/compose/service.ts',
    /^ {2}metrics\.watchService\(.*\n/mu,
    '  metrics.observeDummy()\n',
  )
  const dashboard = JSON.parse(tree.read('deploy/grafana/verbatim.json')) as { panels: object[] }
  const panel = { title: 'Dummies', targets: [{ expr: 'rate(verbatim_dummies_total[5m])' }] }
  const panels = [...dashboard.panels, { ...dashboard.panels.at(-1), ...panel }]
  tree.write('deploy/grafana/verbatim.json', `${JSON.stringify({ ...dashboard, panels }, null, 2)}\n`)
}

function addPage(tree: CopiedTree): void {
  tree.write(
    'src/dashboard/dummy/dummy-route.tsx',
    `// GET /dummy: nothing to see.
import type { DashboardParts } from '../context.ts'
import { frameOf, sendPage } from '../frame/respond.ts'
import type { DashboardContext, DashboardRouter } from '../state.ts'
import { signedIn } from '../visitor/visitor.ts'
import { DummyPage } from './dummy-view.tsx'

export function addDummyRoutes(router: DashboardRouter, parts: DashboardParts): void {
  router.get('/dummy', signedIn, (context: DashboardContext) => {
    sendPage(context, <DummyPage frame={frameOf(context, parts.assetUrls)} />)
  })
}
`,
  )
  tree.write(
    'src/dashboard/dummy/dummy-view.tsx',
    `// Nothing to see.
import type { JSX } from 'preact'
import { Page, PageHead, type Frame } from '../frame/page.tsx'

export function DummyPage({ frame }: { frame: Frame }): JSX.Element {
  return (
    <Page frame={frame} style="dummy" title="Dummy">
      <PageHead title="Dummy">A page without content.</PageHead>
    </Page>
  )
}
`,
  )
  tree.write('public/styles/dummy.css', '.dummy { color: inherit; }\n')
  const [routes, page] = ['src/dashboard/routes.ts', 'src/dashboard/frame/page.tsx']
  tree.insertAfter(
    routes,
    /^import \{ addDocumentationRoutes \}.*\n/mu,
    "import { addDummyRoutes } from './dummy/dummy-route.tsx'\n",
  )
  tree.insertAfter(routes, /^ {2}addCheckRoutes\(.*\n/mu, '  addDummyRoutes(router, parts)\n')
  tree.insertAfter(page, /^export const STYLES = \[/mu, "'dummy', ")
  tree.insertAfter(
    page,
    /^.*href="\/check".*\n/mu,
    '                <NavigationLink frame={frame} href="/dummy" label="Dummy" />\n',
  )
  tree.insertAfter('scripts/lint/rooms.ts', /^ {6}check: \[.*\n/mu, "      dummy: ['frame', 'visitor'],\n")
  tree.insertAfter('test/dashboard/every-page.ts', /^ +\['check', .*\n/mu, "    ['dummy', () => '/dummy'],\n")
  tree.insertAfter(
    'scripts/screenshots/views.ts',
    /^ {2}\['audit', at\(.*\n/mu,
    "  ['dummy', at('/dummy')],\n",
  )
}

function addVariable(tree: CopiedTree): void {
  const config = 'src/config.ts'
  tree.insertAfter(config, /^ {2}TRUST_PROXY: .*\n/mu, '  DUMMY_SECONDS: wholeNumber(1, 60).default(7),\n')
  tree.insertAfter(config, /^ {4}dataDir,\n/mu, '    dummySeconds: env.DUMMY_SECONDS,\n')
  tree.insertAfter(config, /^ {2}\/\^\(\?:PORT\|/mu, 'DUMMY_SECONDS|')
  tree.insertAfter(
    'docs/configuration.md',
    /^\| `TRUST_PROXY` .*\n/mu,
    '| `DUMMY_SECONDS` | `7` | How long a dummy takes |\n',
  )
}

function addFormat(tree: CopiedTree): void {
  tree.write(
    'src/extract/documents/read-dummy.ts',
    bookRenamed(tree.read('src/extract/documents/read-epub.ts')),
  )
  const readers = 'src/extract/documents/read-document.ts'
  tree.insertAfter(readers, /^import \{ readEpub \}.*\n/mu, "import { readDummy } from './read-dummy.ts'\n")
  tree.insertAfter(readers, /^ {2}\['application\/epub\+zip', .*\n/mu, `  ['${DUMMY_TYPE}', readDummy],\n`)
  tree.insertAfter(
    'src/pages/fetch/media-type.ts',
    /^.*'application\/epub\+zip', part: null \},\n/mu,
    `  { ending: '.dummy', mediaType: '${DUMMY_TYPE}', part: null },\n`,
  )
  const book = tree.readBytes(`${BOOKS}/lighthouse.epub`).toString('latin1')
  tree.write(
    `${BOOKS}/lighthouse.dummy`,
    Buffer.from(book.replace('application/epub+zip', DUMMY_TYPE), 'latin1'),
  )
  tree.insertAfter(
    'test/extract/documents/broken-documents.test.ts',
    /^ {2}\['lighthouse\.epub', .*\n/mu,
    `  ['lighthouse.dummy', '${DUMMY_TYPE}'],\n`,
  )
}

/** By the first words of each recipe. */
export const DUMMIES: readonly (readonly [recipe: string, add: (tree: CopiedTree) => void])[] = [
  ['A search engine', addEngine],
  ['A route', addRoute],
  ['A compatible shape', addShape],
  ['A metric', addMetric],
  ['A page of the dashboard', addPage],
  ['A variable of the environment', addVariable],
  ['A format of documents', addFormat],
]
