// SearXNG's /config, by which Onyx tells an instance from anything else before it will use one.
import type { Route } from '../../route.ts'
import { ENGINE } from './engines.ts'

/** Onyx rejects an instance that does not name this repository. */
const SEARXNG_REPOSITORY = 'https://github.com/searxng/searxng'

export const searxngConfigRoute: Route<{ version: string }> = {
  method: 'get',
  path: '/compat/searxng/config',
  door: 'key',
  scope: 'search',
  operation: null,
  createHandler:
    ({ version }) =>
    (context) => {
      context.body = {
        instance_name: 'Verbatim',
        version,
        brand: { GIT_URL: SEARXNG_REPOSITORY },
        categories: ['general'],
        engines: [
          {
            name: ENGINE,
            categories: ['general'],
            enabled: true,
            language_support: true,
            paging: true,
            safesearch: false,
            shortcut: 'vbt',
            time_range_support: true,
          },
        ],
        default_locale: '',
        autocomplete: '',
        safe_search: 0,
        plugins: [],
        locales: {},
      }
    },
}
