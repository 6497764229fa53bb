// Runs one program of set-up: its output is kept back for the case that it fails, and it ends when set-up does.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { env as environment, execPath, kill } from 'node:process'
import { ROOT } from './files.mjs'

const TIMEOUT_MS = 20 * 60_000
const OUTPUT_CHARACTERS_MAX = 200_000
const children = new Set()

/** @returns {Promise<{ ok: boolean, output: string }>} never throws: what cannot be started is not ok */
export function runCommand(command, args, { cwd = ROOT, env = {}, timeoutMs = TIMEOUT_MS } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...environment, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    children.add(child)
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => (output = (output + chunk).slice(-OUTPUT_CHARACTERS_MAX)))
    const timer = setTimeout(() => child.kill('SIGTERM'), timeoutMs)
    const end = (ok, reason = '') => {
      clearTimeout(timer)
      children.delete(child)
      resolve({ ok, output: output + reason })
    }
    child.once('error', (error) => end(false, `${error.message}\n`))
    child.once('close', (code) => end(code === 0))
  })
}

/** The npm that called us, or the one in the PATH. */
export function runNpm(args, options) {
  const npm = environment.npm_execpath
  return npm?.endsWith('.js')
    ? runCommand(execPath, [npm, ...args], options)
    : runCommand('npm', args, options)
}

/** Ends every program that is under way, with all that it started: npm leaves a compiler behind. */
export function endCommands() {
  for (const { pid } of children) if (pid !== undefined) endWithChildren(pid)
}

function endWithChildren(pid) {
  for (const child of childrenOf(pid)) endWithChildren(child)
  try {
    kill(pid, 'SIGTERM')
  } catch {}
}

/** Only Linux tells. */
function childrenOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
  } catch {
    return []
  }
}
