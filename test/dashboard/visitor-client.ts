// A browser's manners without a browser: keeps cookies, finds the form token in a page, sends forms. For tests of what
// the server accepts and refuses; what people see is tested in Chromium.

import { registerSecrets } from '../support/suite-secrets.ts'

export type VisitorClient = ReturnType<typeof createVisitorClient>

export function createVisitorClient(siteUrl: string) {
  const cookies = new Map<string, string>()

  async function send(
    path: string,
    { from, ...init }: { method?: string; body?: URLSearchParams | FormData; from?: string | undefined } = {},
  ): Promise<Response> {
    const response = await fetch(siteUrl + path, {
      ...init,
      redirect: 'manual',
      headers: {
        ...(from === undefined ? {} : { Referer: siteUrl + from }),
        Accept: 'text/html',
        Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      },
    })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/u.exec(line) ?? []
      if (value === '') cookies.delete(name)
      else cookies.set(name, value)
    }
    return response
  }

  /** `from`: the page that the form stands on, as browsers tell it. */
  const postRaw = (
    path: string,
    fields: Record<string, string> | [string, string][],
    from?: string,
  ): Promise<Response> => send(path, { method: 'POST', body: registered(new URLSearchParams(fields)), from })

  return {
    cookies,
    get: (path: string) => send(path),
    text: async (path: string): Promise<string> => (await send(path)).text(),
    /** Posts exactly these fields. */
    postRaw,
    /** Loads `page`, takes its form token, and posts the fields with it to `path`. */
    async post(page: string, path: string, fields: Record<string, string> = {}): Promise<Response> {
      const token = formTokenIn(await (await send(page)).text())
      return postRaw(path, { form_token: token, ...fields })
    },
    /** Posts files, after the form's token unless `token` is another. */
    async upload(
      page: string,
      path: string,
      files: readonly [name: string, content: string | Uint8Array<ArrayBuffer>][],
      token?: string,
    ): Promise<Response> {
      const body = new FormData()
      body.set('form_token', token ?? formTokenIn(await (await send(page)).text()))
      for (const [name, content] of files) body.append('documents', new Blob([content]), name)
      return send(path, { method: 'POST', body })
    },
    /** Signs in through the form. */
    async signIn(email: string, password: string): Promise<Response> {
      return this.post('/sign-in', '/sign-in', { email, password })
    },
  }
}

/** What people type as passwords, and what forms prove themselves by, stands in no log. */
function registered(fields: URLSearchParams): URLSearchParams {
  for (const [name, value] of fields) if (/password|token/u.test(name)) registerSecrets(value)
  return fields
}

/** The token in the first form of a page; throws when there is none. */
export function formTokenIn(html: string): string {
  const token = /name="form_token" value="([^"]+)"/u.exec(html)?.[1]
  if (token === undefined) throw new Error(`no form token in: ${html.slice(0, 200)}`)
  return token
}
