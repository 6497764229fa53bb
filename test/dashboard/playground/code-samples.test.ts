import { execFile } from 'node:child_process'
import { createServer } from 'node:http'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { codeSamples } from '../../../src/dashboard/playground/code-samples.ts'
import { listenOnLoopback } from '../../support/loopback.ts'
import { findProgram, pathFolders } from '../../support/programs.ts'

const run = promisify(execFile)

/** What the last request said. */
const received = { authorization: '', type: '', body: '' }
const server = createServer((request, response) => {
  let body = ''
  request.on('data', (chunk) => (body += String(chunk)))
  request.on('end', () => {
    received.authorization = request.headers.authorization ?? ''
    received.type = request.headers['content-type'] ?? ''
    received.body = body
    response.setHeader('Content-Type', 'application/json')
    response.end(JSON.stringify({ results: [{ url: 'https://example.org/', snippets: ['a'] }] }))
  })
})
let url: string
beforeAll(async () => {
  url = await listenOnLoopback(server)
})
afterAll(() => server.close())

const BODY = {
  query: `it's a "test" with $HOME, \`ls\`, \\n \${x} and \u2028 生`,
  num_results: 3,
  include_domains: ['example.org', 'example.com'],
  include: ['explain'],
}
const env = { ...process.env, VERBATIM_KEY: 'vbt_test' }

const codeOf = (label: string, key: string | null = null): string =>
  codeSamples(url, BODY, key).find((sample) => sample.label === label)?.code ?? ''

const programs = {
  curl: findProgram('curl', pathFolders, 'curl'),
  sh: findProgram('sh', pathFolders, 'dash'),
  python: findProgram('python3', pathFolders, 'python3-minimal'),
}

describe('code samples send exactly the request of the form, whatever the query holds', () => {
  async function expectSent(label: string, program: string, args: readonly string[]): Promise<void> {
    const { stdout } = await run(program, [...args, codeOf(label)], { env })
    expect(stdout).toContain('https://example.org/')
    expect(JSON.parse(received.body)).toEqual(BODY)
    expect([received.authorization, received.type]).toEqual(['Bearer vbt_test', 'application/json'])
    await run(program, [...args, codeOf(label, 'vbt_inCode')], { env })
    expect([received.authorization, JSON.parse(received.body)]).toEqual(['Bearer vbt_inCode', BODY])
  }

  test.skipIf(programs.curl === null || programs.sh === null)('curl', () =>
    expectSent('curl', programs.sh ?? '', ['-c']),
  )
  test('TypeScript', () => expectSent('TypeScript', process.execPath, ['--input-type=module', '-e']))
  test.skipIf(programs.curl === null || programs.sh === null)('MCP, with what its tool takes', async () => {
    await run(programs.sh ?? '', ['-c', codeOf('MCP')], { env })
    const { include: _include, ...given } = BODY
    expect(JSON.parse(received.body)).toMatchObject({
      method: 'tools/call',
      params: { name: 'search', arguments: given },
    })
    expect([received.authorization, received.type]).toEqual(['Bearer vbt_test', 'application/json'])
  })
  test.skipIf(programs.python === null)('Python', () => expectSent('Python', programs.python ?? '', ['-c']))
})
