// Makes a fresh clone ready: dependencies, SQLite, build, Chromium. Runs before every `npm start` and `npm test`, and
// does nothing at all when there is nothing to do. Plain Node without a dependency, because it installs them.
//
//   --tests      what the tests need besides; packages of the system only with CI or VERBATIM_INSTALL=1
//   --clients    what `npm run test:clients` drives: other people's clients, from npm and for Python
//   --build      bundles what has changed, and does nothing else (used by the tests when run by hand)
//   --packages   what running needs of others, and SQLite (a layer of the image that no edit of the source changes)
//   --prune      removes what the bundle holds and nobody reads beside it (of the image's layer of packages)
//   --then ARGS  goes on as `verbatim ARGS`, in this process, so that signals reach it
import { env, exit, versions } from 'node:process'
import { fileURLToPath } from 'node:url'
import { build, isBuilt } from './setup/build.mjs'
import { isChromiumSettled, isChromiumWanted, noteChromium, prepareChromium } from './setup/chromium.mjs'
import { areClientsReady, prepareNpmClients, preparePythonClients } from './setup/clients.mjs'
import {
  findBundler,
  installBundler,
  installDependencies,
  installedSet,
  keepOutside,
} from './setup/dependencies.mjs'
import { bundled } from './setup/files.mjs'
import { releaseLock, withLock } from './setup/lock.mjs'
import {
  forgetNativeModuleAhead,
  isNativeModuleKept,
  makeNativeModuleAhead,
} from './setup/native-module-ahead.mjs'
import { isNativeModuleReady, prepareNativeModule } from './setup/native-module.mjs'
import { openProgress } from './setup/progress.mjs'
import { endCommands } from './setup/run-command.mjs'

const NODE_LEAST = [20, 19]
const SIGNALS = { SIGINT: 130, SIGTERM: 143 }

const words = process.argv.slice(2)
const then = words.indexOf('--then')
const flags = new Set(then === -1 ? words : words.slice(0, then))
const progress = openProgress()
const say = (text, options) => progress.say(text, options)
const isOn = (value) => !['', '0', 'false'].includes(value ?? '')

async function setUp() {
  const startedAt = Date.now()
  if (flags.has('--packages')) await installPackages()
  else if (flags.has('--prune')) await progress.step('prune', () => keepOutside())
  else if (flags.has('--build')) await Promise.all([buildWhereNeeded(), compileWhereNeeded()])
  else await installAndBuild()
  const seconds = ((Date.now() - startedAt) / 1000).toFixed(1)
  if (progress.count > 0) say(`set up in ${seconds} s`)
}

async function installPackages() {
  const install = progress.step('packages', () => installDependencies('running'))
  await settled([install, compileBeside(install)])
}

/** What can be done side by side is: Chromium and SQLite's compiler beside the packages, then the build. */
async function installAndBuild() {
  const set = flags.has('--tests') ? 'all' : 'running'
  const there = installedSet()
  const isInstalled = there === 'all' || there === set
  const install = isInstalled ? Promise.resolve() : progress.step('packages', () => installDependencies(set))
  await settled([
    isInstalled ? compileWhereNeeded() : compileBeside(install),
    install.then(buildWhereNeeded),
    isInstalled && isChromiumSettled() ? null : findChromium(install),
    install.then(installClients),
  ])
}

async function buildWhereNeeded() {
  if (isBuilt()) return
  await progress.step('build', async () => {
    if (findBundler() === null) await installBundler()
    await build()
  })
}

async function compileWhereNeeded() {
  if (!isNativeModuleReady()) await progress.step('SQLite', prepareNativeModule)
}

/** It takes the longest of all, so it is begun at once, aside, and put among the packages when they are there. */
async function compileBeside(install) {
  if (isNativeModuleKept()) return install.then(() => progress.step('SQLite', prepareNativeModule))
  return progress.step('SQLite', async () => {
    const ahead = makeNativeModuleAhead()
    await install
    return prepareNativeModule(await ahead)
  })
}

async function installClients() {
  if (!flags.has('--clients') || areClientsReady()) return
  await settled([
    progress.step('clients for Node', prepareNpmClients),
    progress.step('clients for Python', preparePythonClients),
  ])
}

/** What came of it is noted after the packages: their installation forgets what was noted before. */
async function findChromium(install) {
  if (!isChromiumWanted()) return
  const mayInstall = !flags.has('--tests') || isOn(env.CI) || isOn(env.VERBATIM_INSTALL)
  const path = await progress.step('Chromium', () => prepareChromium({ mayInstall, say }))
  await install
  noteChromium(path, { mayInstall })
}

/** Waits for all, so that nothing is left half done, then throws what failed first. */
async function settled(works) {
  for (const result of await Promise.allSettled(works)) if (result.status === 'rejected') throw result.reason
}

/** Where one step failed, what was begun ahead for another is no longer wanted. */
function leaveNothingBehind() {
  endCommands()
  forgetNativeModuleAhead()
}

function interrupt(signal) {
  leaveNothingBehind()
  releaseLock()
  exit(SIGNALS[signal])
}

const [major = 0, minor = 0] = versions.node.split('.').map(Number)
if (major < NODE_LEAST[0] || (major === NODE_LEAST[0] && minor < NODE_LEAST[1])) {
  say(`Node ${versions.node} is too old; Verbatim needs ${NODE_LEAST.join('.')} or newer.`, {
    isWarning: true,
  })
  exit(1)
}
for (const signal of Object.keys(SIGNALS)) process.once(signal, interrupt)
try {
  await withLock(() => setUp().finally(leaveNothingBehind))
} catch (error) {
  say(error.message, { isWarning: true })
  exit(1)
}
for (const signal of Object.keys(SIGNALS)) process.off(signal, interrupt)
if (then !== -1) {
  const main = bundled('main.js')
  process.argv = [process.argv[0], fileURLToPath(main), ...words.slice(then + 1)]
  await import(main)
}
