// `verbatim completion bash|zsh|fish`: a completion script made from the commands as they are, so that it can never
// offer what is not there.
import { Argument, Command, type Option } from 'commander'

const SHELLS = ['bash', 'zsh', 'fish'] as const
type Shell = (typeof SHELLS)[number]

/** One command with what may follow it; `path` is its words without the program's name, empty for the program. */
interface CommandWords {
  path: string
  /** Sub-commands, or the choices of its argument. */
  words: { name: string; description: string }[]
  options: { name: string; description: string; choices: readonly string[] | null }[]
  /** Whether it takes an argument of any words, which may be the path of a file. */
  takesAny: boolean
}

/** To be added to the program itself: it describes the command that it was added to. */
export function createCompletionCommand(): Command {
  return new Command('completion')
    .description('print a completion script for a shell')
    .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
    .addHelpText(
      'after',
      '\nFor bash: eval "$(verbatim completion bash)" in ~/.bashrc; the same for zsh in ~/.zshrc.\nFor fish: verbatim completion fish | source in ~/.config/fish/config.fish.',
    )
    .action((shell: Shell, _options: unknown, command: Command) => {
      const program = command.parent ?? command
      process.stdout.write(completionScript(shell, program))
    })
}

/** The script for `shell`; the shell reads it once at its start. */
export function completionScript(shell: Shell, program: Command): string {
  const commands = describeCommands(program, [])
  const write = { bash: bashScript, zsh: zshScript, fish: fishScript }[shell]
  return write(program.name(), commands)
}

function describeCommands(command: Command, path: readonly string[]): CommandWords[] {
  const help = command.createHelp()
  const own: CommandWords = {
    path: path.join(' '),
    words: [
      ...help.visibleCommands(command).map((one) => ({ name: one.name(), description: one.description() })),
      ...command.registeredArguments.flatMap((argument) =>
        (argument.argChoices ?? []).map((name) => ({ name, description: argument.description })),
      ),
    ],
    options: help.visibleOptions(command).flatMap(describeOption),
    takesAny: command.registeredArguments.some(({ argChoices }) => argChoices === undefined),
  }
  return [own, ...command.commands.flatMap((one) => describeCommands(one, [...path, one.name()]))]
}

function describeOption({
  long,
  description,
  argChoices,
  required,
  optional,
}: Option): CommandWords['options'] {
  if (long === undefined || long === null) return []
  return [{ name: long, description, choices: required || optional ? (argChoices ?? []) : null }]
}

/** A word in single quotes, in which bash and zsh know nothing special but the quote itself. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

const candidatesOf = ({ words, options }: CommandWords): string[] => [
  ...words.map(({ name }) => name),
  ...options.map(({ name }) => name),
]

/** How each command is found on the line, word by word: `keys` after nothing, `create` after `keys`. */
const stepsTo = (commands: readonly CommandWords[]): { at: string; path: string }[] =>
  commands
    .filter(({ path }) => path !== '')
    .map(({ path }) => {
      const lastSpace = path.lastIndexOf(' ')
      return { at: `${path.slice(0, Math.max(0, lastSpace))} ${path.slice(lastSpace + 1)}`, path }
    })

/** The same for bash and zsh, as branches of a `case`. */
const stepBranches = (commands: readonly CommandWords[]): string =>
  stepsTo(commands)
    .map(({ at, path }) => `      ${quoted(at)}) command=${quoted(path)} ;;`)
    .join('\n')

const optionsWithValue = (commands: readonly CommandWords[]) =>
  commands.flatMap(({ path, options }) =>
    options.flatMap(({ name, choices }) => (choices === null ? [] : [{ at: `${path} ${name}`, choices }])),
  )

const offer = (words: readonly string[]): string =>
  `COMPREPLY=($(compgen -W ${quoted(words.join(' '))} -- "$current"))`

function bashScript(program: string, commands: readonly CommandWords[]): string {
  return `# bash completion for ${program}
_${program}() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" command='' word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$command $word" in
${stepBranches(commands)}
    esac
  done
  case "$command $previous" in
${optionsWithValue(commands)
  .map(({ at, choices }) => `    ${quoted(at)}) ${offer(choices)}; return ;;`)
  .join('\n')}
  esac
  case "$command" in
${commands.map((one) => `    ${quoted(one.path)}) ${offer(candidatesOf(one))} ;;`).join('\n')}
  esac
}
complete -o default -F _${program} ${program}
`
}

function zshScript(program: string, commands: readonly CommandWords[]): string {
  const described = ({ words, options }: CommandWords): string =>
    [...words, ...options].map((one) => quoted(`${one.name}:${one.description}`)).join(' ')
  return `#compdef ${program}
_${program}() {
  local command='' word
  local -a candidates
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$command $word" in
${stepBranches(commands)}
    esac
  done
  case "$command \${words[CURRENT-1]}" in
${optionsWithValue(commands)
  .map(({ at, choices }) => `    ${quoted(at)}) compadd -- ${choices.map(quoted).join(' ')}; return ;;`)
  .join('\n')}
  esac
  case "$command" in
${commands.map((one) => `    ${quoted(one.path)}) candidates=(${described(one)}) ;;`).join('\n')}
  esac
  _describe ${program} candidates || _files
}
if [[ "\${funcstack[1]}" == '_${program}' ]]; then
  _${program} "$@"
else
  (( \${+functions[compdef]} )) || { autoload -Uz compinit && compinit }
  compdef _${program} ${program}
fi
`
}

/** fish escapes the quote by a backslash, and the backslash too. */
const fishQuoted = (text: string): string => `'${text.replace(/['\\]/gu, String.raw`\$&`)}'`

function fishScript(program: string, commands: readonly CommandWords[]): string {
  const branches = stepsTo(commands).map(
    ({ at, path }) => `      case ${fishQuoted(at)}\n        set command ${fishQuoted(path)}`,
  )
  const lines = commands.flatMap(({ path, words, options, takesAny }) => {
    const start = `complete -c ${program} -n ${fishQuoted(`__${program}_at ${fishQuoted(path)}`)}`
    return [
      ...(takesAny ? [`${start} -F`] : []),
      ...words.map(({ name, description }) => `${start} -a ${name} -d ${fishQuoted(description)}`),
      ...options.map(({ name, description, choices }) => {
        const value = choices === null ? '' : ` -x -a ${fishQuoted(choices.join(' '))}`
        return `${start} -l ${name.slice(2)}${value} -d ${fishQuoted(description)}`
      }),
    ]
  })
  return `# fish completion for ${program}
function __${program}_at
  set -l command ''
  for word in (commandline -opc)[2..]
    switch "$command $word"
${branches.join('\n')}
    end
  end
  test "$command" = "$argv"
end
complete -c ${program} -f
${lines.join('\n')}
`
}
