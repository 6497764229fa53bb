// What `npm run test:clients` drives: other people's clients, at the versions that test/clients pins. Those of Node lie
// beside their programs, those of Python in a virtual environment in this user's cache, for every clone of the same list.
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pid } from 'node:process'
import { digestOf, readNote, ROOT, USER_CACHE, writeNote } from './files.mjs'
import { runCommand, runNpm } from './run-command.mjs'

const FOLDER = join('test', 'clients')
const NOTE = 'clients'
const PYTHON_NOTE = 'clients-python'
const PYTHON_LEAST = [3, 11]
const INSTALL_TIMEOUT_MS = 15 * 60_000
/** The list names every package with its version: nothing is resolved, and nothing but the list is installed. */
const PIP = [
  '-m',
  'pip',
  'install',
  '--no-deps',
  '--only-binary',
  ':all:',
  '--disable-pip-version-check',
  '-q',
]

const npmDigest = () => digestOf([join(FOLDER, 'npm', 'package-lock.json')])

/** Whether both are there. */
export const areClientsReady = () => isNpmReady() && isPythonReady()
const isNpmReady = () => readNote(NOTE) === npmDigest()
const isPythonReady = () => {
  const [path, digest] = (readNote(PYTHON_NOTE) ?? '').split('\n')
  return digest === requirementsDigest() && existsSync(join(path ?? '', 'bin', 'python'))
}
const requirementsDigest = () => digestOf([join(FOLDER, 'requirements.txt')])

/** @throws {Error} that says what to do when npm or pip cannot fetch them */
export async function prepareNpmClients() {
  if (isNpmReady()) return 'there already'
  const options = { cwd: join(ROOT, FOLDER, 'npm') }
  const { ok, output } = await runNpm(['ci', '--ignore-scripts', '--no-audit', '--no-fund'], options)
  if (!ok)
    throw new Error(
      `THE CLIENTS FOR NODE COULD NOT BE INSTALLED, so npm run test:clients cannot run. npm ci in ${FOLDER}/npm says ` +
        `below what it lacks; behind a proxy, set npm's "registry" or "https-proxy", then start again.\n${output}`,
    )
  writeNote(NOTE, npmDigest())
  return 'installed'
}

/** @throws {Error} that says what to do when there is no Python, or pip cannot fetch them */
export async function preparePythonClients() {
  if (isPythonReady()) return 'there already'
  const version = await pythonVersion()
  const kept = join(USER_CACHE, `clients-${requirementsDigest().slice(0, 16)}-python${version}`)
  const source = existsSync(kept) ? 'from the cache' : await makeEnvironment(kept)
  writeNote(PYTHON_NOTE, `${kept}\n${requirementsDigest()}`)
  return source
}

async function pythonVersion() {
  const { ok, output } = await runCommand('python3', [
    '-c',
    'import sys, venv, ensurepip; print(sys.version)',
  ])
  const [major = 0, minor = 0] = output.split('.').map(Number)
  const isNewEnough = major === PYTHON_LEAST[0] && minor >= PYTHON_LEAST[1]
  if (ok && isNewEnough) return `${major}.${minor}`
  throw new Error(
    `PYTHON ${PYTHON_LEAST.join('.')} OR NEWER, WITH venv AND pip, IS NOT HERE, so npm run test:clients cannot run. Install it ` +
      `(Debian: apt-get install python3-venv) so that "python3" starts it.\n${output}`,
  )
}

/** Made under another name and renamed when it is whole, so that two clones may make it at once. */
async function makeEnvironment(kept) {
  const part = `${kept}.${pid}.part`
  rmSync(part, { recursive: true, force: true })
  mkdirSync(dirname(part), { recursive: true })
  const made = await runCommand('python3', ['-m', 'venv', part])
  if (!made.ok) throw new Error(`python3 -m venv failed:\n${made.output}`)
  const python = join(part, 'bin', 'python')
  const list = join(FOLDER, 'requirements.txt')
  const { ok, output } = await runCommand(python, [...PIP, '-r', list], { timeoutMs: INSTALL_TIMEOUT_MS })
  if (!ok) {
    rmSync(part, { recursive: true, force: true })
    throw new Error(
      `THE CLIENTS FOR PYTHON COULD NOT BE INSTALLED, so npm run test:clients cannot run. pip says below what it lacks ` +
        `of ${list}; behind a proxy or with an index of your own, set HTTPS_PROXY or PIP_INDEX_URL, then start again.\n${output}`,
    )
  }
  if (existsSync(kept)) rmSync(part, { recursive: true })
  else renameSync(part, kept)
  return 'installed'
}
