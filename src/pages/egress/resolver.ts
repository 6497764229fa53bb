// Names to addresses.
import { lookup, Resolver } from 'node:dns/promises'
import { LRUCache } from 'lru-cache'
import { withDeadline } from '../../concurrency/deadline.ts'

/** Every address of a name, IPv4 before IPv6. Rejects when there is none or when the answer takes too long. */
export type ResolveName = (name: string) => Promise<readonly string[]>

export interface ResolverOptions {
  /** Whole time for one name, retries included. */
  timeoutMs: number
  /** How long an answer is used again. It never outlives this, whatever the record's own TTL says. */
  cacheMs: number
  /** Answers kept. */
  cacheNames: number
  /** DNS servers ("address" or "address:port") in place of the system's. */
  nameServers?: readonly string[] | undefined
  /** In place of DNS, for tests and for operators with a source of names of their own. */
  resolve?: ResolveName | undefined
}

/**
 * Resolves public names by c-ares (`dns.Resolver`: in parallel, outside libuv's four threads, without search domains
 * and hosts file), allowed names by the operating system (`dns.lookup`). Concurrent questions for one name are one.
 */
export function openResolver({ timeoutMs, cacheMs, cacheNames, nameServers, resolve }: ResolverOptions) {
  const dns = new Resolver({ timeout: Math.ceil(timeoutMs / 2), tries: 2 })
  if (nameServers !== undefined) dns.setServers(nameServers)
  const answers = new LRUCache<string, Promise<readonly string[]>>({ max: cacheNames, ttl: cacheMs })

  const ask = resolve ?? ((name: string) => resolvePublic(dns, name))
  const askLocally = resolve ?? resolveLocally

  /** Addresses of `name`; `allowed` names may be answered by the hosts file. Rejects with the cause, else with an Error. */
  function addressesOf(name: string, allowed: boolean): Promise<readonly string[]> {
    const key = `${allowed ? 'local' : 'public'} ${name}`
    const known = answers.get(key)
    if (known !== undefined) return known
    const answer = withDeadline({ what: `resolving ${name}`, limitMs: timeoutMs }, () =>
      (allowed ? askLocally : ask)(name),
    )
    answers.set(key, answer)
    answer.catch(() => answers.delete(key))
    return answer
  }

  return { addressesOf, close: () => dns.cancel() }
}

async function resolvePublic(dns: Resolver, name: string): Promise<readonly string[]> {
  const [ipv4, ipv6] = await Promise.allSettled([dns.resolve4(name), dns.resolve6(name)])
  const addresses = [ipv4, ipv6].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  if (addresses.length === 0)
    throw ipv4.status === 'rejected' ? ipv4.reason : new Error(`${name} has no address`)
  return addresses
}

async function resolveLocally(name: string): Promise<readonly string[]> {
  const answers = await lookup(name, { all: true, order: 'ipv4first' })
  return answers.map((answer) => answer.address)
}
