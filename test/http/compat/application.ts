// An application that cannot be installed here: a service over a small web, set up by the lines of the application's page
// in docs/, and what its own time limit ends.
import { afterAll, beforeAll, expect } from 'vitest'
import { settingsOf } from './client-page.ts'
import { ANSWER, startCompatService, type CompatService } from './compat-service.ts'

export type Json = Record<string, unknown>
export const theAnswer = expect.stringContaining(ANSWER)
export const aScore = expect.toSatisfy((score: number) => score > 0.3 && score <= 1)

interface Application {
  compat: CompatService
  /** The address of the page that answers. */
  page: string
  /** A path token. */
  token: string
  /** What the page of an application in the documentation tells people to set. */
  settings: (name: string) => Record<string, string>
}

/** One service for all tests of a file; filled when they begin. */
export function useApplication(): Application {
  const application: Partial<Application> = {}
  beforeAll(async () => {
    const compat = await startCompatService()
    const made = { name: 'applications', ownerId: null, isPathToken: true }
    const { key: token } = await compat.service.service.accounts.keys.create(made)
    const { url, key } = compat.service
    Object.assign(application, {
      compat,
      page: `${compat.site.siteUrl}/keys`,
      token,
      settings: (name: string) => settingsOf(name, { url, key, token }),
    })
  })
  afterAll(() => application.compat?.close())
  return application as Application
}

/** An application's own time limit ends what takes longer. */
export async function post(url: string, key: string | null, body: object, limitMs: number): Promise<unknown> {
  const headers = {
    'Content-Type': 'application/json',
    ...(key === null ? {} : { Authorization: `Bearer ${key}` }),
  }
  const signal = AbortSignal.timeout(limitMs)
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body), signal })
  expect([url, answer.status]).toEqual([url, 200])
  return answer.json()
}
