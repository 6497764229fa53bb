import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Argument, Command, Option } from 'commander'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { completionScript, createCompletionCommand } from '../../src/commands/completion.ts'
import { findProgram, pathFolders } from '../support/programs.ts'

/** A program with every construct ours has, and a description that a shell would trip over. */
function createProgram(): Command {
  return new Command('tool')
    .addCommand(
      new Command('search')
        .description(`it's "quoted": $(touch run) \`touch run\` \\ `)
        .argument('<query>')
        .addOption(new Option('--depth <depth>', 'how deep').choices(['precise', 'balanced']))
        .option('--results <n>', 'how many')
        .option('--json', 'as JSON'),
    )
    .addCommand(
      new Command('keys')
        .description('manage keys')
        .addCommand(new Command('create').option('--expires <date>', 'when'))
        .addCommand(new Command('list').option('--all', 'all of them')),
    )
    .addCommand(new Command('models').addArgument(new Argument('<what>').choices(['minilm', 'bundled'])))
    .addCommand(createCompletionCommand())
}

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'verbatim-completion-'))
  for (const shell of ['bash', 'zsh', 'fish'] as const)
    writeFileSync(join(folder, shell), completionScript(shell, createProgram()))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const SHELL_MS = 20_000
const isInstalled = (shell: string): boolean => findProgram(shell, pathFolders, shell) !== null

function run(shell: string, program: string): string[] {
  const { stdout, stderr, status } = spawnSync(shell, ['-c', program], { encoding: 'utf8', cwd: folder })
  if (status !== 0 || stderr !== '') throw new Error(`${shell} ended with ${status}: ${stderr}`)
  return stdout.split('\n').filter((line) => line !== '')
}

/** What each shell offers after `line`, by its own means; `line` ends with the word being typed, maybe empty. */
const OFFERS: Record<string, (line: string) => string[]> = {
  bash: (line) =>
    run(
      'bash',
      `source ./bash; COMP_LINE='${line}'; IFS=' ' read -ra COMP_WORDS <<< "$COMP_LINE"
       [[ "$COMP_LINE" == *' ' ]] && COMP_WORDS+=('')
       COMP_CWORD=$(( \${#COMP_WORDS[@]} - 1 )); _tool; printf '%s\\n' "\${COMPREPLY[@]}"`,
    ),
  // A completion widget needs a terminal; what it would be given is printed instead.
  zsh: (line) =>
    run(
      'zsh',
      `compdef() { }; _describe() { print -rl -- "\${(@P)2}" }; compadd() { shift; print -rl -- "$@" }
       source ./zsh; words=("\${(@s: :)\${:-${line}}}"); CURRENT=\${#words}; _tool`,
    )
      .map((candidate) => candidate.replace(/:.*$/su, ''))
      .filter((candidate) => candidate.startsWith(line.slice(line.lastIndexOf(' ') + 1))),
  fish: (line) =>
    run('fish', `source ./fish; complete -C '${line}'`).map((candidate) => candidate.replace(/\t.*$/su, '')),
}

describe.each(Object.entries(OFFERS))('in %s', (shell, offers) => {
  test.skipIf(!isInstalled(shell)).each([
    ['tool ', ['completion', 'help', 'keys', 'models', 'search']],
    ['tool se', ['search']],
    ['tool keys ', ['create', 'help', 'list']],
    ['tool keys create --', ['--expires', '--help']],
    ['tool search --', ['--depth', '--help', '--json', '--results']],
    ['tool search --depth ', ['balanced', 'precise']],
    ['tool search --depth p', ['precise']],
    ['tool search keys --j', ['--json']],
    ['tool models ', ['bundled', 'minilm']],
    ['tool completion ', ['bash', 'fish', 'zsh']],
  ])('after "%s" are offered %j', (line, expected) => {
    // Options are offered where nothing is typed too; only fish waits for a dash.
    const offered = offers(line).filter((word) => line.includes('-') || !word.startsWith('-'))
    expect(offered.toSorted()).toEqual(expected)
  })
})

test('nothing in a description is run by a shell', () => {
  for (const [shell, offers] of Object.entries(OFFERS)) if (isInstalled(shell)) offers('tool ')
  expect(readdirSync(folder).toSorted()).toEqual(['bash', 'fish', 'zsh'])
})

/** Folders with what a shell reads at its start: each calls `tool` what prints its words. */
const STARTS: Readonly<Record<string, { shell: string; files: Record<string, string> }>> = {
  bash: { shell: 'bash --noprofile --rcfile ./rc -i', files: { rc: 'source "$SCRIPTS/bash"' } },
  'zsh that has no completion yet': { shell: 'zsh -i', files: { '.zshrc': 'source "$SCRIPTS/zsh"' } },
  'zsh that finds it among its functions': {
    shell: 'zsh -i',
    files: { '.zshrc': 'fpath=($PWD/functions $fpath); autoload -Uz compinit; compinit -u' },
  },
}
/** A shell shows what it types, and asks a terminal nothing. */
const TYPED = ['tool se\tx', 'tool search READ\tx', 'tool search --dep\tpre\t', 'exit']

describe.each(Object.entries(STARTS))('typed into the terminal of a %s', (_, { shell, files }) => {
  test.skipIf(!isInstalled(shell.split(' ')[0] ?? '') || !isInstalled('script'))(
    'a command, a file where one may stand, and the choices of an option are completed by the Tab key',
    () => {
      const home = mkdtempSync(join(tmpdir(), 'verbatim-terminal-'))
      mkdirSync(join(home, 'functions'))
      for (const [file, start] of Object.entries(files))
        writeFileSync(join(home, file), `${start}\ntool() { printf 'GOT[%s]' "$@"; echo; }\n`)
      writeFileSync(join(home, 'functions', '_tool'), completionScript('zsh', createProgram()))
      writeFileSync(join(home, 'README.txt'), '')
      const { stdout } = spawnSync('script', ['--quiet', '--command', shell, '/dev/null'], {
        encoding: 'utf8',
        cwd: home,
        env: { ...process.env, SCRIPTS: folder, ZDOTDIR: home, TERM: 'dumb' },
        input: TYPED.map((line) => `${line}\n`).join(''),
        timeout: SHELL_MS,
      })
      expect(stdout.match(/GOT\[.*\]/gu)).toEqual([
        'GOT[search]GOT[x]',
        'GOT[search]GOT[README.txt]GOT[x]',
        'GOT[search]GOT[--depth]GOT[precise]',
      ])
      rmSync(home, { recursive: true })
    },
  )
})
