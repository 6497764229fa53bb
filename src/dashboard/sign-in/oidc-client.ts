// Signing in at somebody else's: OpenID Connect's authorization code flow with PKCE, state and nonce, through a
// certified library. It says who came back from the issuer; whether that person has an account here is not its
// business.
import {
  allowInsecureRequests,
  customFetch,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  discovery,
  fetchUserInfo,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
  type Configuration,
  type CustomFetchOptions,
} from 'openid-client'
import type { OidcIdentity } from '../../accounts/people/user.ts'

/** Longest wait for each request to the issuer. */
const ISSUER_TIMEOUT_SECONDS = 10
const ANSWER_BYTES_MAX = 1_000_000
/** What the issuer publishes of itself, keys included, is asked for anew after this time. */
const METADATA_MAX_AGE_MS = 3_600_000

export interface OidcOptions {
  /** Issuer identifier as in its metadata: an https address, or http on loopback. */
  issuer: string
  clientId: string
  clientSecret: string
  /** What the button says after "Continue with". */
  label: string
}

/** The secrets of one sign-in under way; they wait in the browser's cookie. */
export interface OidcFlow {
  state: string
  nonce: string
  codeVerifier: string
}

/** Who came back, as the issuer vouches for. */
export interface OidcPerson {
  identity: OidcIdentity
  /** Null unless the issuer says that it has verified the address. */
  verifiedEmail: string | null
  name: string
}

export type OidcClient = ReturnType<typeof createOidcClient>

/**
 * Asks the issuer nothing before the first sign-in. @throws RangeError for an issuer that is neither https nor
 * loopback.
 */
export function createOidcClient(options: OidcOptions) {
  const issuer = new URL(options.issuer)
  const isLoopback = ['127.0.0.1', '[::1]', 'localhost'].includes(issuer.hostname)
  if (issuer.protocol !== 'https:' && !isLoopback) {
    throw new RangeError('An OpenID Connect issuer must have an https:// address.')
  }
  const metadata = createMetadata(issuer, options)

  return {
    label: options.label,

    /** The address at the issuer to send the browser to, and what must be known when it comes back. */
    async begin(redirectUri: string): Promise<{ url: URL; flow: OidcFlow }> {
      const flow = { state: randomState(), nonce: randomNonce(), codeVerifier: randomPKCECodeVerifier() }
      const url = buildAuthorizationUrl(await metadata.get(), {
        redirect_uri: redirectUri,
        scope: 'openid email profile',
        state: flow.state,
        nonce: flow.nonce,
        code_challenge: await calculatePKCECodeChallenge(flow.codeVerifier),
        code_challenge_method: 'S256',
      })
      return { url, flow }
    },

    /**
     * Checks what the browser brought back and asks the issuer who it is.
     * @throws when anything does not fit: state, nonce, signature, audience, expiry, or the person refused.
     */
    async finish(callbackUrl: URL, flow: OidcFlow): Promise<OidcPerson> {
      const configuration = await metadata.get()
      const tokens = await authorizationCodeGrant(configuration, callbackUrl, {
        pkceCodeVerifier: flow.codeVerifier,
        expectedState: flow.state,
        expectedNonce: flow.nonce,
        idTokenExpected: true,
      })
      const claims = tokens.claims()
      if (claims === undefined) throw new Error('the issuer sent no id token')
      const person = await fetchUserInfo(configuration, tokens.access_token, claims.sub)
      const email = person.email_verified === true ? (person.email ?? null) : null
      return {
        identity: { issuer: claims.iss, subject: claims.sub },
        verifiedEmail: email,
        name: person.name ?? '',
      }
    },
  }
}

/** What an issuer sends is bounded like an engine's answer, so that none fills the memory. */
async function fetchBounded(
  url: string,
  { body, signal, ...options }: CustomFetchOptions,
): Promise<Response> {
  const sent = body instanceof Uint8Array ? Uint8Array.from(body) : (body ?? null)
  const answer = await fetch(url, { ...options, body: sent, signal: signal ?? null })
  let left = ANSWER_BYTES_MAX
  const bound = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      left -= chunk.byteLength
      if (left >= 0) controller.enqueue(chunk)
      else controller.error(new RangeError(`the issuer sent more than ${ANSWER_BYTES_MAX} bytes`))
    },
  })
  return new Response(answer.body?.pipeThrough(bound) ?? null, answer)
}

/** What an issuer tells that is still starting, or a proxy in its place: it would be believed for an hour. */
function throwIfHalf(configuration: Configuration): Configuration {
  const { authorization_endpoint, token_endpoint, jwks_uri } = configuration.serverMetadata()
  const named = [authorization_endpoint, token_endpoint, jwks_uri]
  if (named.every((address) => address !== undefined && /^https?:/u.test(address))) return configuration
  throw new Error('the issuer does not say where people sign in, where tokens are given and by which keys')
}

/** The issuer's metadata, asked for once an hour; a failure is not remembered. */
function createMetadata(issuer: URL, { clientId, clientSecret }: OidcOptions) {
  let known: { configuration: Promise<Configuration>; askedAtMs: number } | null = null
  const execute = issuer.protocol === 'https:' ? [] : [allowInsecureRequests]

  return {
    async get(): Promise<Configuration> {
      if (known === null || performance.now() - known.askedAtMs > METADATA_MAX_AGE_MS) {
        const options = { execute, timeout: ISSUER_TIMEOUT_SECONDS, [customFetch]: fetchBounded }
        known = {
          configuration: discovery(issuer, clientId, clientSecret, undefined, options).then(throwIfHalf),
          askedAtMs: performance.now(),
        }
      }
      try {
        return await known.configuration
      } catch (error) {
        known = null
        throw error
      }
    },
  }
}
