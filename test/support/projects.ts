// Which tests run together, told from each file's name and imports, so that nobody keeps a list:
//   clients  below clients/: drives other people's clients, which only `npm run test:clients` installs
//   heavy    NAME.heavy.test.ts: storms of faults, volumes and loops; each file in a process of its own
//   service  starts or leads to something outside of its own code: a service, a process, a browser, a server program
//   pure     everything else: computes, or talks to itself over loopback
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, sep } from 'node:path'

export type TestProject = 'pure' | 'service' | 'heavy' | 'clients'

const TEST_ROOT = join(import.meta.dirname, '..')
const TEST_FILE = /\.test\.tsx?$/u
const CLIENTS_FOLDER = `clients${sep}`
/** Where the clients themselves are installed, with test files of their own. */
const INSTALLED = `${sep}node_modules${sep}`
const HEAVY_FILE = /\.heavy\.test\.tsx?$/u
/** Whose code leads to one of these can start a process, a thread, a browser or the compiled service. */
const STARTERS = /^(?:node:child_process|node:worker_threads|playwright|\.\/built\.ts)$/u
/** What an import or export statement names, types left out; imports made late count too. */
const IMPORTED =
  /^(?:import|export)\s(?!type\s)[^'"]*?\bfrom\s+'([^']+)'|^import\s+'([^']+)'|\bimport\('([^']+)'\)/gmu

/** Every test file of the folder under its project, as paths from the root of the repository. */
export function readProjects(root = TEST_ROOT): Record<TestProject, string[]> {
  const projects: Record<TestProject, string[]> = { pure: [], service: [], heavy: [], clients: [] }
  const known = new Map<string, boolean>()
  for (const name of readdirSync(root, { recursive: true, encoding: 'utf8' }).toSorted()) {
    if (!TEST_FILE.test(name) || name.includes(INSTALLED)) continue
    const project = name.startsWith(CLIENTS_FOLDER) ? 'clients' : projectOf(join(root, name), known)
    projects[project].push(join(basename(root), name))
  }
  return projects
}

function projectOf(file: string, known: Map<string, boolean>): TestProject {
  if (HEAVY_FILE.test(file)) return 'heavy'
  return leadsToStarter(file, known) ? 'service' : 'pure'
}

function leadsToStarter(file: string, known: Map<string, boolean>): boolean {
  const before = known.get(file)
  if (before !== undefined) return before
  known.set(file, false) // Until it is known: helpers may import each other.
  const found = importedBy(file).some(
    (name) =>
      STARTERS.test(name) || (name.startsWith('.') && leadsToStarter(join(dirname(file), name), known)),
  )
  known.set(file, found)
  return found
}

function importedBy(file: string): string[] {
  if (!/\.tsx?$/u.test(file) || !existsSync(file)) return []
  const statements = readFileSync(file, 'utf8').matchAll(IMPORTED)
  return [...statements].map(([, from, bare, late]) => from ?? bare ?? late ?? '')
}
