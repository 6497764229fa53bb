// Certificates for https on loopback, made by openssl: of an authority of the test's own, which nobody trusts unasked.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findProgram, pathFolders } from './programs.ts'

const program = findProgram('openssl', pathFolders, 'openssl')

/** False when openssl is neither here nor installable: skip with `describe.skipIf(!hasOpenssl)`. */
export const hasOpenssl = program !== null

const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']

/** An authority in a folder of its own. */
export function createAuthority() {
  const folder = mkdtempSync(join(tmpdir(), 'verbatim-tls-'))
  const read = (name: string): string => readFileSync(join(folder, name), 'utf8')
  const openssl = (...words: string[]): void => {
    const { status } = spawnSync(program ?? '', words, { cwd: folder })
    if (status !== 0) throw new Error(`openssl ${words[0]} failed`)
  }
  const subject = ['-subj', '/CN=Test authority']
  openssl('req', '-x509', ...NEW_KEY, '-keyout', 'ca.key', '-out', 'ca.pem', '-days', '2', ...subject)

  return {
    pem: read('ca.pem'),
    /** For `names` ("IP:127.0.0.1", "DNS:wiki.corp"), good for so many days; over already when they are negative. */
    certify(names: string, days = 2): { key: string; cert: string } {
      writeFileSync(join(folder, 'site.ext'), `subjectAltName=${names}\n`)
      openssl('req', ...NEW_KEY, '-keyout', 'site.key', '-out', 'site.csr', '-subj', '/CN=site')
      const signer = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial']
      const what = ['-in', 'site.csr', '-out', 'site.pem', '-days', String(days), '-extfile', 'site.ext']
      openssl('x509', '-req', ...signer, ...what)
      return { key: read('site.key'), cert: read('site.pem') }
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
