// A copy of the repository in a temporary folder, to be changed and run as somebody would who works on it.
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const ROOT = join(import.meta.dirname, '..', '..', '..')

export type CopiedTree = ReturnType<typeof copyTree>

export function copyTree() {
  const folder = mkdtempSync(join(tmpdir(), 'verbatim-recipes-'))
  const listed = execFileSync('git', ['ls-files', '-z', '-co', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  for (const path of listed.split('\0').filter((name) => name !== ''))
    cpSync(join(ROOT, path), join(folder, path), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  // Its tests report to the test that runs them, and not where the whole suite does.
  const { TEST_REPORT: _ours, ...env } = process.env

  /** What the program prints. @throws when it fails, with all that it printed. */
  function run(program: string, ...args: string[]): string {
    const { status, stdout, stderr } = spawnSync(program, args, { cwd: folder, env, encoding: 'utf8' })
    if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed:\n${stdout}\n${stderr}`)
    return stdout
  }
  const runScript = (script: string, ...args: string[]): string =>
    run('node', 'node_modules/tsx/dist/cli.mjs', script, ...args)
  const read = (path: string): string => readFileSync(join(folder, path), 'utf8')
  function write(path: string, content: string | Uint8Array): void {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }

  run('git', 'init', '-q')
  run('git', 'add', '-A')
  return {
    run,
    runScript,
    read,
    readBytes: (path: string): Buffer => readFileSync(join(folder, path)),
    write,
    /** Puts `text` behind what `anchor` finds first. @throws when it finds nothing. */
    insertAfter(path: string, anchor: RegExp, text: string): void {
      const before = read(path)
      const found = anchor.exec(before)
      if (found === null) throw new Error(`${path} has no ${anchor.source}`)
      const at = found.index + found[0].length
      write(path, before.slice(0, at) + text + before.slice(at))
    },
    /** The files that were made, changed or removed since this was asked last. */
    takeChanges(): string[] {
      const listedChanges = run('git', 'status', '--porcelain', '--untracked-files=all').split('\n')
      const changed = listedChanges.filter((line) => line !== '' && line[1] !== ' ')
      run('git', 'add', '-A')
      return changed.map((line) => line.slice(3))
    },
    remove: (): void => rmSync(folder, { recursive: true, force: true }),
  }
}
