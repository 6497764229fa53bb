// SearXNG's /config, by which Onyx tells an instance from anything else before it will use one, and Cherry Studio the
// engines that it will ask for.
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
            // Cherry Studio asks for engines that are of both, as those of whole pages are there.
            categories: ['general', 'web'],
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
