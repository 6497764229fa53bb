// GET /.well-known/verbatim-keys.json (RFC 8615): the public keys by which bundles are checked.
import { keyListSchema } from '../../contract/bundle.ts'
import type { Signing } from '../../search/bundles/open-signing.ts'
import type { Route } from '../route.ts'

/** How long a proxy may hold it: a new key signs at once. */
const CACHE_SECONDS = 60

export const signingKeysRoute: Route<{ signing: Pick<Signing, 'publicKeys'> }> = {
  method: 'get',
  path: '/.well-known/verbatim-keys.json',
  door: 'open',
  operation: {
    id: 'signingKeys',
    summary: 'List the public keys by which bundles are checked.',
    answer: { name: 'KeyList', schema: keyListSchema, description: 'A JWK set, newest key first.' },
    refusals: [],
  },
  createHandler: ({ signing }) =>
    async function answerKeys(context) {
      context.set('Cache-Control', `public, max-age=${CACHE_SECONDS}`)
      context.body = await signing.publicKeys()
    },
}
