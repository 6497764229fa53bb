// What the secrets check of the whole suite works on: every line that a service logs in any test, and every key,
// password, cookie and provider key that any test uses. Both are kept in a folder that the suite's set-up makes
// (suite-setup.ts), one pair of files for each process, and compared when the last test is done.
import { appendFileSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The environment variable that names the folder to all processes of the suite. */
export const SUITE_FOLDER = 'VERBATIM_SUITE_FOLDER'

/** Shorter ones cannot be told from ordinary words. */
const SECRET_CHARACTERS_MIN = 12
const SECRET_SETTING = /KEY|SECRET|TOKEN|PASSWORD|HEADERS/u
const OUR_SECRETS = /\bvb[a-z]{1,2}_[A-Za-z0-9_-]{16,}/gu

function append(kind: 'log' | 'secrets', line: string): void {
  const folder = process.env[SUITE_FOLDER]
  if (folder !== undefined) appendFileSync(join(folder, `${process.pid}.${kind}`), `${line}\n`)
}

/** Keeps what a service wrote to its log. */
export const keepLog = (text: string): void => append('log', text.trimEnd())

/** From now on to the end of the suite these may stand in no log. */
export function registerSecrets(...secrets: readonly (string | undefined)[]): void {
  for (const secret of secrets) {
    if (secret === undefined || secret.length < SECRET_CHARACTERS_MIN) continue
    for (const form of new Set([secret, encodeURIComponent(secret)])) append('secrets', JSON.stringify(form))
  }
}

/** Registers every secret of ours that stands in `text`. */
export const registerSecretsIn = (text: string): void => registerSecrets(...(text.match(OUR_SECRETS) ?? []))

/** Registers the values of settings that are secrets by their name, and passwords in addresses. */
export function registerSettings(environment: NodeJS.ProcessEnv): void {
  for (const [name, value = ''] of Object.entries(environment)) {
    if (SECRET_SETTING.test(name)) registerSecrets(value)
    if (URL.canParse(value)) registerSecrets(decodeURIComponent(new URL(value).password))
  }
}

/** What the folder holds: how much, and every place of a log where a secret stands, without the secret. */
export function findLeaks(folder: string) {
  const filesOf = (kind: string) => readdirSync(folder).filter((name) => name.endsWith(`.${kind}`))
  const secrets = new Set<string>()
  for (const name of filesOf('secrets')) {
    for (const line of readFileSync(join(folder, name), 'utf8').split('\n')) {
      if (line !== '') secrets.add(JSON.parse(line) as string)
    }
  }
  // Looked up by their first characters, so that the time does not grow with their number.
  const byHead = new Map<string, string[]>()
  for (const secret of secrets) {
    const head = secret.slice(0, SECRET_CHARACTERS_MIN)
    byHead.set(head, [...(byHead.get(head) ?? []), secret])
  }
  const leaks: string[] = []
  let lines = 0
  for (const name of filesOf('log')) {
    for (const line of readFileSync(join(folder, name), 'utf8').split('\n')) {
      lines += 1
      const secret = secretIn(line, byHead)
      if (secret !== null) leaks.push(line.replaceAll(secret, `${secret.slice(0, 4)}…`).slice(0, 500))
    }
  }
  return { secrets: secrets.size, lines, leaks }
}

function secretIn(line: string, byHead: ReadonlyMap<string, readonly string[]>): string | null {
  for (let at = 0; at + SECRET_CHARACTERS_MIN <= line.length; at += 1) {
    const candidates = byHead.get(line.slice(at, at + SECRET_CHARACTERS_MIN))
    const found = candidates?.find((secret) => line.startsWith(secret, at))
    if (found !== undefined) return found
  }
  return null
}
