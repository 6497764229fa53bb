// `npm run bench -- [part…] [--soak SEARCHES] [--pages PAGES] [--cpu SECONDS]`: speed, side by side in one run with what a user would pick instead.
// Ratios count; absolute figures drift with the machine.
import { join } from 'node:path'
import { parseArgs } from 'node:util'

const { values, positionals: asked } = parseArgs({
  options: {
    soak: { type: 'string' },
    pages: { type: 'string', default: '100000' },
    cpu: { type: 'string', default: '0.043' },
  },
  allowPositionals: true,
})

/** Where a start puts its models; what is not there is replaced by a model of the same shape. */
const modelDirectory = process.env['MODEL_DIR'] ?? join(import.meta.dirname, '..', 'data', 'models')

const isAsked = (name: string): boolean => asked.length === 0 || asked.includes(name)

const PARTS: Readonly<Record<string, () => Promise<unknown>>> = {
  'first-stage': async () => (await import('./bench/first-stage.ts')).benchFirstStage(),
  embedding: async () => (await import('./bench/embedding.ts')).benchEmbedding(modelDirectory),
  extraction: async () => (await import('./bench/extraction.ts')).benchExtraction(),
  pages: async () => (await import('./bench/pages.ts')).benchPages(),
  cache: async () => (await import('./bench/cache.ts')).benchCache(),
  library: async () => (await import('./bench/library.ts')).benchLibrary(Number(values.pages)),
  stack: async () => (await import('./bench/stack.ts')).benchStack(),
  load: async () =>
    (await import('./bench/load.ts')).benchLoad({
      soak: values.soak === undefined ? null : Number(values.soak),
    }),
  scaling: async () => (await import('./bench/scaling.ts')).benchScaling(Number(values.cpu)),
  image: async () => (await import('./bench/image.ts')).benchImage(),
  setup: async () => (await import('./bench/setup.ts')).benchSetup({ isImageApart: isAsked('image') }),
}

const unknown = asked.filter((name) => PARTS[name] === undefined)
if (unknown.length > 0) {
  console.error(`Unknown: ${unknown.join(', ')}. Parts: ${Object.keys(PARTS).join(', ')}`)
  process.exit(2)
}
for (const [name, run] of Object.entries(PARTS)) {
  if (!isAsked(name)) continue
  console.log(`\n== ${name}`)
  await run()
}
