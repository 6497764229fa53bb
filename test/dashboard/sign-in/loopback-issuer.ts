// A real OpenID Connect provider on loopback. It asks no questions: whoever comes is the person the test names.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { Provider } from 'oidc-provider'
import { endServer } from '../../support/loopback.ts'
import { freePort } from '../../support/programs.ts'

export const CLIENT = { clientId: 'verbatim', clientSecret: 'a secret of the loopback client' } as const

export type LoopbackIssuer = Awaited<ReturnType<typeof openLoopbackIssuer>>

interface IssuerPerson {
  subject: string
  email: string
  emailVerified: boolean
  name: string
}

/** `redirectUri` may be asked for later, because the site needs the issuer first. */
export async function openLoopbackIssuer(redirectUri: () => string) {
  const port = await freePort()
  const issuer = `http://127.0.0.1:${port}`
  let person: IssuerPerson | null = null
  let callback: ((request: IncomingMessage, response: ServerResponse) => unknown) | null = null
  let provider: Provider | null = null

  /** Built at the first request, when the site's address is known. */
  const open = (): Provider => {
    const made: Provider = new Provider(issuer, {
      clients: [
        { client_id: CLIENT.clientId, client_secret: CLIENT.clientSecret, redirect_uris: [redirectUri()] },
      ],
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
      findAccount: (_context, accountId) => ({
        accountId,
        claims: () => ({
          sub: accountId,
          email: person?.email ?? '',
          email_verified: person?.emailVerified ?? false,
          name: person?.name ?? '',
        }),
      }),
      loadExistingGrant: async (context) => {
        const grant = new made.Grant({
          clientId: context.oidc.client?.clientId ?? '',
          accountId: context.oidc.session?.accountId ?? '',
        })
        grant.addOIDCScope('openid email profile')
        await grant.save()
        return grant
      },
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_context, interaction) => `/interaction/${interaction.uid}` },
      cookies: { keys: ['a key of the loopback issuer'] },
      pkce: { required: () => true },
      ttl: { Interaction: 600, Grant: 600, Session: 600, AccessToken: 600, IdToken: 600 },
    })
    return made
  }

  const server = createServer((request, response) => {
    provider ??= open()
    callback ??= provider.callback()
    if (request.url?.startsWith('/interaction/') !== true) {
      void callback(request, response)
      return
    }
    const result =
      person === null
        ? { error: 'access_denied', error_description: 'the person said no' }
        : { login: { accountId: person.subject, remember: false } }
    void provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false })
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    issuer,
    /** From now on this person comes; null refuses. */
    be(next: IssuerPerson | null): void {
      person = next
    },
    close: () => endServer(server),
  }
}
