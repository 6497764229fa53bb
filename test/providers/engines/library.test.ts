import { expect, test } from 'vitest'
import { createLibraryProvider } from '../../../src/providers/engines/library.ts'
import { QUESTION } from './provider-contract.ts'

test('an index that cannot be read has failed, and the operator is told what keeps it from being read', async () => {
  const search = () => Promise.reject(new Error('connect ECONNREFUSED 127.0.0.1:5432'))
  const provider = createLibraryProvider({ library: { search } })
  await expect(provider.search(QUESTION, AbortSignal.timeout(1_000))).rejects.toMatchObject({
    failure: 'unreachable',
    message: 'library: the index could not be read: connect ECONNREFUSED 127.0.0.1:5432',
  })
})
