// Which room of src/ may import which: the one-way street of docs/architecture.md, as a table.

export interface Room {
  /** Other rooms, or files at the root of src/ by name, that its files may import. */
  sees: readonly string[]
  /** Rooms inside it and which of their siblings each sees; all of them see the files directly in the parent room. */
  rooms?: Readonly<Record<string, readonly string[]>>
}

const GROUND = [
  'contract',
  'errors',
  'folders',
  'invocation',
  'telemetry',
  'concurrency',
  'connections',
] as const

export const ROOMS: Readonly<Record<string, Room>> = {
  main: { sees: ['commands', 'compose', 'config', ...GROUND] },
  config: { sees: ['contract', 'errors', 'providers'] },
  contract: { sees: [] },
  errors: { sees: ['contract'] },
  folders: { sees: ['errors'] },
  invocation: { sees: [] },
  telemetry: { sees: ['contract', 'errors'] },
  connections: { sees: ['errors', 'telemetry'] },
  concurrency: { sees: ['errors', 'telemetry'] },
  commands: {
    sees: ['compose', 'config', 'http', 'search', 'accounts', 'library', 'providers', 'score', ...GROUND],
    rooms: { models: [], index: [] },
  },
  compose: {
    sees: [
      'config',
      'dashboard',
      'http',
      'accounts',
      'library',
      'search',
      'providers',
      'pages',
      'extract',
      'score',
      ...GROUND,
    ],
  },
  dashboard: {
    sees: ['http', 'search', 'accounts', 'library', ...GROUND],
    rooms: {
      code: [],
      frame: ['code'],
      visitor: ['frame'],
      docs: ['frame', 'code'],
      status: ['frame', 'code', 'visitor', 'requests', 'library'],
      keys: ['frame', 'code', 'visitor'],
      usage: ['frame', 'visitor'],
      requests: ['frame', 'visitor'],
      settings: ['frame', 'visitor', 'docs'],
      'sign-in': ['frame', 'visitor'],
      people: ['frame', 'visitor'],
      audit: ['frame', 'visitor'],
      account: ['frame', 'visitor', 'sign-in'],
      playground: ['frame', 'code', 'visitor'],
      compare: ['frame', 'visitor', 'playground'],
      check: ['frame', 'visitor'],
      library: ['frame', 'visitor'],
    },
  },
  http: {
    sees: ['search', 'accounts', ...GROUND],
    rooms: { request: [], routes: ['request'], compat: ['request'] },
  },
  accounts: {
    sees: [...GROUND],
    rooms: {
      store: [],
      keys: ['store'],
      people: ['store', 'keys'],
      audit: ['store', 'keys'],
      usage: ['store'],
      activity: ['store', 'usage'],
      reports: ['store', 'usage', 'activity'],
    },
  },
  library: {
    sees: ['providers', 'pages', 'extract', 'score', ...GROUND],
    rooms: { sqlite: [], postgres: [], crawl: [], files: ['crawl'] },
  },
  search: {
    sees: ['providers', 'pages', 'extract', 'score', ...GROUND],
    rooms: {
      quotes: [],
      proof: ['quotes'],
      bundles: ['proof'],
      given: ['proof', 'highlights', 'snippets'],
      reading: ['proof', 'given', 'quotes', 'copies'],
      highlights: [],
      flags: [],
      snippets: [],
      copies: [],
      explain: ['snippets'],
      observe: [],
      hits: [],
    },
  },
  providers: { sees: [...GROUND], rooms: { engines: [] } },
  pages: {
    sees: [...GROUND],
    rooms: {
      egress: [],
      fetch: ['egress'],
      robots: ['egress', 'fetch'],
      cache: ['fetch'],
      browser: ['egress'],
    },
  },
  extract: {
    sees: [...GROUND],
    rooms: {
      styles: [],
      tables: [],
      markup: [],
      html: ['styles', 'tables'],
      classify: ['html', 'styles', 'tables'],
      dates: ['html'],
      formats: ['html', 'classify', 'dates', 'tables'],
      documents: ['formats', 'dates'],
      obstacles: ['classify'],
      passages: [],
    },
  },
  score: {
    sees: [...GROUND],
    rooms: {
      lexical: [],
      static: [],
      models: [],
      relevance: ['lexical', 'static', 'models'],
      calibrate: ['models', 'relevance'],
    },
  },
}

/** Modules that a room must do without, and why. */
export const FORBIDDEN_MODULES: readonly { room: string; modules: RegExp; because: string }[] = [
  {
    room: 'extract',
    modules: /^(?:node:(?:fs|net|http|https|dns|child_process)\b|playwright|koa|ioredis|undici)/u,
    because: 'extract/ is pure: bytes in, text out',
  },
]

/** Names of drawers that hold whatever has no place. */
export const FORBIDDEN_NAMES =
  /^(?:utils?|helpers?|common|misc|shared|types?|lib|constants|interfaces)(?:\.tsx?)?$/u

/** Files of code directly in one folder. */
export const FILES_PER_FOLDER_MAX = 14
