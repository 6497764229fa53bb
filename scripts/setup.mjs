// Makes a fresh clone ready: dependencies, build, Chromium, models. Runs before every `npm start` and `npm test`, and
// does nothing at all when there is nothing to do. Plain Node without a dependency, because it installs them.
//
//   --tests   what the tests need: no model download
//   --build   compiles what has changed, and does nothing else (used by the tests when run by hand)
//   --quiet   silent unless there is work (used by the command line)
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const STAMPS = join(ROOT, 'node_modules', '.verbatim')
const LOCK = join(ROOT, '.setup.lock')
const LOCK_PATIENCE_MS = 15 * 60_000
/** What failed for want of a network is tried again after a day, not at every start. */
const RETRY_AFTER_MS = 24 * 60 * 60_000
const CHROMIUM_DOWNLOAD_MS = 10 * 60_000
const NODE_LEAST = [20, 19]

const options = {
  tests: process.argv.includes('--tests'),
  build: process.argv.includes('--build'),
  quiet: process.argv.includes('--quiet'),
}
const say = (text) => process.stderr.write(`setup: ${text}\n`)

/** Runs a command; its output is kept back and shown only when it fails. Says every 10 s that it still works. */
async function run(label, command, args, { timeoutMs = 20 * 60_000, env = {} } = {}) {
  const startedAt = Date.now()
  say(`${label} …`)
  const child = spawn(command, args, {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => output.push(chunk))
  const seconds = () => Math.round((Date.now() - startedAt) / 1000)
  const progress = setInterval(() => say(`${label} … ${seconds()} s`), 10_000)
  const timer = setTimeout(() => child.kill('SIGTERM'), timeoutMs)
  const code = await new Promise((resolve) => {
    child.once('error', () => resolve(127))
    child.once('close', (exitCode) => resolve(exitCode ?? 1))
  })
  clearInterval(progress)
  clearTimeout(timer)
  if (code === 0) say(`${label}: done in ${seconds()} s`)
  return { ok: code === 0, output: Buffer.concat(output).toString('utf8') }
}

/** Whether `name` was last done for exactly this `state`. */
function isStamped(name, state) {
  const file = join(STAMPS, name)
  return existsSync(file) && readFileSync(file, 'utf8') === state
}

function stamp(name, state) {
  mkdirSync(STAMPS, { recursive: true })
  writeFileSync(join(STAMPS, name), state)
}

/** Whether something that was out of reach was tried so lately that it is not worth trying again. */
function wasTriedLately(name) {
  const file = join(STAMPS, name)
  return existsSync(file) && Date.now() - statSync(file).mtimeMs < RETRY_AFTER_MS
}

function digest(paths) {
  const hash = createHash('sha256')
  for (const path of paths)
    hash
      .update(path)
      .update('\0')
      .update(readFileSync(join(ROOT, path)))
      .update('\0')
  return hash.digest('hex')
}

function filesBelow(folder) {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length))
    .toSorted()
}

async function installDependencies() {
  const state = digest(['package-lock.json'])
  if (isStamped('dependencies', state)) return
  const { ok, output } = await run(
    'installing dependencies (compiles the embedded database where no prebuilt one can be had: about a minute)',
    'npm',
    ['ci', '--no-audit', '--no-fund'],
    // onnxruntime-node would download CUDA libraries; the CPU build is in its package.
    { env: { ONNXRUNTIME_NODE_INSTALL: 'skip', npm_config_loglevel: 'error' } },
  )
  if (!ok) {
    process.stderr.write(output)
    throw new Error(
      'npm ci failed (its output stands above). Is the npm registry within reach, and is there a C++ compiler?',
    )
  }
  stamp('dependencies', state)
}

async function build() {
  const state = digest(['tsconfig.json', 'tsconfig.build.json', ...filesBelow('src')])
  const built = join(ROOT, 'dist', '.built')
  if (existsSync(built) && readFileSync(built, 'utf8') === state) return
  rmSync(join(ROOT, 'dist'), { recursive: true, force: true })
  const { ok, output } = await run('building', process.execPath, [
    join('node_modules', 'typescript', 'bin', 'tsc'),
    '-p',
    'tsconfig.build.json',
  ])
  if (!ok) {
    process.stderr.write(output)
    throw new Error('the build failed (its output stands above)')
  }
  writeFileSync(built, state)
}

/** The path of a Chromium that passed its self-test, now or at an earlier start; null when there is none. */
async function findChromium() {
  const known = join(STAMPS, 'chromium')
  const wanted = process.env.CHROMIUM_PATH ?? null
  if (wanted === null && existsSync(known) && existsSync(readFileSync(known, 'utf8')))
    return readFileSync(known, 'utf8')
  const { findBrowser } = await import('../dist/pages/browser/detection.js')
  const path = await findBrowser({ chromiumPath: wanted })
  if (path !== null && wanted === null) stamp('chromium', path)
  return path
}

/** One that is there, else Playwright's own download, else Debian's package (as root), else none, said loudly. */
async function prepareChromium() {
  if (/^(off|wss?:|https?:)/u.test(process.env.BROWSER ?? '')) return
  if ((await findChromium()) !== null || wasTriedLately('chromium-out-of-reach')) return
  say('no Chromium found: pages built by script could not be read without one')
  const playwright = join('node_modules', 'playwright', 'cli.js')
  await run('downloading Chromium', process.execPath, [playwright, 'install', '--only-shell', 'chromium'], {
    timeoutMs: CHROMIUM_DOWNLOAD_MS,
  })
  if ((await findChromium()) === null && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    const env = { DEBIAN_FRONTEND: 'noninteractive' }
    await run('updating the package lists', 'apt-get', ['update'], { env })
    const packages = ['chromium-headless-shell', 'fonts-liberation']
    await run('installing Chromium', 'apt-get', ['install', '-y', '--no-install-recommends', ...packages], {
      env,
    })
  }
  if ((await findChromium()) !== null) return
  stamp('chromium-out-of-reach', new Date().toISOString())
  say(
    '*** NO CHROMIUM COULD BE INSTALLED. The service runs on plain HTML; pages built by script stay unread.',
  )
  say(
    '*** To mend it: npx playwright install --with-deps --only-shell chromium, or set CHROMIUM_PATH, then start again.',
  )
}

/** MiniLM from the hub when it can be reached; the model in the repository serves until then. */
async function prepareModels() {
  if (wasTriedLately('models-out-of-reach') || isStamped('models', modelState())) return
  const endpoint = new URL(process.env.HF_ENDPOINT ?? 'https://huggingface.co')
  if (['1', 'true', 'on'].includes(process.env.HF_HUB_OFFLINE ?? '') || !(await isReachable(endpoint))) {
    stamp('models-out-of-reach', new Date().toISOString())
    say(
      'the model hub cannot be reached; scoring with the model that ships here (later: npm run models -- prefetch)',
    )
    return
  }
  const child = spawn(process.execPath, [join('dist', 'main.js'), 'models', 'prefetch'], {
    cwd: ROOT,
    stdio: ['ignore', process.stderr, process.stderr],
  })
  const code = await new Promise((resolve) => child.once('close', resolve))
  if (code === 0) stamp('models', modelState())
  else {
    stamp('models-out-of-reach', new Date().toISOString())
    say('the models could not be downloaded; scoring with what is there (later: npm run models -- prefetch)')
  }
}

function modelState() {
  return `${digest([join('models', 'catalog.json')])} ${process.env.MODEL_DIR ?? ''} ${process.env.DATA_DIR ?? ''}`
}

function isReachable(endpoint) {
  if (process.env.HTTPS_PROXY || process.env.https_proxy) return Promise.resolve(true)
  return new Promise((resolve) => {
    const port = Number(endpoint.port || (endpoint.protocol === 'http:' ? 80 : 443))
    const socket = connect({ host: endpoint.hostname, port, timeout: 3_000 })
    const done = (reachable) => {
      socket.destroy()
      resolve(reachable)
    }
    socket.once('connect', () => done(true))
    socket.once('error', () => done(false))
    socket.once('timeout', () => done(false))
  })
}

/** One set-up at a time: `npm test` beside `npm start` waits for the other to finish. */
async function withLock(work) {
  const startedAt = Date.now()
  while (!takeLock()) {
    if (Date.now() - startedAt > LOCK_PATIENCE_MS)
      throw new Error(`another set-up seems stuck; remove ${LOCK}`)
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
  try {
    await work()
  } finally {
    rmSync(LOCK, { force: true })
  }
}

function takeLock() {
  try {
    writeFileSync(LOCK, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
    const holder = Number(readFileSync(LOCK, 'utf8')) || 0
    if (holder !== 0 && !isAlive(holder)) rmSync(LOCK, { force: true })
    return false
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < NODE_LEAST[0] || (major === NODE_LEAST[0] && minor < NODE_LEAST[1])) {
  say(`Node ${process.versions.node} is too old; Verbatim needs ${NODE_LEAST.join('.')} or newer.`)
  process.exit(1)
}
try {
  await withLock(async () => {
    const startedAt = Date.now()
    if (!options.build) await installDependencies()
    await build()
    if (!options.build) await prepareChromium()
    if (!options.build && !options.tests) await prepareModels()
    if (!options.quiet) say(`ready (${((Date.now() - startedAt) / 1000).toFixed(1)} s)`)
  })
} catch (error) {
  say(error.message)
  process.exit(1)
}
