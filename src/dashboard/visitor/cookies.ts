// The cookies of the dashboard: their names, their attributes, and nothing about what they mean.
import type { Context } from 'koa'

export type Cookies = ReturnType<typeof createCookies>

/**
 * `session` holds a session's token, `form` the secret a stranger's forms are tied to, `oidc` a sign-in under way
 * elsewhere, `theme` the colours that were chosen. All are HttpOnly and SameSite=Lax; behind TLS also Secure, with the
 * `__Host-` prefix that keeps sub-domains from setting them.
 */
export function createCookies({ secure }: { secure: boolean }) {
  const prefix = secure ? '__Host-' : ''
  const names = {
    session: `${prefix}verbatim_session`,
    form: `${prefix}verbatim_form`,
    oidc: `${prefix}verbatim_oidc`,
    theme: `${prefix}verbatim_theme`,
  } as const
  const attributes = { httpOnly: true, sameSite: 'lax', path: '/', secure, overwrite: true } as const
  type Name = keyof typeof names

  return {
    get: (context: Context, name: Name): string | undefined => context.cookies.get(names[name]),

    set(context: Context, name: Name, value: string, expires?: Date): void {
      // TLS usually ends at the proxy in front, which the cookie library cannot see.
      context.cookies.secure = secure
      context.cookies.set(names[name], value, expires === undefined ? attributes : { ...attributes, expires })
    },

    clear(context: Context, name: Name): void {
      context.cookies.secure = secure
      context.cookies.set(names[name], null, attributes)
    },
  }
}
