// The built service as a process of its own, for tests that kill it or run several of it.
import { spawn } from 'node:child_process'
import { MAIN } from './built.ts'
import { keepLog, registerSecretsIn, registerSettings } from './suite-secrets.ts'
import { endProgram, freePort, waitUntil } from './programs.ts'

const START_MS = 120_000

export type ServiceProcess = Awaited<ReturnType<typeof startServiceProcess>>

/**
 * Starts `serve` and waits until it is up; throws with its output when it ends instead. `within` is a command that ends
 * by executing the one behind it.
 */
export async function startServiceProcess(environment: NodeJS.ProcessEnv, within: readonly string[] = []) {
  const port = environment['PORT'] ?? String(await freePort())
  const [program, ...words] = [...within, process.execPath, MAIN, 'serve']
  const child = spawn(program, words, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, EGRESS_ALLOW: '127.0.0.1', BROWSER: 'off', ...environment, PORT: port },
  })
  registerSettings(environment)
  let output = ''
  const add = (chunk: Buffer): void => void (output += chunk.toString())
  child.stdout.on('data', (chunk: Buffer) => {
    add(chunk)
    registerSecretsIn(chunk.toString())
  })
  child.stderr.on('data', (chunk: Buffer) => {
    add(chunk)
    keepLog(chunk.toString())
  })
  await waitUntil(() => {
    if (child.exitCode !== null) return
    if (!output.includes('is up at')) throw new Error(`the service does not come up: ${output}`)
  }, START_MS)
  if (child.exitCode !== null) throw new Error(`the service ended with ${child.exitCode}: ${output}`)
  const url = `http://127.0.0.1:${port}`
  const ask = (
    path: string,
    { key, body, headers }: { key: string; body: unknown; headers?: Record<string, string> },
  ) =>
    fetch(`${url}${path}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
  return {
    url,
    port: Number(port),
    child,
    /** Everything it has printed and logged. */
    output: () => output,
    post: ask,
    search: (key: string, body: unknown = {}) => ask('/v1/search', { key, body }),
    /** The exit code after `signal`; null when the signal itself ended it. */
    async end(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<number | null> {
      await endProgram(child, signal)
      return child.exitCode
    },
  }
}
