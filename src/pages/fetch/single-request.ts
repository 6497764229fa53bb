// One request to one checked address: no redirect followed, no body read. Static loader and robots.txt both walk along
// such hops, each with its own idea of what to do between two of them.
import { request } from 'undici'
import type { Egress } from '../egress/egress.ts'

export interface Hop {
  status: number
  /** The header's first value, or null. Names in lower case. */
  header: (name: string) => string | null
  /** All values of the header as one list (RFC 9110 §5.3), or null. */
  combined: (name: string) => string | null
  body: Awaited<ReturnType<typeof request>>['body']
  /** Where a redirect or a refresh leads, not yet checked; null when the answer is none. */
  redirect: string | null
}

const REFRESH_CHARACTERS_MAX = 4_000
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/** Sends a GET. The body of a redirect is thrown away; any other must be read or destroyed by the caller. */
export async function sendSingleRequest(
  egress: Pick<Egress, 'dispatcher'>,
  url: URL,
  headers: Record<string, string>,
  signal: AbortSignal,
): Promise<Hop> {
  const answer = await request(url, { dispatcher: egress.dispatcher, method: 'GET', headers, signal })
  const valuesOf = (name: string): string[] => [answer.headers[name] ?? []].flat()
  const header = (name: string): string | null => valuesOf(name)[0] ?? null
  const combined = (name: string): string | null =>
    name in answer.headers ? valuesOf(name).join(', ') : null
  const location = REDIRECTS.has(answer.statusCode)
    ? header('location')
    : refreshTarget(answer.statusCode, header)
  if (location !== null) discard(answer.body)
  const redirect = resolveLocation(location, url)
  return { status: answer.statusCode, header, combined, body: answer.body, redirect }
}

/** A refresh that is due later is for readers who wait, as that of a page of news is. */
const REFRESH_SECONDS_MAX = 5

/** Where a page that is sent only to send its reader on leads (`Refresh: 0; url=…`), as browsers take it; else null. */
function refreshTarget(status: number, header: Hop['header']): string | null {
  const refresh = status === 200 ? (header('refresh')?.slice(0, REFRESH_CHARACTERS_MAX) ?? '') : ''
  const [, seconds, target] =
    /^\s{0,9}(\d{1,9})[\d.]{0,9}\s{0,9}[;,]\s{0,9}url\s{0,9}=\s{0,9}["']?([^"']+)/iu.exec(refresh) ?? []
  return target !== undefined && Number(seconds) < REFRESH_SECONDS_MAX ? target.trim() : null
}

/** Ends a body that nobody will read; its error afterwards means nothing. */
export function discard(body: Hop['body']): void {
  body.on('error', () => undefined)
  body.destroy()
}

/**
 * The absolute form; text that is no URL at all goes on as it is, for the policy to refuse. Header bytes come as
 * Latin-1: addresses that are sent unescaped are UTF-8, as browsers take them.
 */
function resolveLocation(header: string | null, base: URL): string | null {
  if (header === null) return null
  const location = Buffer.from(header, 'latin1').toString('utf8')
  return URL.canParse(location, base.href) ? new URL(location, base).href : location
}
