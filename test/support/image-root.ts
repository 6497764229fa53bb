// The image without Chromium where no engine runs: the steps of the Dockerfile in a clean root by debootstrap, started as a
// container would be, with processes and mounts of its own, as the image's user, on a root that nobody can write.
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, cpSync, existsSync, mkdirSync, readFileSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { keepOutside, leaveOut } from '../../scripts/setup/dependencies.mjs'
import { foldersOutside } from '../../scripts/setup/packages-outside.mjs'
import { findProgram, pathFolders } from './programs.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const USER_ID = 10_001
const PATH = 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
/** As .dockerignore has it. */
const NOT_SENT = /^models\/.*\.(?:py|ts)$|^(?:models\/(?:recipes|training)|docs\/decisions)(?:\/|$)/u

const debootstrap = findProgram('debootstrap', () => [...pathFolders(), '/usr/sbin'], 'debootstrap')
const strip = findProgram('strip', pathFolders, 'binutils')
const mayMount = (): boolean => spawnSync('unshare', ['--mount', '--pid', '--fork', 'true']).status === 0

/** False where its programs are neither here nor installable, or this user may not mount. */
export const canMakeImageRoot =
  process.platform === 'linux' &&
  process.getuid?.() === 0 &&
  [debootstrap, strip].every(Boolean) &&
  mayMount()

const run = (program: string, words: readonly string[]): string =>
  execFileSync(program, words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })

/** What the last stage is told, each as its words. */
function readDockerfile() {
  const text = readFileSync(join(ROOT, 'Dockerfile'), 'utf8').replaceAll(/\\\n\s*/gu, '')
  const last = text.slice(text.lastIndexOf('\nFROM '))
  const listOf = (name: string): string[] =>
    JSON.parse(new RegExp(`^${name} (.*)$`, 'mu').exec(last)?.[1] ?? '[]') as string[]
  const env = [...last.matchAll(/^ENV (.*)$/gmu)].flatMap(([, pairs = '']) => pairs.split(' '))
  const distribution = /^ARG NODE=\S+-(\w+)-slim$/mu.exec(text)?.[1] ?? ''
  return { distribution, env, command: [...listOf('ENTRYPOINT'), ...listOf('CMD')] }
}

/** The stages `system`, `least` and the last one, in `folder`. Returns the root of the image. */
export function makeImageRoot(folder: string): string {
  const system = join(folder, 'system')
  const { distribution } = readDockerfile()
  run(debootstrap ?? '', ['--variant=minbase', '--include=tini,ca-certificates', distribution, system])
  const inside = (...words: string[]): string => run('chroot', [system, ...words])
  inside('useradd', '--system', '--create-home', '--uid', String(USER_ID), 'verbatim')
  inside('install', '-d', '-o', 'verbatim', '-g', 'verbatim', '/data')
  run(strip ?? '', ['-o', join(system, 'usr', 'local', 'bin', 'node'), process.execPath])
  cpSync(join(ROOT, 'deploy', 'least-root.sh'), join(system, 'least-root.sh'))
  inside('sh', '/least-root.sh', '/least')
  const root = join(system, 'least')
  copyApplication(join(root, 'app'))
  return root
}

function copyApplication(app: string): void {
  for (const path of [
    'package.json',
    'CHANGELOG.md',
    'public',
    'docs',
    'models',
    'packages/no-canvas',
    'dist',
  ])
    cpSync(join(ROOT, path), join(app, path), { recursive: true, filter: isSent })
  mkdirSync(join(app, 'model-store'))
  copyPackages(join(app, 'node_modules'))
}

const isSent = (source: string): boolean => {
  const path = source.slice(ROOT.length + 1)
  return !NOT_SENT.test(path) && !/^dist\/(?:.*\.map|\.built)$/u.test(path)
}

/** As `setup.mjs --packages` and `--prune` leave them, from this checkout's, to need no registry. */
function copyPackages(modules: string): void {
  const lock: Parameters<typeof foldersOutside>[0] = JSON.parse(
    readFileSync(join(ROOT, 'package-lock.json'), 'utf8'),
  )
  for (const path of foldersOutside(lock).toSorted()) {
    // For other systems.
    if (!existsSync(join(ROOT, path))) continue
    const to = join(dirname(modules), path)
    cpSync(join(ROOT, path), to, { recursive: true, dereference: false, verbatimSymlinks: true })
  }
  leaveOut(modules)
  keepOutside(modules, lock)
}

/** What a container has of its own: processes, a folder for temporary files, its volume. */
const MOUNTS = `
mount --bind "$1" "$1" && mount --bind /dev "$1/dev" && mount -t proc proc "$1/proc"
mount -t tmpfs -o mode=1777 tmpfs "$1/tmp" && mount --bind "$2" "$1/data"
mount -o remount,ro,bind "$1" "$1"
root=$1 group=$3 && shift 3
exec unshare --root "$root" --wd /app --setgid "$group" --setuid ${USER_ID} -- "$@"`

/** The image's own command in `root`, with `data` as its volume and `settings` beside its own. */
export function startImageRoot(root: string, data: string, settings: readonly string[]) {
  const { env, command } = readDockerfile()
  mkdirSync(data, { recursive: true })
  chownSync(data, USER_ID, USER_ID)
  const own = ['--mount', '--pid', '--fork', 'env', '-i', PATH, ...env, ...settings]
  const words = [...own, 'sh', '-ec', MOUNTS, 'sh', root, data, readGroupId(root), ...command]
  return spawn('unshare', words, { stdio: ['ignore', 'pipe', 'pipe'] })
}

/** Ends it with all that runs inside: a process that has become another user does not die with unshare, as --kill-child says. */
export async function endImageRoot(child: ChildProcess): Promise<void> {
  const { pid, exitCode, signalCode } = child
  if (pid === undefined || exitCode !== null || signalCode !== null) return
  const gone = once(child, 'exit')
  const [inside = `${pid}`] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').match(/\d+/u) ?? []
  process.kill(Number(inside), 'SIGKILL')
  await gone
}

function readGroupId(root: string): string {
  const users = readFileSync(join(root, 'etc', 'passwd'), 'utf8')
  return new RegExp(`^verbatim:[^:]*:${USER_ID}:(\\d+):`, 'mu').exec(users)?.[1] ?? String(USER_ID)
}

/** Bytes of what lies at `path`, which is not followed. */
export const bytesOf = (path: string): number =>
  Number(run('du', ['-s', '--apparent-size', '-B1', path]).split('\t')[0])

/** Names of the programs in `root`. */
export const programsIn = (root: string): string[] =>
  ['usr/bin', 'usr/sbin', 'usr/local/bin'].flatMap((folder) => readdirSync(join(root, folder)))
