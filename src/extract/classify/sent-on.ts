// Where a page that is there only to send its readers on leads: by a refresh in its head, or by a frameset that shows one
// page of another address and nothing of its own, as registrars forward domains.
import { Parser } from 'htmlparser2'
import { baseAddress } from '../base-address.ts'

/** A refresh that is due later is for readers who wait. */
const SLOWEST_REFRESH_SECONDS = 10
/** Where scripts run meanwhile, one that is due later waits for them: challenges look into the browser first. */
const AT_ONCE_SECONDS = 1
/** A page that sends on says so at its beginning: looking there alone costs the same for every page. */
const LOOKED_AT_CHARACTERS = 32_768
/** Half of all pages have another `http-equiv`, and need not be taken apart. */
const maySendOn = (html: string): boolean =>
  /<frameset/iu.test(html) || (/http-equiv/iu.test(html) && /refresh/iu.test(html))
/** A browser that runs scripts takes nothing from these. */
const UNHEARD = new Set(['noscript', 'template', 'noframes', 'svg'])
const WEB = /^https?:$/u

interface Leads {
  base: string
  refresh: Record<string, string> | null
  hasFrameset: boolean
  hasScript: boolean
  /** Of frames; those that show nothing have none. */
  frames: string[]
  /** Elements of `UNHEARD` that are open. */
  unheard: number
}

/** The address that the page at `url` sends its readers on to at once, not yet checked; null where it is a page itself. */
export function whereSentOn(html: string, url: string): string | null {
  const beginning = html.slice(0, LOOKED_AT_CHARACTERS)
  if (!maySendOn(beginning)) return null
  const { base, refresh, hasFrameset, hasScript, frames } = leadsIn(beginning)
  const from = baseAddress(base, url)
  const slowest = hasScript ? AT_ONCE_SECONDS : SLOWEST_REFRESH_SECONDS
  const target = refresh === null ? null : refreshTarget(refresh, from, slowest)
  if (target !== null) return isElsewhere(target, url) ? target : null
  const [shown, ...others] = hasFrameset ? frames : []
  if (shown === undefined || others.length > 0 || !URL.canParse(shown, from)) return null
  const { href, protocol } = new URL(shown, from)
  return WEB.test(protocol) && isElsewhere(href, url) ? href : null
}

/** Where `<meta http-equiv="refresh" content="0; url=…">` leads soon, from the page's base; null for any other `<meta>`. */
export function refreshTarget(
  attributes: Record<string, string>,
  base: string,
  slowestSeconds = SLOWEST_REFRESH_SECONDS,
): string | null {
  if (attributes['http-equiv']?.trim().toLowerCase() !== 'refresh') return null
  const parts = /^\s{0,9}(\d{1,6})[^;,]{0,9}[;,]\s{0,9}(?:url\s{0,9}=\s{0,9})?["']?([^"']{1,2000})/i.exec(
    attributes['content'] ?? '',
  )
  if (parts === null || Number(parts[1]) > slowestSeconds) return null
  const target = parts[2] ?? ''
  return URL.canParse(target, base) ? new URL(target, base).href : null
}

/** A page that names itself is shown again, and leads nowhere. */
export const isElsewhere = (target: string, url: string): boolean =>
  target.split('#')[0] !== url.split('#')[0]

function leadsIn(html: string): Leads {
  const leads: Leads = {
    base: '',
    refresh: null,
    hasFrameset: false,
    hasScript: false,
    frames: [],
    unheard: 0,
  }
  const parser = new Parser({
    onopentag: (name, attributes) => note(leads, name, attributes),
    onclosetag: (name) => {
      if (UNHEARD.has(name)) leads.unheard--
    },
  })
  parser.write(html)
  return leads
}

function note(leads: Leads, name: string, attributes: Record<string, string>): void {
  if (UNHEARD.has(name)) leads.unheard++
  else if (leads.unheard > 0) return
  else if (name === 'base') leads.base ||= attributes['href'] ?? ''
  else if (name === 'frameset') leads.hasFrameset = true
  else if (name === 'script') leads.hasScript = true
  else if (name === 'frame') noteFrame(leads, attributes)
  else if (name === 'meta' && leads.refresh === null && 'http-equiv' in attributes) {
    if (attributes['http-equiv']?.trim().toLowerCase() === 'refresh') leads.refresh = attributes
  }
}

function noteFrame({ frames }: Leads, { src = '' }: Record<string, string>): void {
  const address = src.trim()
  if (address !== '' && !/^about:/iu.test(address)) frames.push(address)
}
