// `verbatim users`: invite people, list them, let one who forgot the password set a new one. Links go to stdout, alone
// on their line; everything for people to stderr.
import { Command } from 'commander'
import { commandLine } from '../invocation.ts'
import type { Users } from '../accounts/people/users.ts'
import { CommandError, formatMoment, formatTable, withAccounts, type OpenAccounts } from './with-accounts.ts'

interface UsersCommandOptions {
  openAccounts: OpenAccounts
  /** The dashboard's address for an invitation's or a reset's token. */
  invitationUrl: (token: string) => string
  resetUrl: (token: string) => string
}

export function createUsersCommand({ openAccounts, invitationUrl, resetUrl }: UsersCommandOptions): Command {
  const command = new Command('users').description('invite and list the people who may use the dashboard')

  command
    .command('invite')
    .description('make an invitation link; it works once, for seven days')
    .option('--admin', 'for an administrator')
    .option('--email <address>', 'for this address only (default: for whoever has the link)')
    .action(({ admin = false, email }: { admin?: boolean; email?: string }) =>
      withAccounts(openAccounts, async ({ invitations, users, audit }) => {
        if (email !== undefined) await refuseHolder(users, email)
        const made = await invitations.create({ isAdmin: admin, email: email ?? null, createdBy: null })
        const subject = made.invitation.email ?? 'anyone with the link'
        await audit.note({ actorId: null, action: 'invitation_made', subject })
        const expiry = formatMoment(made.invitation.expiresAt, '')
        process.stderr.write(
          `An invitation for ${admin ? 'an admin' : 'a user'}, open until ${expiry} UTC:\n`,
        )
        process.stdout.write(`${invitationUrl(made.token)}\n`)
      }),
    )

  command
    .command('list')
    .description('list users, oldest first')
    .option('--json', 'as JSON')
    .action(({ json = false }: { json?: boolean }) =>
      withAccounts(openAccounts, async ({ users }) => {
        const all = await users.list()
        const rows = all.map((user) => [
          user.email,
          user.isAdmin ? 'admin' : 'user',
          user.disabledAt === null ? 'active' : 'disabled',
          formatMoment(user.createdAt, ''),
          user.name,
        ])
        const table = formatTable(['E-MAIL', 'ROLE', 'STATE', 'CREATED (UTC)', 'NAME'], rows)
        process.stdout.write(json ? `${JSON.stringify(all, null, 2)}\n` : table)
      }),
    )

  command
    .command('reset')
    .description('make a link that lets a user set a new password; it works once, for a day')
    .argument('<email>', 'the address this person signs in with')
    .action((email: string) =>
      withAccounts(openAccounts, async ({ users, passwords, audit }) => {
        const user = await users.findByEmail(email)
        if (user === null || user.disabledAt !== null) {
          throw new CommandError(`There is no active user ${email}. "users list" shows all.`)
        }
        const { token } = await passwords.createReset(user.id, null)
        await audit.note({ actorId: null, action: 'reset_made', subject: user.email })
        process.stderr.write(`A link for ${user.email} to set a new password, open for a day:\n`)
        process.stdout.write(`${resetUrl(token)}\n`)
      }),
    )

  return command
}

/** @throws {CommandError} when the address has an account: nobody could use an invitation for it. */
async function refuseHolder(users: Users, email: string): Promise<void> {
  const holder = await users.findByEmail(email)
  if (holder?.disabledAt !== null) return
  throw new CommandError(
    `There is an account for ${holder.email}: "${commandLine(`users reset ${holder.email}`)}" makes a new password.`,
  )
}
