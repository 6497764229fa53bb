import { afterEach, expect, test, vi } from 'vitest'
import { OperatorError } from '../../src/errors.ts'
import { openLibrary } from '../../src/library/library.ts'
import { openPostgresLibrary } from '../../src/library/postgres/postgres.ts'
import { freePort } from '../support/programs.ts'

afterEach(() => vi.useRealTimers())

test('a PostgreSQL that does not answer at the start is one sentence with host, port and what to do, without the password', async () => {
  const port = await freePort()
  const waits: string[] = []
  const opening = openPostgresLibrary({
    databaseUrl: `postgres://ada:secret-word@127.0.0.1:${port}/verbatim`,
    connectTimeoutMs: 300,
    onWait: (message) => void waits.push(message),
  })
  const error: unknown = await opening.catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(OperatorError)
  expect(String(error)).toContain(
    `PostgreSQL at 127.0.0.1:${port}/verbatim did not answer within 0.3 s. Check DATABASE_URL and that the server runs.`,
  )
  expect(waits).toEqual([`waiting for PostgreSQL at 127.0.0.1:${port}/verbatim, for up to 0.3 s`])
  expect(`${String(error)} ${waits.join()}`).not.toContain('secret-word')
})

test('a clock that is set back at the start, as clocks are then, makes nobody wait for longer', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const opening = openPostgresLibrary({
    databaseUrl: `postgres://127.0.0.1:${await freePort()}/verbatim`,
    connectTimeoutMs: 300,
    onWait: () => vi.setSystemTime(Date.now() - 7_200_000),
  })
  await expect(opening).rejects.toThrow('did not answer within 0.3 s')
})

test('an address that is none is told as such', async () => {
  await expect(openLibrary({ dataDir: '', databaseUrl: 'postgres://[' })).rejects.toThrow(
    /DATABASE_URL is no address/u,
  )
})
