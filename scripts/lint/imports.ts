// Reads every import of src/ and says which of them break the rule of the rooms, or run in a circle.
import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, posix } from 'node:path'
import { parseSync } from 'oxc-parser'
import { FILES_PER_FOLDER_MAX, FORBIDDEN_MODULES, FORBIDDEN_NAMES, ROOMS } from './rooms.ts'

/** Imported specifiers by file, both relative to src/ with forward slashes; packages keep their name. */
export type ImportGraph = ReadonlyMap<string, readonly string[]>

/** Every import, static or dynamic, types included, of the TypeScript files below `folder`. */
export function readImports(folder: string): ImportGraph {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => /\.tsx?$/u.test(name) && !name.endsWith('.d.ts'))
  return new Map(
    files.toSorted().map((file) => {
      const text = readFileSync(join(folder, file), 'utf8')
      const { module: parsed } = parseSync(file, text)
      const specifiers = [
        ...parsed.staticImports.map(({ moduleRequest }) => moduleRequest.value),
        ...parsed.staticExports.flatMap(({ entries }) =>
          entries.flatMap(({ moduleRequest }) => (moduleRequest === null ? [] : [moduleRequest.value])),
        ),
        ...parsed.dynamicImports.map(({ moduleRequest: { start, end } }) => text.slice(start + 1, end - 1)),
      ]
      return [file, [...new Set(specifiers.map((name) => resolve(file, name)))]]
    }),
  )
}

const resolve = (file: string, specifier: string): string =>
  specifier.startsWith('.') ? posix.normalize(posix.join(posix.dirname(file), specifier)) : specifier

/** One sentence for everything that the table of rooms forbids. */
export function findBreaches(graph: ImportGraph): string[] {
  const breaches: string[] = []
  for (const [file, imported] of graph) {
    for (const target of imported) {
      const why = graph.has(target) ? whyForbidden(file, target) : whyModuleForbidden(file, target)
      if (why !== null) breaches.push(`${file} imports ${target}: ${why}`)
    }
  }
  return [...breaches, ...findCrowded([...graph.keys()]), ...findCircles(graph)]
}

function whyForbidden(file: string, target: string): string | null {
  const [from, to] = [placeOf(file), placeOf(target)]
  const room = ROOMS[from.room]
  if (room === undefined) return `${from.room} is no room of scripts/lint/rooms.ts`
  if (from.room !== to.room)
    return room.sees.includes(to.room) ? null : `${from.room} does not see ${to.room}`
  if (from.inner === to.inner || from.inner === null || to.inner === null) return null
  const seen = room.rooms?.[from.inner]
  if (seen === undefined) return `${from.room}/${from.inner} is no room of scripts/lint/rooms.ts`
  return seen.includes(to.inner) ? null : `${from.room}/${from.inner} does not see ${from.room}/${to.inner}`
}

function whyModuleForbidden(file: string, name: string): string | null {
  const { room } = placeOf(file)
  return FORBIDDEN_MODULES.find((rule) => rule.room === room && rule.modules.test(name))?.because ?? null
}

/** The room a file lies in, and the room inside that one; a file at the root of src/ is a room of its own. */
function placeOf(file: string): { room: string; inner: string | null } {
  const [first = '', second, third] = file.split('/')
  if (second === undefined) return { room: first.replace(/\.tsx?$/u, ''), inner: null }
  return { room: first, inner: third === undefined ? null : second }
}

function findCrowded(files: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const file of files) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1)
  const crowded = [...counts]
    .filter(([, count]) => count > FILES_PER_FOLDER_MAX)
    .map(([folder, count]) => `src/${folder} holds ${count} files; ${FILES_PER_FOLDER_MAX} are a room`)
  const drawers = files
    .filter((file) =>
      [...file.split('/').slice(0, -1), basename(file)].some((part) => FORBIDDEN_NAMES.test(part)),
    )
    .map((file) => `src/${file} is a drawer: name it by what it holds`)
  return [...crowded, ...drawers]
}

/** Circles between files, types included: each as the files along it. */
function findCircles(graph: ImportGraph): string[] {
  const done = new Set<string>()
  const circles: string[] = []
  const visit = (file: string, trail: readonly string[]): void => {
    const start = trail.indexOf(file)
    if (start >= 0) circles.push(`a circle of imports: ${[...trail.slice(start), file].join(' → ')}`)
    if (start >= 0 || done.has(file)) return
    for (const target of graph.get(file) ?? []) if (graph.has(target)) visit(target, [...trail, file])
    done.add(file)
  }
  for (const file of graph.keys()) visit(file, [])
  return circles
}
