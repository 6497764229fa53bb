// `npm run lint`, its second half: the rules of this house, which no general linter knows.
import { join } from 'node:path'
import { findBreaches, readImports } from './lint/imports.ts'
import { findCollectedPromises } from './lint/promises.ts'

const sources = join(import.meta.dirname, '..', 'src')
const graph = readImports(sources)
const breaches = [...findBreaches(graph), ...findCollectedPromises(sources)]
for (const breach of breaches) console.error(breach)
console.log(
  `${graph.size} files of src/, ${breaches.length} imports, places or promises that break a rule of the house`,
)
process.exitCode = breaches.length > 0 ? 1 : 0
