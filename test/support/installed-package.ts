// The service as `npx verbatim serve` of an installed package.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { keepLog, registerSecretsIn } from './suite-secrets.ts'
import { endProgram, waitUntil } from './programs.ts'

const START_MS = 120_000

/** Starts it in `home`, where it keeps its data too, and waits until it has told the key of its first run. */
export async function spawnInstalled(home: string, env: NodeJS.ProcessEnv) {
  const command = join(home, 'node_modules', '.bin', 'verbatim')
  const child = spawn(command, ['serve'], { cwd: home, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString()
    registerSecretsIn(chunk.toString())
  })
  child.stderr.on('data', (chunk: Buffer) => {
    output += chunk.toString()
    keepLog(chunk.toString())
  })
  await waitUntil(() => {
    if (child.exitCode !== null) return
    if (!output.includes('curl -s')) throw new Error(`the service does not come up: ${output}`)
  }, START_MS)
  if (child.exitCode !== null) throw new Error(`the service ended with ${child.exitCode}: ${output}`)
  return {
    url: `http://127.0.0.1:${env['PORT'] ?? ''}`,
    /** What it has told at its start. */
    output,
    key: /API key\s+(vbt_\w+)/u.exec(output)?.[1] ?? '',
    close: () => endProgram(child, 'SIGTERM'),
  }
}
