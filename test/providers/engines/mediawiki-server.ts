// A real MediaWiki from Debian's package on loopback: a wiki of its own in a temporary folder, served by PHP itself.
// Unlike other servers it is not installed when it is missing: its two dozen packages take a minute and more.
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { endProgram, freePort, startProgram, waitUntil } from '../../support/programs.ts'

const PHP = '/usr/bin/php'
const MEDIAWIKI = '/usr/share/mediawiki'

/** Whether PHP and MediaWiki are here; says once what is missing. */
export function hasMediawiki(): boolean {
  if (existsSync(PHP) && existsSync(join(MEDIAWIKI, 'api.php'))) return true
  process.stderr.write(
    '\nSKIPPED: no MediaWiki here (apt-get install --no-install-recommends mediawiki php-cli php-sqlite3).\n',
  )
  return false
}

/** Starts a wiki with these pages, wikitext by title; `isPrivate` lets nobody read without signing in. */
export async function openMediawiki(pages: Readonly<Record<string, string>>, { isPrivate = false } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'verbatim-mediawiki-'))
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const config = join(folder, 'config.php')
  const env = { ...process.env, MW_CONFIG_FILE: config }
  const maintain = (script: string, args: readonly string[], environment: NodeJS.ProcessEnv) =>
    promisify(execFile)(PHP, [join(MEDIAWIKI, 'maintenance', script), ...args], { env: environment })

  const install = ['--dbtype=sqlite', `--dbpath=${folder}`, `--confpath=${folder}`, '--scriptpath=']
  const account = ['--pass=only-for-these-tests', 'Wiki', 'Admin']
  // The installer refuses to run where it finds a configuration.
  await maintain('install.php', [...install, `--server=${origin}`, ...account], process.env)
  const restriction = isPrivate ? `$wgGroupPermissions['*']['read'] = false;` : ''
  writeFileSync(config, `<?php require '${join(folder, 'LocalSettings.php')}'; ${restriction}`)

  mkdirSync(join(folder, 'pages'))
  const files = Object.entries(pages).map(([title, wikitext]) => {
    const file = join(folder, 'pages', `${title}.txt`)
    writeFileSync(file, wikitext)
    return file
  })
  if (files.length > 0) await maintain('importTextFiles.php', files, env)

  const server = startProgram(PHP, ['-S', `127.0.0.1:${port}`, '-t', MEDIAWIKI], { env })
  await waitUntil(async () => {
    await (await fetch(`${origin}/api.php`)).text()
  })
  return {
    origin,
    apiUrl: `${origin}/api.php`,
    async close(): Promise<void> {
      await endProgram(server, 'SIGKILL')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
