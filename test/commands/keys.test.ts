import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { openKeys } from '../../src/accounts/keys/keys.ts'
import { openStore } from '../../src/accounts/store/open-store.ts'
import { createLogger } from '../../src/telemetry/log.ts'
import { createAccountsFolder } from './accounts-store.ts'

const log = createLogger('silent')

describe('the keys command', () => {
  let folder: ReturnType<typeof createAccountsFolder>
  beforeEach(() => {
    folder = createAccountsFolder()
  })
  afterEach(() => folder.remove())

  it('create prints the key alone on stdout, and that key is accepted by a service that runs on the same folder', async () => {
    const store = await openStore({ dataDir: folder.dataDir }, { log })
    const keys = openKeys({ store, log })
    const { code, stdout, stderr } = await folder.run('keys', 'create', 'My laptop', '--rate-limit', '5')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^vbt_[0-9A-Za-z]{36}\n$/u)
    expect(stderr).not.toContain(stdout.trim())
    expect(await keys.verify(stdout.trim())).toMatchObject({ name: 'My laptop', rateLimitPoints: 5 })
    const revoked = await folder.run('keys', 'revoke', stdout.trim())
    expect(revoked).toMatchObject({ code: 0, stdout: '' })
    expect(await keys.verify(stdout.trim())).toBeNull()
    await keys.close()
    await store.close()
  })

  it('list shows names, ids and states but no key, and revoke takes an id', async () => {
    const { stdout } = await folder.run('keys', 'create', 'Ends later', '--expires', '2100-01-31')
    const json = (await folder.run('keys', 'list', '--json')).stdout
    const listed = z
      .array(z.object({ id: z.string(), name: z.string(), expiresAt: z.string() }))
      .parse(JSON.parse(json))
    expect(listed).toMatchObject([{ name: 'Ends later', expiresAt: '2100-01-31T23:59:59.999Z' }])
    const id = listed[0]?.id ?? ''
    expect((await folder.run('keys', 'revoke', id)).code).toBe(0)
    expect((await folder.run('keys', 'list')).stdout).not.toContain(id)
    const all = (await folder.run('keys', 'list', '--all')).stdout
    expect(all).toMatch(new RegExp(`${id} .*revoked .*Ends later`, 'u'))
    expect(all).not.toContain(stdout.trim())
  })

  it('create makes keys for some purposes alone, and tokens that stand in an address; list names both', async () => {
    const narrow = await folder.run('keys', 'create', 'narrow', '--scopes', 'read, search')
    expect(narrow.stdout).toMatch(/^vbt_/u)
    const token = await folder.run('keys', 'create', 'token', '--path')
    expect(token.stdout).toMatch(/^vbp_[0-9A-Za-z]{36}\n$/u)
    const listed = (await folder.run('keys', 'list', '--json')).stdout
    expect(JSON.parse(listed)).toMatchObject([
      { name: 'token', isPathToken: true, scopes: ['search'] },
      { name: 'narrow', isPathToken: false, scopes: ['search', 'read'] },
    ])
    const { stdout } = await folder.run('keys', 'list')
    expect(stdout).toMatch(/vbp_\w{4}….* search +token/u)
    expect(stdout).toMatch(/ search,read +narrow/u)
  })

  it('says what is wrong in one sentence and exits with 1; with 2 when it was called wrongly', async () => {
    const unknown = await folder.run('keys', 'revoke', 'key_unknown')
    expect(unknown).toMatchObject({ code: 1, stdout: '' })
    expect(unknown.stderr).toMatch(/^There is no such key\..*\n$/u)
    for (const words of [
      ['create'],
      ['create', ''],
      ['create', ' '],
      ['create', 'n', '--rate-limit', '0'],
      ['create', 'n', '--scopes', 'search,everything'],
      ['create', 'n', '--scopes', ','],
      ['create', 'n', '--expires', '1999-01-01'],
      ['create', 'n', '--expires', '2100-02-30'],
      ['create', 'n', '--expires', '2100-02-31T10:00Z'],
    ]) {
      const refused = await folder.run('keys', ...words)
      const told = expect.stringMatching(/^.+\n(?:.+ tells what can stand there\.\n)?$/u)
      expect(refused).toMatchObject({ code: 2, stdout: '', stderr: told })
    }
    writeFileSync(join(folder.dataDir, 'accounts.sqlite'), 'no database '.repeat(1_000))
    const damaged = await folder.run('keys', 'list')
    expect(damaged).toMatchObject({ code: 1, stdout: '' })
    expect(damaged.stderr).toMatch(/is damaged\. Restore it from a backup/u)
  })
})
