import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openAccounts, type Accounts } from '../../src/accounts/accounts.ts'
import { createLogger } from '../../src/telemetry/log.ts'
import { createAccountsFolder } from './accounts-store.ts'

const PASSWORD = 'correct horse battery'

describe('the users command', () => {
  let folder: ReturnType<typeof createAccountsFolder>
  let accounts: Accounts
  beforeEach(async () => {
    folder = createAccountsFolder()
    accounts = await openAccounts({
      store: { dataDir: folder.dataDir },
      redis: null,
      rateLimit: { points: 60, durationSeconds: 60 },
      log: createLogger('silent'),
    })
  })
  afterEach(async () => {
    await accounts.close()
    folder.remove()
  })

  it('invite prints a link alone on stdout that makes an admin of who accepts it', async () => {
    const { code, stdout } = await folder.run('users', 'invite', '--admin', '--email', 'ada@example.org')
    expect(code).toBe(0)
    const token = /^http:\/\/localhost\/invitations\/(vbi_\w+)\n$/u.exec(stdout)?.[1] ?? ''
    const person = { email: 'ada@example.org', name: 'Ada', password: PASSWORD }
    expect(await accounts.invitations.accept(token, person)).toMatchObject({
      ok: true,
      user: { isAdmin: true },
    })
    expect((await folder.run('users', 'list')).stdout).toMatch(/^ada@example\.org +admin +active .*Ada$/mu)
    const again = await folder.run('users', 'invite', '--email', 'Ada@example.org')
    expect(again).toMatchObject({ code: 1, stdout: '' })
    expect(again.stderr).toContain('There is an account for ada@example.org')
  })

  it('reset prints a link that sets a new password, for users who exist', async () => {
    const { token } = await accounts.invitations.create({ isAdmin: false, createdBy: null })
    await accounts.invitations.accept(token, { email: 'ada@example.org', name: '', password: PASSWORD })
    const { stdout } = await folder.run('users', 'reset', 'ADA@example.org')
    const reset = /^http:\/\/localhost\/resets\/(vbr_\w+)\n$/u.exec(stdout)?.[1] ?? ''
    expect(await accounts.passwords.reset(reset, 'another long one')).toBe('changed')
    const unknown = await folder.run('users', 'reset', 'nobody@example.org')
    expect(unknown).toMatchObject({ code: 1, stdout: '' })
    expect(unknown.stderr).toContain('There is no active user nobody@example.org')
    expect(await folder.run('users', 'invite', '--email', 'no address')).toMatchObject({
      code: 2,
      stdout: '',
    })
  })
})
