// A loopback model hub that misbehaves on demand: it cuts, corrupts, redirects, refuses, overstates and ignores ranges.
import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { endServer, listenOnLoopback } from './loopback.ts'

/** What happens to the next request; requests without a fault are answered properly. */
type Fault =
  | { kind: 'status'; status: number; headers?: Record<string, string> }
  /** Breaks off after so many bytes, once `taken` resolves: a reset may overtake bytes that the client has not read. */
  | { kind: 'cut'; afterBytes: number; taken: () => Promise<unknown> }
  | { kind: 'corrupt' }
  | { kind: 'redirect'; location: string }
  | { kind: 'ignore range' }
  | { kind: 'append'; bytes: number }
  | { kind: 'hang' }

export interface SeenRequest {
  method: string
  path: string
  range: string | null
  atMs: number
}

export const sha256Of = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

/** Of what the hub stores apart from a repository's history. */
const LARGE_BYTES = 50_000

/** Bytes that differ from place to place, so that a misplaced range cannot go unnoticed. */
export function patternedBytes(length: number, seed = 1): Buffer {
  const bytes = Buffer.alloc(length)
  let state = seed
  for (let index = 0; index < length; index++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    bytes[index] = state >> 16
  }
  return bytes
}

function answer(
  request: IncomingMessage,
  response: ServerResponse,
  content: Buffer,
  fault: Fault | undefined,
): void {
  const range = /^bytes=(\d+)-$/u.exec(request.headers.range ?? '')
  const start = range && fault?.kind !== 'ignore range' ? Number(range[1]) : 0
  if (start > 0 && start >= content.length) {
    response.writeHead(416, { 'content-range': `bytes */${content.length}` }).end()
    return
  }
  let body = content.subarray(start)
  if (fault?.kind === 'corrupt') body = Buffer.from(body.map((byte) => byte ^ 0xff))
  if (fault?.kind === 'append') body = Buffer.concat([body, Buffer.alloc(fault.bytes)])
  response.setHeader('content-length', body.length)
  if (start > 0) response.setHeader('content-range', `bytes ${start}-${content.length - 1}/${content.length}`)
  response.statusCode = start > 0 ? 206 : 200
  if (request.method === 'HEAD') response.end()
  else if (fault?.kind === 'cut') {
    response.write(body.subarray(0, fault.afterBytes))
    const destroy = () => response.destroy()
    void fault.taken().then(destroy, destroy)
  } else response.end(body)
}

/** Large files stand in the list with their digests, small ones without, as on the hub. */
function answerListing(
  response: ServerResponse,
  name: string,
  files: Record<string, Buffer>,
  commit: string,
): void {
  const own = Object.entries(files).filter(([path]) => path.startsWith(`${name}/`))
  if (own.length === 0) {
    response.writeHead(404).end('not here')
    return
  }
  const siblings = own.map(([path, content]) => ({
    rfilename: path.slice(name.length + 1),
    size: content.length,
    lfs: content.length > LARGE_BYTES ? { sha256: sha256Of(content), size: content.length } : undefined,
  }))
  response.end(JSON.stringify({ sha: commit, siblings }))
}

/**
 * Serves `files` (keys as `owner/name/path`) at `/owner/name/resolve/REVISION/path`, and their list at `/api/models/owner/name/revision/REVISION`. `faults` is a queue: each request
 * but the probe takes the first entry.
 */
export async function startHub(files: Record<string, Buffer>, commit = 'c'.repeat(40)) {
  const seen: SeenRequest[] = []
  const faults: (Fault | null)[] = []
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://hub').pathname
    seen.push({ method: request.method ?? '', path, range: request.headers.range ?? null, atMs: Date.now() })
    if (path === '/') {
      response.end('hub')
      return
    }
    const fault = faults.shift() ?? undefined
    response.setHeader('x-repo-commit', commit)
    if (fault?.kind === 'hang') return
    if (fault?.kind === 'status') {
      response.writeHead(fault.status, fault.headers).end('no')
      return
    }
    if (fault?.kind === 'redirect') {
      response.writeHead(302, { location: fault.location }).end()
      return
    }
    const listed = /^\/api\/models\/([^/]+\/[^/]+)\/revision\/[^/]+$/u.exec(path)?.[1]
    if (listed !== undefined) {
      answerListing(response, listed, files, commit)
      return
    }
    const match = /^\/([^/]+\/[^/]+)\/resolve\/([^/]+)\/(.+)$/u.exec(path)
    const content = match ? files[`${match[1]}/${match[3]}`] : undefined
    if (content) answer(request, response, content, fault)
    else response.writeHead(404).end('not here')
  })
  return {
    url: await listenOnLoopback(server),
    files,
    seen,
    faults,
    close: () => endServer(server),
  }
}
