// A service over a small web for other people's clients, and the way to run a program that uses one of them.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { PACKAGE_ROOT } from '../../src/config.ts'
import { article, startSearchSite } from '../support/search-site.ts'
import { startService } from '../support/service.ts'

const FOLDER = import.meta.dirname
export const NPM_CLIENTS = join(FOLDER, 'npm')
const NOTE = join(PACKAGE_ROOT, 'node_modules', '.verbatim', 'clients-python')
/** Longer than any of them takes; a client that waits for ever is ended. */
const PROGRAM_TIMEOUT_MS = 240_000

/** The labelled passage, and what it answers. */
export const PASSAGE =
  'A key can be revoked at any time in the dashboard. The revocation takes effect within one second on every replica, and every later request with the revoked key is refused.'
export const QUESTION = 'How do I revoke a key?'
const OTHER = 'The harbour lies between two hills and was built long ago by people of the coast.'

export type ClientService = Awaited<ReturnType<typeof startClientService>>

/** Found in this order: /other, which says nothing of it, and /keys, which answers. */
export async function startClientService() {
  const site = await startSearchSite({
    '/other': { html: article('The harbour', [OTHER]) },
    '/keys': {
      html: article(
        'Managing keys',
        [PASSAGE],
        '<meta property="article:published_time" content="2026-01-05">',
      ),
    },
  })
  const service = await startService({ SEARCH_PROVIDERS: 'searxng', SEARXNG_URL: site.engineUrl })
  const { key: token } = await service.service.accounts.keys.create({
    name: 'path token',
    ownerId: null,
    isPathToken: true,
  })
  const page = `${site.siteUrl}/keys`
  const environment = {
    VERBATIM_URL: service.url,
    VERBATIM_KEY: service.key,
    VERBATIM_TOKEN: token,
    VERBATIM_QUESTION: QUESTION,
    VERBATIM_PASSAGE: PASSAGE,
    VERBATIM_PAGE: page,
    VERBATIM_DOCUMENTS: JSON.stringify([OTHER, PASSAGE, 'Nothing of the kind.']),
  }
  return {
    site,
    service,
    page,
    token,
    /** Runs a program of test/clients/python with the pinned clients, and reads what it prints as JSON. */
    python: async (program: string, args: readonly string[] = [], more: Record<string, string> = {}) =>
      readJson(
        await outputOf(pythonPath(), [join(FOLDER, 'python', program), ...args], { ...environment, ...more }),
      ),
    /** The same for a program of test/clients/npm. */
    node: async (program: string, args: readonly string[]) =>
      readJson(await outputOf(process.execPath, [join(NPM_CLIENTS, program), ...args], environment)),
    environment,
    async close(): Promise<void> {
      await service.close()
      await site.close()
    },
  }
}

/** The Python of the pinned clients. */
export function pythonPath(): string {
  const [folder = ''] = existsSync(NOTE) ? readFileSync(NOTE, 'utf8').split('\n') : []
  if (folder === '') throw new Error('the clients are not installed: run npm run test:clients')
  return join(folder, 'bin', 'python')
}

interface Outcome {
  status: number | null
  stdout: string
  stderr: string
}

/** Runs a program to its end; the service answers it from this very process. */
export async function run(
  program: string,
  args: readonly string[],
  environment: Record<string, string>,
): Promise<Outcome> {
  const child = spawn(program, args, {
    cwd: PACKAGE_ROOT,
    env: { ...process.env, ...environment, PYTHONDONTWRITEBYTECODE: '1', NO_PROXY: '127.0.0.1' },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: PROGRAM_TIMEOUT_MS,
  })
  const output = { stdout: '', stderr: '' }
  for (const stream of ['stdout', 'stderr'] as const)
    child[stream].on('data', (chunk: Buffer) => (output[stream] += chunk.toString()))
  const status = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  return { status, ...output }
}

/** What a program printed; throws its last words when it failed. */
export async function outputOf(
  program: string,
  args: readonly string[],
  environment: Record<string, string>,
): Promise<string> {
  const { status, stdout, stderr } = await run(program, args, environment)
  if (status !== 0) throw new Error(`${program} ended with ${status}:\n${stdout}${stderr}`.slice(0, 8_000))
  return stdout
}

/** The last line that is an object: what is imported prints lines of its own. */
const readJson = (output: string): unknown =>
  JSON.parse(output.split('\n').findLast((line) => line.startsWith('{')) ?? '')

/** A calibrated score of a passage that answers. */
export const aScore = expect.toSatisfy(
  (score: unknown) => typeof score === 'number' && score > 0.3 && score <= 1,
)
/** A text that holds the labelled passage. */
export const thePassage = expect.stringContaining(PASSAGE)
