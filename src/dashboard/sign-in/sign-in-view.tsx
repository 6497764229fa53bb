// The pages a stranger sees: sign in, accept an invitation, set a new password.
import type { JSX } from 'preact'
import { Field } from '../frame/fields.tsx'
import { FormToken, Page, PageHead, type Frame } from '../frame/page.tsx'

interface SignInProperties {
  frame: Frame
  email: string
  /** Where to go afterwards. */
  next: string
  wrong: string | null
  /** Name of the OpenID Connect issuer people may sign in at; null when there is none. */
  oidcLabel: string | null
}

/** For people who have an account. */
export function SignInPage({ frame, email, next, wrong, oidcLabel }: SignInProperties): JSX.Element {
  return (
    <Page frame={frame} title="Sign in">
      <PageHead title="Sign in" />
      <form method="post" action="/sign-in" class="stack narrow">
        <FormToken frame={frame} />
        <input type="hidden" name="next" value={next} />
        {wrong !== null && (
          <div class="notice notice-bad" role="alert">
            <p>{wrong}</p>
          </div>
        )}
        <Field
          name="email"
          label="E-mail address"
          type="email"
          autocomplete="username"
          value={email}
          required
          autofocus={email === ''}
        />
        <Field
          name="password"
          label="Password"
          type="password"
          autocomplete="current-password"
          required
          autofocus={email !== ''}
        />
        <div class="actions">
          <button type="submit" class="button">
            Sign in
          </button>
          {oidcLabel !== null && (
            <a class="button button-plain" href={`/sign-in/oidc?${new URLSearchParams({ next }).toString()}`}>
              Continue with {oidcLabel}
            </a>
          )}
        </div>
        <p class="quiet small">
          No account, or password forgotten? An administrator of this service can send you a link. The first
          administrator’s is printed in the terminal at the first start, and{' '}
          <a href="/docs/command-line#getting-back-into-the-dashboard">another is made there</a>.
        </p>
      </form>
    </Page>
  )
}

interface PasswordLength {
  min: number
  max: number
}

interface InvitationProperties {
  frame: Frame
  isAdmin: boolean
  /** The only address this invitation works for; null for any. */
  boundEmail: string | null
  email: string
  name: string
  passwordLength: PasswordLength
  /** The OpenID Connect issuer that may be used instead of a password, and the token of this invitation. */
  oidc: { label: string; token: string } | null
  /** Why a field was refused, by its name. */
  wrong: Readonly<Record<string, string>>
}

/** For who opens an invitation’s link: makes their account. */
export function InvitationPage(properties: InvitationProperties): JSX.Element {
  const { frame, isAdmin, boundEmail, oidc, wrong } = properties
  return (
    <Page frame={frame} title="Create your account">
      <PageHead title="Create your account">
        {isAdmin
          ? 'You are invited as an administrator: you can manage keys, people and their access.'
          : 'You are invited to use this search service and to make API keys for it.'}
      </PageHead>
      <form method="post" class="stack narrow">
        <FormToken frame={frame} />
        <Field
          name="name"
          label="Your name"
          autocomplete="name"
          value={properties.name}
          maxLength={100}
          required
          autofocus
          wrong={wrong['name']}
        />
        <Field
          name="email"
          label="E-mail address"
          type="email"
          autocomplete="username"
          value={boundEmail ?? properties.email}
          readOnly={boundEmail !== null}
          required
          help={boundEmail === null ? 'You sign in with it.' : 'This invitation is for this address.'}
          wrong={wrong['email']}
        />
        <NewPasswordField
          name="password"
          label="Password"
          length={properties.passwordLength}
          wrong={wrong['password']}
        />
        <div class="actions">
          <button type="submit" class="button">
            Create account
          </button>
          {oidc !== null && (
            <a
              class="button button-plain"
              href={`/sign-in/oidc?${new URLSearchParams({ invitation: oidc.token }).toString()}`}
            >
              Continue with {oidc.label}
            </a>
          )}
        </div>
      </form>
    </Page>
  )
}

interface NewPasswordProperties {
  frame: Frame
  email: string
  passwordLength: PasswordLength
  wrong: string | null
}

/** For who opens a link that sets a new password. */
export function NewPasswordPage({ frame, email, passwordLength, wrong }: NewPasswordProperties): JSX.Element {
  return (
    <Page frame={frame} title="Set a new password">
      <PageHead title="Set a new password">For {email}. Every device is signed out when you do.</PageHead>
      <form method="post" class="stack narrow">
        <FormToken frame={frame} />
        <input type="hidden" name="username" autocomplete="username" value={email} />
        <NewPasswordField
          name="password"
          label="New password"
          length={passwordLength}
          wrong={wrong ?? undefined}
        />
        <div class="actions">
          <button type="submit" class="button">
            Set password
          </button>
        </div>
      </form>
    </Page>
  )
}

/** A field for a password that is being chosen. */
export function NewPasswordField(properties: {
  name: string
  label: string
  length: PasswordLength
  wrong: string | undefined
}): JSX.Element {
  const { min, max } = properties.length
  return (
    <Field
      name={properties.name}
      label={properties.label}
      type="password"
      autocomplete="new-password"
      minLength={min}
      maxLength={max}
      required
      help={`At least ${min} characters. A few unrelated words are good; a password manager is better.`}
      wrong={properties.wrong}
    />
  )
}
