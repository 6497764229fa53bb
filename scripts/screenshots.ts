// Takes a picture of every page of the dashboard in every state, light and dark, into screenshots/, and those of the README
// into docs/images. The service, its store, its search and the browser are real; the pages that it searches are written by
// hand (screenshots/picture-web.ts), people, keys and the month of usage made up (screenshots/sample-store.ts).
//   npm run screenshots
//   npm run screenshots -- --only playground,key --widths 320,768     views whose names begin so, at these widths
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { chromium, type Browser } from 'playwright'
import { loadConfig, PACKAGE_ROOT } from '../src/config.ts'
import { installedBrowsers } from '../src/pages/browser/detection.ts'
import { openService, type Service } from '../src/compose/service.ts'
import { createLogger } from '../src/telemetry/log.ts'
import { drawProof } from './screenshots/draw-proof.ts'
import { HOSTS, openPictureWeb } from './screenshots/picture-web.ts'
import { fillStore, type Sample } from './screenshots/sample-store.ts'
import { OF_DOCUMENTATION, QUESTION, viewsOf, type View } from './screenshots/views.ts'

const FOLDER = join(PACKAGE_ROOT, 'screenshots')
const README_FOLDER = join(PACKAGE_ROOT, 'docs', 'images')
/** What the README shows of them, by the name that it has there. */
const README_PICTURES: ReadonlyMap<string, string> = new Map([
  ['playground-1440-light.png', 'playground-light.png'],
  ['overview-1440-dark.png', 'status-dark.png'],
  ['usage-1440-light.png', 'usage-light.png'],
])
/** Of a view by its width; others are as high as a tablet. */
const HEIGHTS: ReadonlyMap<number, number> = new Map([
  [1440, 900],
  [390, 844],
  [320, 640],
])
/** Of a picture; what is further down on a long page looks like what is above. */
const HEIGHT_MAX = 2_400

interface Look {
  colorScheme: 'light' | 'dark'
  viewport: { width: number; height: number }
}

const { values: asked } = parseArgs({
  options: { only: { type: 'string', default: '' }, widths: { type: 'string', default: '1440,390' } },
})
/** Whether a view of that name is asked for. */
const isAsked = (name: string): boolean => asked.only.split(',').some((start) => name.startsWith(start))
const LOOKS: readonly Look[] = (['light', 'dark'] as const).flatMap((colorScheme) =>
  asked.widths.split(',').map((text) => {
    const width = Number(text)
    return { colorScheme, viewport: { width, height: HEIGHTS.get(width) ?? 1024 } }
  }),
)

async function takePictures(
  browser: Browser,
  url: string,
  views: readonly View[],
  session: string | null,
  look: Look,
): Promise<void> {
  const context = await browser.newContext({ ...look, reducedMotion: 'reduce' })
  if (session !== null) await context.addCookies([{ name: 'verbatim_session', value: session, url }])
  const page = await context.newPage()
  for (const { name, open } of views) {
    await page.goto('about:blank')
    await open(page, url)
    await page.evaluate(async () => {
      await document.fonts.ready
      scrollTo(0, 0)
    })
    const { width } = look.viewport
    const height = await page.evaluate(() => document.documentElement.scrollHeight)
    const clip = { x: 0, y: 0, width, height: Math.min(height, HEIGHT_MAX) }
    const file = `${name}-${width}-${look.colorScheme}.png`
    await page.screenshot({ path: join(FOLDER, file), fullPage: true, clip })
    const inReadme = README_PICTURES.get(file)
    if (inReadme !== undefined) await page.screenshot({ path: join(README_FOLDER, inReadme) })
  }
  await context.close()
}

async function takeAll(
  service: Service,
  sample: Sample,
  views: readonly View[],
  executablePath: string,
): Promise<void> {
  const browser = await chromium.launch({ executablePath })
  const sessions = { administrator: sample.session, newcomer: sample.newcomerSession, stranger: null }
  for (const look of LOOKS) {
    for (const by of ['administrator', 'newcomer', 'stranger'] as const) {
      const theirs = views.filter((view) => view.by === by)
      await takePictures(browser, service.url, theirs, sessions[by], look)
    }
  }
  await browser.close()
}

/** So often is it asked before there is no answer to take a picture of. */
const TRIES = 10
const PAUSE_MS = 5_000

/** Has `query` answered once: the first searches of a process on a busy machine find no time to read a page. */
async function warmUp({ accounts, url }: Service, query: string): Promise<void> {
  const { key } = await accounts.keys.create({ name: 'Pictures', ownerId: null })
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ query, search_depth: 'exhaustive' })
  for (let tried = 0; tried < TRIES; tried += 1) {
    const answer = await fetch(`${url}/v1/search`, { method: 'POST', headers, body })
    const { results } = (await answer.json()) as { results: { snippets: unknown[] }[] }
    if (results.filter(({ snippets }) => snippets.length > 0).length > 1) return
    // A thread that reads is replaced when it misses its time, and needs some to start in.
    await setTimeout(PAUSE_MS)
  }
  throw new Error(`"${query}" is not answered by two pages`)
}

/** Gives `use` a service on a folder of its own, which is removed afterwards. */
async function withService(
  settings: NodeJS.ProcessEnv,
  use: (service: Service) => Promise<void>,
): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'verbatim-screenshots-'))
  const config = loadConfig({ PORT: '0', DATA_DIR: dataDir, BROWSER: 'off', ...settings })
  const service = await openService(config, { log: createLogger('fatal') })
  try {
    await use(service)
  } finally {
    await service.close()
    await rm(dataDir, { recursive: true, force: true })
  }
}

const [executablePath] = await installedBrowsers()
if (executablePath === undefined) throw new Error('No Chromium on this machine: "npm start" sets one up.')
await mkdir(FOLDER, { recursive: true })
// The start page shows it, too. As a first start answers: at this depth pages are read in the browser where there is one,
// which cuts some of them otherwise than their plain HTML.
if (['proof', 'start'].some(isAsked))
  await withService({ SEARCH_PROVIDERS: 'library', BROWSER: 'auto' }, async (service) => {
    await warmUp(service, OF_DOCUMENTATION)
    await drawProof(service, OF_DOCUMENTATION, join(README_FOLDER, 'proof.svg'))
  })
const web = await openPictureWeb()
const settings = {
  // The first one is set up and out of reach, as an overview should show it.
  SEARCH_PROVIDERS: 'opensearch,searxng,library',
  OPENSEARCH_URL: 'http://127.0.0.1:9',
  OPENSEARCH_INDEX: 'pages',
  SEARXNG_URL: web.engineUrl,
  EGRESS_ALLOW: HOSTS.join(','),
}
await withService(settings, async (service) => {
  const sample = await fillStore(service, web.handbook)
  await warmUp(service, QUESTION)
  const views = viewsOf(sample, web).filter(({ name }) => isAsked(name))
  await takeAll(service, sample, views, executablePath)
  console.log(
    `${views.length * LOOKS.length} pictures in screenshots, and what the README shows in docs/images`,
  )
})
await web.close()
