// Takes a picture of every page of the dashboard in every state, light and dark, wide and narrow, into screenshots/, and
// those of the README into docs/images. The service, its store, its search and the browser are real; the people, keys
// and the month of usage are made up (screenshots/sample-store.ts).
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Browser } from 'playwright'
import { loadConfig, PACKAGE_ROOT } from '../src/config.ts'
import { installedBrowsers } from '../src/pages/browser/detection.ts'
import { openService, type Service } from '../src/compose/service.ts'
import { createLogger } from '../src/telemetry/log.ts'
import { drawProof } from './screenshots/draw-proof.ts'
import { fillStore, type Sample } from './screenshots/sample-store.ts'
import { viewsOf, type View } from './screenshots/views.ts'

const FOLDER = join(PACKAGE_ROOT, 'screenshots')
const README_FOLDER = join(PACKAGE_ROOT, 'docs', 'images')
/** What the README shows of them, by the name that it has there. */
const README_PICTURES: ReadonlyMap<string, string> = new Map([
  ['playground-1440-light.png', 'playground-light.png'],
  ['overview-1440-dark.png', 'status-dark.png'],
  ['usage-1440-light.png', 'usage-light.png'],
])
const SIZES = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
] as const
/** Of a picture; what is further down on a long page looks like what is above. */
const HEIGHT_MAX = 2_400

interface Look {
  colorScheme: 'light' | 'dark'
  viewport: (typeof SIZES)[number]
}

const LOOKS: readonly Look[] = (['light', 'dark'] as const).flatMap((colorScheme) =>
  SIZES.map((viewport) => ({ colorScheme, viewport })),
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

async function takeAll(service: Service, sample: Sample, executablePath: string): Promise<number> {
  const browser = await chromium.launch({ executablePath })
  const views = viewsOf(sample)
  const sessions = { administrator: sample.session, newcomer: sample.newcomerSession, stranger: null }
  for (const look of LOOKS) {
    for (const by of ['administrator', 'newcomer', 'stranger'] as const) {
      const theirs = views.filter((view) => view.by === by)
      await takePictures(browser, service.url, theirs, sessions[by], look)
    }
  }
  await browser.close()
  return views.length * LOOKS.length
}

const [executablePath] = await installedBrowsers()
if (executablePath === undefined) throw new Error('No Chromium on this machine: "npm start" sets one up.')
const dataDir = await mkdtemp(join(tmpdir(), 'verbatim-screenshots-'))
const config = loadConfig({ PORT: '0', DATA_DIR: dataDir, SEARCH_PROVIDERS: 'library', BROWSER: 'off' })
const service = await openService(config, { log: createLogger('error') })
try {
  await mkdir(FOLDER, { recursive: true })
  await drawProof(service, join(README_FOLDER, 'proof.svg'))
  const count = await takeAll(service, await fillStore(service), executablePath)
  console.log(`docs/images/proof.svg, the README's pictures, and ${count} pictures in screenshots`)
} finally {
  await service.close()
  await rm(dataDir, { recursive: true, force: true })
}
