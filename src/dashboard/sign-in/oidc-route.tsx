// Signing in through OpenID Connect: to the issuer and back, and from the person it vouches for to an account here. The
// issuer says who somebody is; only an invitation, or an account that is there, lets them in.
import { z } from 'zod'
import type { User } from '../../accounts/people/user.ts'
import { ApiError, notFound } from '../../errors.ts'
import type { OidcClient, OidcPerson } from './oidc-client.ts'
import type { DashboardParts } from '../context.ts'
import type { DashboardContext, DashboardRouter } from '../state.ts'
import { baseUrl, seeOther } from '../frame/respond.ts'
import { noteAccountMade } from './invitations-route.tsx'
import { startSession } from './sign-in-route.tsx'
import { safePath } from '../visitor/visitor.ts'

const FLOW_LIFETIME_MS = 10 * 60_000
const CALLBACK = '/sign-in/oidc/callback'

/** What waits in the cookie while the person is at the issuer. */
const flowSchema = z.object({
  state: z.string(),
  nonce: z.string(),
  codeVerifier: z.string(),
  next: z.string(),
  /** The token of the invitation this sign-in is to accept; null to sign in to an account. */
  invitation: z.string().nullable(),
})
type Flow = z.output<typeof flowSchema>

export function addOidcRoutes(router: DashboardRouter, parts: DashboardParts): void {
  const { oidc } = parts
  if (oidc === null) return
  router.get('/sign-in/oidc', async (context: DashboardContext) => {
    const { url, flow } = await atIssuer(oidc, () => oidc.begin(baseUrl(context, parts.publicUrl) + CALLBACK))
    const invitation = context.query['invitation']
    const kept: Flow = {
      ...flow,
      next: safePath(context.query['next']),
      invitation: typeof invitation === 'string' ? invitation : null,
    }
    const value = Buffer.from(JSON.stringify(kept)).toString('base64url')
    parts.cookies.set(context, 'oidc', value, new Date(Date.now() + FLOW_LIFETIME_MS))
    seeOther(context, url.href)
  })
  router.get(CALLBACK, async (context: DashboardContext) => {
    const flow = readFlow(parts.cookies.get(context, 'oidc'))
    parts.cookies.clear(context, 'oidc')
    if (flow === null)
      throw signInRefused('This sign-in took too long or was begun in another browser. Try again.')
    const callbackUrl = new URL(baseUrl(context, parts.publicUrl) + context.url)
    const person = await oidc.finish(callbackUrl, flow).catch((error: unknown) => {
      throw signInRefused(`${oidc.label} did not confirm who you are. Try again.`, error)
    })
    const user = await findUser(parts, person, flow.invitation)
    await startSession(context, parts, user.id)
    await parts.audit.note({ actorId: user.id, action: 'signed_in', subject: user.email })
    seeOther(context, flow.invitation === null ? flow.next : '/playground?done=welcome')
  })
}

/**
 * The account of the person: the one tied to their identity; else a new one by their invitation; else the one with the
 * address that the issuer has verified, which is tied to them from now on.
 */
async function findUser(parts: DashboardParts, person: OidcPerson, invitation: string | null): Promise<User> {
  const { identity, verifiedEmail } = person
  const known = await parts.users.findByOidc(identity)
  if (known !== null) return known
  if (verifiedEmail === null) throw signInRefused('Your e-mail address is not verified there.')
  if (invitation !== null) return acceptInvitation(parts, person, verifiedEmail, invitation)
  const user = await parts.users.findByEmail(verifiedEmail)
  if (user === null || user.disabledAt !== null || !(await parts.users.linkOidc(user.id, identity))) {
    throw signInRefused(`There is no account for ${verifiedEmail}. Ask an administrator for an invitation.`)
  }
  return user
}

async function acceptInvitation(
  parts: DashboardParts,
  { identity, name }: OidcPerson,
  email: string,
  token: string,
): Promise<User> {
  const accepted = await parts.invitations.accept(token, { email, name, oidc: identity })
  if (accepted.ok) {
    await noteAccountMade(parts, accepted.user)
    return accepted.user
  }
  if (accepted.reason === 'invalid_invitation') throw notFound()
  throw signInRefused(`This invitation cannot be used with ${email}.`)
}

function readFlow(cookie: string | undefined): Flow | null {
  if (cookie === undefined) return null
  try {
    const parsed = flowSchema.safeParse(JSON.parse(Buffer.from(cookie, 'base64url').toString()))
    return parsed.success ? parsed.data : null
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

/** Runs a request to the issuer; its failure is not the visitor's fault. */
async function atIssuer<T>(oidc: OidcClient, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (cause) {
    throw new ApiError({
      status: 503,
      code: 'issuer_unavailable',
      title: `${oidc.label} does not answer`,
      detail: 'Signing in there is not possible at the moment. Try again later, or sign in with a password.',
      cause,
    })
  }
}

const signInRefused = (detail: string, cause?: unknown): ApiError =>
  new ApiError({ status: 403, code: 'sign_in_refused', title: 'You are not signed in', detail, cause })
