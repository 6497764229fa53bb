// `npm run lint`, its second half: the rule of the rooms, which no general linter knows.
import { join } from 'node:path'
import { findBreaches, readImports } from './lint/imports.ts'

const graph = readImports(join(import.meta.dirname, '..', 'src'))
const breaches = findBreaches(graph)
for (const breach of breaches) console.error(breach)
console.log(
  `${graph.size} files of src/, ${breaches.length} imports or places that break the rule of the rooms`,
)
process.exitCode = breaches.length > 0 ? 1 : 0
